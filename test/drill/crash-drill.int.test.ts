import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#src/ports/clock.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { importUndisturbed, killInRounds } from '#test/drill/kills.ts'
import { digestPlace } from '#test/drill/place.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** More with LEDGER_TEST_KILLS=1000; a failing run is repeated with LEDGER_TEST_SEED. */
const kills = Number(process.env['LEDGER_TEST_KILLS'] ?? 20)
const blocks = 150

describe('a killed process', () => {
  let folder: { path: string; remove: () => Promise<void> }
  let network: string
  let undisturbed: object

  beforeAll(async () => {
    folder = await temporaryFolder()
    network = join(folder.path, 'network')
    await runSimulator({
      folder: network,
      options: { seed: 'drill', nodes: 1, transactionsPerSecond: 15, blockSeconds: 2, addressBookUpdateBlocks: 40 },
      blocks,
      clock: systemClock,
    })
    undisturbed = await digestPlace(await importUndisturbed(network, folder.path))
  }, 120_000)

  afterAll(() => folder.remove())

  it(
    `leaves log and rows as if it had not been killed, ${kills} times over (seed ${seed})`,
    () =>
      killInRounds({
        network,
        kills,
        workMsMax: 60,
        random: createRandom(seed),
        placeOf: (round) => ({ data: join(folder.path, `round-${round}`) }),
        check: async (place, round) =>
          expect(await digestPlace(place), `round ${round}, seed ${seed}`).toEqual(undisturbed),
      }),
    Math.max(180_000, kills * 3_000),
  )
})

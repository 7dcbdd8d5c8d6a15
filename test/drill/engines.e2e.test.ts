import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSimulator } from '#src/simulator/run.ts'
import { importUndisturbed, killInRounds } from '#test/drill/kills.ts'
import { digestPlace, type PlaceDigest } from '#test/drill/place.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { clearPlace, type Place } from '#test/support/place.ts'
import { findKafka, findMongoServers, whyMissing } from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** More with LEDGER_TEST_KILLS=100, for each pair of engines. */
const kills = Number(process.env['LEDGER_TEST_KILLS'] ?? 6)
/** Hundreds of rows: not every server of the MongoDB protocol is fast. */
const blocks = 30

const run = randomUUID().slice(0, 8)
const kafka = findKafka()
const servers = findMongoServers()
const kafkaMissing = whyMissing('Kafka', 'LEDGER_TEST_KAFKA')
const mongoMissing = whyMissing('server of the MongoDB protocol', 'LEDGER_TEST_MONGODB')

interface Pair {
  readonly log: 'embedded' | 'kafka'
  /** `embedded`, or the name of a server of the MongoDB protocol. */
  readonly store: string
}

/** Log and store know nothing of each other, so each engine is in a pair once. */
const pairs: Pair[] = [
  { log: 'kafka', store: 'embedded' },
  ...servers.slice(0, 1).map(({ name }): Pair => ({ log: 'kafka', store: name })),
  ...servers.filter(({ durable }) => durable).map(({ name }): Pair => ({ log: 'embedded', store: name })),
]

describe('killed processes on other engines', () => {
  let folder: { path: string; remove: () => Promise<void> }
  let network: string
  let undisturbed: PlaceDigest

  beforeAll(async () => {
    folder = await temporaryFolder()
    network = join(folder.path, 'network')
    const options = {
      seed: 'drill',
      nodes: 1,
      accounts: 10,
      transactionsPerSecond: 4,
      blockSeconds: 2,
      addressBookUpdateBlocks: 10,
    }
    await runSimulator({ folder: network, options, blocks })
    undisturbed = await digestPlace(await importUndisturbed(network, folder.path))
  }, 120_000)
  afterAll(() => folder.remove())

  if (servers.length === 0) it.skip(`leave log and rows as they should be in MongoDB (skipped: ${mongoMissing})`)
  for (const { log, store } of pairs) {
    if (log === 'kafka' && !kafka) {
      it.skip(`leave log and rows as they should be on ${log} and ${store} (skipped: ${kafkaMissing})`)
      continue
    }
    it(
      `leave log and rows on ${log} and ${store} as on the embedded engines without a kill, ${kills} kills (seed ${seed})`,
      async () => {
        const places: Place[] = []
        await killInRounds({
          network,
          kills,
          workMsMax: 700,
          random: createRandom(seed),
          placeOf: (round) => {
            const place = placeOf({ log, store }, `${run}-${log}-${store}-${round}`)
            places.push(place)
            return place
          },
          check: async (place, round) =>
            expect(await digestPlace(place), `round ${round}, seed ${seed}`).toEqual(undisturbed),
        })
        for (const place of places) await clearPlace(place)
      },
      60_000 + kills * 8_000,
    )
  }

  function placeOf({ log, store }: Pair, name: string): Place {
    const server = servers.find((each) => each.name === store)
    return {
      data: join(folder.path, name),
      ...(log === 'kafka' && kafka && { kafka: { brokers: kafka.brokers.join(','), prefix: `drill-${name}` } }),
      ...(server && { mongodb: { uri: server.uri, database: `drill-${name}`.slice(0, 38) } }),
    }
  }
})

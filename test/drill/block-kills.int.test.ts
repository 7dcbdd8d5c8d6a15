import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeEvent } from '#src/events/codec.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import type { BlockReading } from '#test/drill/blocks/block-reading.ts'
import { KilledNodes } from '#test/drill/blocks/killed-nodes.ts'
import { killInRounds } from '#test/drill/kills.ts'
import { drillNetwork } from '#test/drill/place.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { importAll } from '#test/drill/role.ts'
import { digestLog } from '#test/support/digest.ts'
import { type Place, withPlace } from '#test/support/place.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** More with LEDGER_TEST_BLOCK_KILLS=300, over all paths of reading together; a failing run is repeated with LEDGER_TEST_SEED. */
const kills = Number(process.env['LEDGER_TEST_BLOCK_KILLS'] ?? 14)
const blocks = 48
const last = String(blocks - 1)
const options: SimulatorOptions = {
  seed: 'killed',
  nodes: 2,
  accounts: 20,
  transactionsPerSecond: 6,
  network: drillNetwork,
  addressBookUpdateBlocks: 15,
}

type AccessPath = Omit<BlockReading, 'ports' | 'through'> & { readonly network: 'blocks' | 'wrapped' | 'cutover' }

const paths: readonly (readonly [name: string, way: AccessPath])[] = [
  ['blocks of a bucket', { network: 'blocks', stream: 'blocks', from: 'bucket' }],
  ['blocks of nodes that are killed, too', { network: 'blocks', stream: 'blocks', from: 'nodes' }],
  ['blocks of nodes that are killed, or of a bucket', { network: 'blocks', stream: 'blocks', from: 'auto' }],
  ['wrapped record files', { network: 'wrapped', stream: 'blocks', from: 'bucket' }],
  ['record files, then blocks of a bucket', { network: 'cutover', stream: 'cutover', from: 'bucket' }],
  ['record files, then blocks of nodes that are killed, too', { network: 'cutover', stream: 'cutover', from: 'nodes' }],
  [
    'record files, then wrapped ones, then blocks',
    { network: 'cutover', stream: 'cutover', from: 'auto', wrappedFrom: '0.79.0' },
  ],
]

describe('a killed importer of blocks', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  const random = createRandom(seed)
  const folderOf = (name: AccessPath['network']) => join(folder.path, name)
  const nodes = new Map<AccessPath['network'], KilledNodes>()
  const undisturbed = new Map<AccessPath['network'], object>()

  beforeAll(async () => {
    folder = await temporaryFolder()
    const signer = await createSimulatedLedger({ seed: 'killed', weights: [2, 1] })
    const networks: Record<AccessPath['network'], SimulatorOptions> = {
      blocks: { ...options, stream: 'blocks', stateProofs: true },
      wrapped: { ...options, stream: 'records', wrappedBlocks: true },
      cutover: { ...options, stream: 'cutover', cutoverSeconds: blocks, recordVersion: '0.79.0' },
    }
    for (const [name, each] of Object.entries(networks) as [AccessPath['network'], SimulatorOptions][]) {
      // Those that no signed block follows are not published.
      await runSimulator({ folder: folderOf(name), options: each, blocks, clock: systemClock, signer })
      const place = { data: join(folder.path, `undisturbed-${name}`) }
      await importAll({
        network: folderOf(name),
        place,
        blocks: readingOf({ network: name, stream: name === 'cutover' ? 'cutover' : 'blocks', from: 'bucket' }),
      })
      undisturbed.set(name, await contentsOf(place))
    }
    for (const name of ['blocks', 'cutover'] as const) {
      const started = await KilledNodes.start(2, folderOf(name), drillNetwork)
      started.killFor(1_500, random)
      nodes.set(name, started)
    }
  }, 180_000)

  afterAll(async () => {
    await Promise.all([...nodes.values()].map((each) => each.close()))
    await folder.remove()
  })

  function readingOf({ network, ...way }: AccessPath): BlockReading {
    return { ...way, ports: nodes.get(network)?.ports ?? [], through: last }
  }

  it.each(paths)(
    `has published each block once, in order, as if it had not been killed: %s (seed ${seed})`,
    async (name, way) => {
      const share = Math.max(1, Math.round(kills / paths.length))
      await killInRounds({
        network: folderOf(way.network),
        blocksOf: () => readingOf(way),
        roles: ['import'],
        kills: share,
        workMsMax: 1_500,
        random,
        placeOf: (round) => ({ data: join(folder.path, `${name}-${round}`) }),
        check: async (place, round) => {
          expect(await contentsOf(place), `${name}, round ${round}, seed ${seed}`).toEqual(undisturbed.get(way.network))
          rmSync(place.data, { recursive: true })
        },
      })
    },
    Math.max(120_000, kills * 6_000),
  )
})

/** Numbers of the blocks on the log, and a digest of all that it says. */
function contentsOf(place: Place): Promise<{ numbers: string[]; digest: string }> {
  return withPlace(place, async ({ log }) => {
    const numbers: string[] = []
    for await (const { records } of log.read({ after: 0, countMax: 1_000, bytesMax: 4 << 20, follow: false }))
      for (const record of records)
        if (record.type === 'BlockRecorded')
          numbers.push(String(decodeEvent({ ...record, type: 'BlockRecorded' }).number))
    expect(numbers).toEqual(Array.from({ length: blocks }, (_, number) => String(number)))
    return { numbers, digest: await digestLog(log, (await log.head()).sequence) }
  })
}

import { describe, expect, it } from 'vitest'
import { loadBlockNodeClient } from '#src/adapters/block-node/open-block-node.ts'
import { blockNodeDefaults } from '#src/adapters/block-node/options.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { BlockNodes } from '#src/importer/block-nodes/block-nodes.ts'
import type { KnownBlockNode } from '#src/importer/block-nodes/known-block-node.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { BlockFaults } from '#src/simulator/block-node/faults.ts'
import { endpoint, useBlockNodes } from '#test/adapters/block-node/support.ts'
import { SampleStore } from '#test/support/sample-blocks.ts'

const { keep, serve } = useBlockNodes()
const last = 999n
const store = new SampleStore().fill(0n, last)
const timeouts = { statusTimeoutMs: 300, blockTimeoutMs: 1_000, connectTimeoutMs: 500 }
/** For a machine that has other work. */
const slackMs = 1_500

/** Three nodes with all blocks, in the order in which they are preferred. */
async function threeNodes() {
  const served = await Promise.all([0, 1, 2].map(() => serve({ store, faults: new BlockFaults() })))
  served.sort((a, b) => a.port - b.port)
  const open = await loadBlockNodeClient({ ...blockNodeDefaults, ...timeouts })
  const source = keep(new BlockNodes({ open, clock: systemClock, logger: silentLogger }))
  source.use(
    served.map(({ port }): KnownBlockNode => {
      return { endpoints: { status: endpoint(port), stream: endpoint(port) }, priority: 0, origin: 'configured' }
    }),
  )
  const errorsOf = (at: number) => source.states().find(({ name }) => name.endsWith(`:${served[at]?.port}`))?.errors
  return { source, served, faults: served.map(({ faults }) => faults), errorsOf }
}

function holds({ number, pieces }: SourceBlock): boolean {
  return Buffer.concat(pieces).equals(store.get(number))
}

const wrong = new LedgerError('proof_invalid', 'these are not the bytes')

describe('a thousand blocks through three nodes of which one dies, one stalls and one lies', () => {
  it('come without a gap, in order, each once, after bounded delays', async () => {
    const { source, served, faults, errorsOf } = await threeNodes()
    faults[0]?.at(200n, { kind: 'die' })
    faults[1]?.at(500n, { kind: 'stall' })
    faults[2]?.at(700n, { kind: 'lie' })
    const taken: bigint[] = []
    const delays: { readonly block: bigint; readonly ms: number; readonly origin: string }[] = []
    const since = performance.now()
    let askedAt = since
    for await (const block of source.blocks({ from: 0n, through: last })) {
      if (holds(block)) {
        source.accepted(block)
        taken.push(block.number)
        delays.push({ block: block.number, ms: performance.now() - askedAt, origin: block.origin })
        askedAt = performance.now()
      } else source.refused(block, wrong)
    }
    expect(taken).toEqual(Array.from({ length: 1_000 }, (_, number) => BigInt(number)))
    expect(errorsOf(0)).toMatchObject({ cut: 1 })
    expect(errorsOf(1)).toEqual({ timeout: 1 })
    expect(errorsOf(2)).toEqual({ rejected: 1 })
    const longest = delays.toSorted((a, b) => b.ms - a.ms).slice(0, 3)
    const told = longest.map(({ block, ms }) => `${ms.toFixed(0)} ms for block ${block}`).join(', ')
    console.log(`1,000 blocks in ${(performance.now() - since).toFixed(0)} ms; the longest delays: ${told}`)
    expect(longest[0]?.block).toBe(500n)
    // The node that stalls costs its time for a block, and the dead one its time for a status.
    expect(longest[0]?.ms).toBeLessThan(timeouts.blockTimeoutMs + timeouts.statusTimeoutMs + slackMs)
    expect(longest[1]?.ms).toBeLessThan(timeouts.statusTimeoutMs + slackMs)
    await expect.poll(() => served.map(({ counts }) => counts().openStreams)).toEqual([0, 0, 0])
  })

  it('come so, too, where it is known late that a block does not hold', async () => {
    const { source, faults, errorsOf } = await threeNodes()
    faults[0]?.at(100n, { kind: 'lie' })
    faults[1]?.at(400n, { kind: 'cut' })
    faults[0]?.at(600n, { kind: 'skip_block' })
    const proved: bigint[] = []
    let waiting: SourceBlock[] = []
    let expected = 0n
    const prove = () => {
      const [block, ...rest] = waiting
      if (block === undefined) return
      waiting = rest
      if (holds(block)) {
        source.accepted(block)
        proved.push(block.number)
        return
      }
      // What came behind it comes again.
      source.refused(block, wrong)
      waiting = []
      expected = block.number
    }
    for await (const block of source.blocks({ from: 0n, through: last })) {
      expect(block.number).toBe(expected)
      waiting.push(block)
      expected++
      if (waiting.length === 10) prove()
    }
    while (waiting.length > 0) prove()
    expect(proved).toEqual(Array.from({ length: 1_000 }, (_, number) => BigInt(number)))
    expect([0, 1, 2].map((at) => errorsOf(at))).toEqual([{ rejected: 2 }, { cut: 1 }, {}])
  })
})

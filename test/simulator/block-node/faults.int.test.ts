import { describe, expect, it } from 'vitest'
import type { BlockNodeOptions } from '#src/adapters/block-node/options.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import { type BlockFault, BlockFaults } from '#src/simulator/block-node/faults.ts'
import { failureOf, useBlockNodes } from '#test/adapters/block-node/support.ts'
import { SampleStore } from '#test/support/sample-blocks.ts'

const { serve, open } = useBlockNodes()
const mebibyte = 1024 * 1024
const store = new SampleStore().fill(0n, 5n)
const other = new SampleStore({ chain: 'other' }).fill(0n, 5n)

/** Blocks 0 to 5 from a node with a fault of block 2, as far as they come, with what was odd about them. */
async function streamWith(fault: BlockFault, options: Partial<BlockNodeOptions> = {}) {
  const faults = new BlockFaults()
  faults.at(2n, fault)
  const served = await serve({ store, faults })
  const node = await open(served.port, options)
  const blocks: Buffer[] = []
  const oddities: string[] = []
  const streaming = async () => {
    const onOddity = (oddity: string) => oddities.push(oddity)
    for await (const block of node.subscribe({ from: 0n, through: 5n, onOddity })) blocks.push(bytesOf(block))
  }
  const failed = streaming().then(
    () => undefined,
    (error: { details: { reason: string } }) => error.details.reason,
  )
  return { reason: await failed, blocks, oddities, node, served }
}

function bytesOf({ pieces }: SourceBlock): Buffer {
  return Buffer.concat(pieces)
}

const all = [0n, 1n, 2n, 3n, 4n, 5n].map((number) => store.get(number))

describe('a simulated block node', () => {
  it.each([
    ['stall', 'timeout'],
    ['cut', 'cut'],
    ['die', 'cut'],
  ] as const)('can %s in the middle of a block', async (kind, reason) => {
    const stream = await streamWith({ kind }, { blockTimeoutMs: 1_000 })
    expect(stream.reason).toBe(reason)
    expect(stream.blocks).toEqual(all.slice(0, 2))
  })

  it('is dead once it died, for everybody, until that is mended', async () => {
    const { node, served } = await streamWith({ kind: 'die' }, { statusTimeoutMs: 300, connectTimeoutMs: 300 })
    expect((await failureOf(node.status())).details.reason).toMatch(/timeout|unreachable/)
    served.faults.clear()
    await expect.poll(() => node.status().catch(() => []), { timeout: 5_000 }).toEqual([{ first: 0n, last: 5n }])
  })

  it('can lie, leave out, repeat, and serve another chain', async () => {
    const lying = await streamWith({ kind: 'lie' })
    expect(lying.blocks[2]).toHaveLength(store.get(2n).length)
    expect(lying.blocks.map((block, at) => block.equals(all[at] as Buffer))).toEqual([
      true,
      true,
      false,
      true,
      true,
      true,
    ])
    const shorter = await streamWith({ kind: 'skip_item' })
    expect((shorter.blocks[2] as Buffer).length).toBeLessThan(store.get(2n).length)
    const skipping = await streamWith({ kind: 'skip_block' })
    expect(skipping.blocks).toEqual(all.toSpliced(2, 1))
    const repeating = await streamWith({ kind: 'repeat' })
    expect(repeating.blocks).toEqual(all.toSpliced(2, 0, store.get(2n)).slice(0, 6))
    const elsewhere = await streamWith({ kind: 'other_chain', store: other })
    expect(elsewhere.blocks).toEqual(all.with(2, other.get(2n)))
    for (const { reason } of [lying, shorter, skipping, repeating, elsewhere]) expect(reason).toBeUndefined()
  })

  it('can be slow, end a block wrongly, and send sets without items', async () => {
    const since = performance.now()
    const slow = await streamWith({ kind: 'slow', milliseconds: 300 })
    expect(slow.blocks).toEqual(all)
    expect(performance.now() - since).toBeGreaterThan(299)
    const ending = await streamWith({ kind: 'wrong_end' })
    expect(ending).toMatchObject({ blocks: all, oddities: ['end_of_other_block'] })
    const emptying = await streamWith({ kind: 'empty_sets', count: 2 })
    expect(emptying).toMatchObject({ blocks: all, oddities: ['empty_set', 'empty_set'] })
  })

  it('can send what is too large: a message, or a block', async () => {
    const limits = { messageBytesMax: 2 * mebibyte, blockBytesMax: 4 * mebibyte }
    for (const kind of ['large_message', 'large_block'] as const) {
      const large = await streamWith({ kind, bytes: 8 * mebibyte }, limits)
      expect(large.reason).toBe('too_large')
      expect(large.blocks).toEqual(all.slice(0, 2))
      expect((await failureOf(large.node.fetch(2n))).details.reason).toBe('too_large')
    }
  })

  it('can refuse', async () => {
    expect(await streamWith({ kind: 'status', code: 3 })).toMatchObject({ reason: 'refused', blocks: all.slice(0, 2) })
    const failing = await streamWith({ kind: 'fail', code: 9, text: 'no' })
    expect(failing).toMatchObject({ reason: 'refused', blocks: all.slice(0, 2) })
    const error = await failureOf(failing.node.fetch(2n))
    expect(error.message).toContain('refuses the call (9: no)')
  })

  it('has the same faults where single blocks are asked for', async () => {
    const faults = new BlockFaults()
    const served = await serve({ store, faults })
    const node = await open(served.port, { blockTimeoutMs: 1_000 })
    const fetchWith = async (fault: BlockFault) => {
      faults.always(fault)
      const block = await node.fetch(2n)
      return block && bytesOf(block)
    }
    expect(await fetchWith({ kind: 'lie' })).not.toEqual(store.get(2n))
    expect(await fetchWith({ kind: 'other_chain', store: other })).toEqual(other.get(2n))
    expect(await fetchWith({ kind: 'skip_block' })).toBeUndefined()
    expect(await fetchWith({ kind: 'status', code: 5 })).toBeUndefined()
    expect((await failureOf(fetchWith({ kind: 'stall' }))).details.reason).toBe('timeout')
    expect((await failureOf(fetchWith({ kind: 'cut' }))).details.reason).toBe('unreachable')
    faults.always(undefined)
    expect((await node.fetch(2n))?.number).toBe(2n)
  })

  it('can be slow to tell its status', async () => {
    const faults = new BlockFaults()
    faults.statusDelayMs = 300
    const node = await open((await serve({ store, faults })).port, { statusTimeoutMs: 100 })
    expect((await failureOf(node.status())).details.reason).toBe('timeout')
    faults.statusDelayMs = 0
    expect(await node.status()).toEqual([{ first: 0n, last: 5n }])
  })

  it('refuses what makes no sense, and is asked for a block that is to come', async () => {
    const growing = new SampleStore().fill(3n, 4n)
    const node = await open((await serve({ store: growing })).port)
    const ask = (from: bigint, through?: bigint) => node.subscribe({ from, through })[Symbol.asyncIterator]().next()
    expect((await failureOf(ask(2n))).message).toContain('6 (not available)')
    expect((await failureOf(ask(6n))).message).toContain('4 (invalid start)')
    expect((await failureOf(ask(2n ** 64n - 1n))).message).toContain('4 (invalid start)')
    const next = ask(5n)
    growing.fill(5n, 5n)
    expect((await next).value?.number).toBe(5n)
  })
})

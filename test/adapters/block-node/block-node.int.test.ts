import { describe, expect, it } from 'vitest'
import { collect, failureOf, useBlockNodes } from '#test/adapters/block-node/support.ts'
import { SampleStore } from '#test/support/sample-blocks.ts'

const { serve, open } = useBlockNodes()

describe('a block node over gRPC', () => {
  it('tells which blocks it has, also where it does not know the newer question', async () => {
    const store = new SampleStore().fill(5n, 9n)
    for (const statusDetail of [true, false]) {
      const served = await serve({ store, statusDetail })
      const node = await open(served.port)
      expect(node.name).toBe(`127.0.0.1:${served.port}`)
      expect(await node.status()).toEqual([{ first: 5n, last: 9n }])
      expect(await node.status()).toEqual([{ first: 5n, last: 9n }])
      expect(served.counts()).toMatchObject({ statusCalls: 2, openConnections: 1 })
    }
    const empty = await open((await serve({ store: new SampleStore() })).port)
    expect(await empty.status()).toEqual([])
  })

  it('streams blocks to the last one wanted, byte for byte', async () => {
    const store = new SampleStore({ transactions: 20, transactionBytes: 1_000 }).fill(0n, 20n)
    const node = await open((await serve({ store, setBytesMax: 3_000 })).port)
    const before = Date.now()
    const blocks = await collect(node.subscribe({ from: 3n, through: 12n }))
    expect(blocks.map(({ number }) => number)).toEqual([3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n])
    for (const block of blocks) {
      expect(Buffer.concat(block.pieces)).toEqual(store.get(block.number))
      expect(block.pieces.length).toBeGreaterThan(5)
      expect(block).toMatchObject({ size: undefined, origin: node.name })
      expect(block.headerAt).toBeGreaterThanOrEqual(before)
      expect(block.completeAt).toBeGreaterThanOrEqual(block.headerAt)
    }
    expect(blocks[0]?.name).toBe('0000000000000000003.blk')
  })

  it('streams on as blocks come, until the loop is left', async () => {
    const store = new SampleStore().fill(0n, 1n)
    const served = await serve({ store })
    const node = await open(served.port)
    const numbers: bigint[] = []
    for await (const { number } of node.subscribe({ from: 0n })) {
      numbers.push(number)
      if (number === 4n) break
      store.fill(number + 2n, number + 2n)
    }
    expect(numbers).toEqual([0n, 1n, 2n, 3n, 4n])
    await expect.poll(() => served.counts().openStreams).toBe(0)
  })

  it('fetches single blocks, and says nothing of one that is not there', async () => {
    const store = new SampleStore().fill(0n, 3n)
    const node = await open((await serve({ store })).port)
    const block = await node.fetch(2n)
    expect(Buffer.concat(block?.pieces ?? [])).toEqual(store.get(2n))
    expect(await node.fetch(4n)).toBeUndefined()
  })

  it('ends with the signal, for its reason', async () => {
    const served = await serve({ store: new SampleStore().fill(0n, 0n) })
    const node = await open(served.port)
    const stop = new AbortController()
    const reason = new Error('enough')
    const blocks = node.subscribe({ from: 0n, signal: stop.signal })[Symbol.asyncIterator]()
    await blocks.next()
    const next = blocks.next()
    stop.abort(reason)
    await expect(next).rejects.toBe(reason)
    await expect.poll(() => served.counts().openStreams).toBe(0)
    await expect(node.status(stop.signal)).rejects.toBe(reason)
  })

  it('is told from a node that refuses, is away or is unknown', async () => {
    const served = await serve({ store: new SampleStore().fill(5n, 6n) })
    const node = await open(served.port)
    const refused = await failureOf(collect(node.subscribe({ from: 9n })))
    expect(refused.message).toBe(
      `Block node ${node.name} ended the stream with 4 (invalid start); another node is asked; if all refuse, look at what is asked of them`,
    )
    expect(refused.details).toEqual({ node: node.name, reason: 'refused' })
    await served.close()
    const away = await failureOf(collect((await open(served.port)).subscribe({ from: 5n })))
    expect(away.details).toEqual({ node: node.name, reason: 'unreachable' })
    expect(away.message).toContain('ECONNREFUSED')
  })
})

import { describe, expect, it } from 'vitest'
import type { SourceBlock } from '#src/ports/block-node.ts'
import { FakeWorld, textOf, turns } from '#test/importer/block-nodes/fake-nodes.ts'

/** A network that makes a block every two seconds from now on. */
function liveWorld(): FakeWorld {
  const world = new FakeWorld()
  world.firstBlockAt = world.time.now() + 1_000
  world.blockMs = 2_000
  return world
}

/** Takes blocks as they come, holding each; what was taken grows while time passes. */
function follow(world: FakeWorld, from = 0n) {
  const taken: SourceBlock[] = []
  const stop = new AbortController()
  const running = (async () => {
    for await (const block of world.source.blocks({ from, signal: stop.signal })) {
      world.source.accepted(block)
      taken.push(block)
    }
  })().catch((error: unknown) => error)
  const end = async () => {
    stop.abort(new Error('the test is over'))
    expect(await running).toEqual(new Error('the test is over'))
    for (const node of world.nodes.values()) expect(node.openStreams).toBe(0)
  }
  return { taken, end }
}

function latencyOf(world: FakeWorld, name: string) {
  return world.source.states().find((state) => state.name === name)?.latencyMs
}

function expectNoGap(taken: readonly SourceBlock[]): void {
  expect(taken.map(({ number }) => number)).toEqual(taken.map((_, at) => BigInt(at)))
}

describe('the latency of a block node', () => {
  it('is a moving average of how long after their time blocks arrive', async () => {
    const world = liveWorld()
    const [a] = world.use('a')
    a!.latencyMs = 200
    const { taken, end } = follow(world)
    // The first block of a stream may have been there before.
    await world.time.pass(2_000)
    expect(latencyOf(world, 'a:1')).toBeUndefined()
    await world.time.pass(2_000)
    expect(latencyOf(world, 'a:1')).toBeCloseTo(200)
    a!.latencyMs = 400
    await world.time.pass(2_000)
    expect(taken).toHaveLength(3)
    // The third one was under way as it was before.
    await world.time.pass(2_000)
    expect(latencyOf(world, 'a:1')).toBeCloseTo(0.3 * 400 + 0.7 * 200)
    await world.time.pass(2_000)
    expect(latencyOf(world, 'a:1')).toBeCloseTo(0.3 * 400 + 0.7 * 260)
    await end()
  })

  it('is not measured while the consumer is slow, or far behind, and is forgotten with time', async () => {
    const world = liveWorld()
    world.use('a')
    const blocks = world.source.blocks({ from: 0n })
    for (const [number, slowMs, latencyMs] of [
      [0n, 0, undefined],
      [1n, 1_500, undefined],
      [2n, 900, 100],
      [3n, 2_500, 100],
    ] as const) {
      await world.time.pass(slowMs)
      const next = blocks.next()
      await world.time.pass(Math.max(0, world.timeOf(number) + 100 - world.time.now()))
      await next
      expect(latencyOf(world, 'a:1')).toBe(latencyMs)
    }
    await world.time.pass(120_000)
    expect(latencyOf(world, 'a:1')).toBeUndefined()
    for (let count = 0; count < 20; count++) await blocks.next()
    expect(latencyOf(world, 'a:1')).toBeUndefined()
    await blocks.return(undefined)
  })

  it('of others is looked at one by one, one block each, the one that waits longest first', async () => {
    const world = liveWorld()
    const [a, b, c, worse] = world.use('a', 'b', 'c', ['worse', 1])
    for (const node of [a, b, c]) node!.latencyMs = 100
    const { taken, end } = follow(world)
    await world.time.pass(31_000)
    // The first one after 7.5 s, when block 4 was to come; then with each next block 7.5 s later.
    expect(b!.asked).toEqual(['stream 4', 'stream 12'])
    expect(c!.asked).toEqual(['stream 8'])
    expect(worse!.asked).toEqual([])
    expect(latencyOf(world, 'b:1')).toBeCloseTo(100)
    expect(a!.asked).toEqual(['status', 'stream 0'])
    expectNoGap(taken)
    await end()
  })

  it('moves the stream to a node that is faster by enough, between two blocks, not too often', async () => {
    const world = liveWorld()
    const [a, b] = world.use('a', 'b')
    a!.latencyMs = 300
    b!.latencyMs = 260
    const { taken, end } = follow(world)
    await world.time.pass(30_000)
    expect(new Set(taken.map(({ origin }) => origin))).toEqual(new Set(['a:1']))
    b!.latencyMs = 30
    await world.time.pass(30_000)
    expect(taken.at(-1)?.origin).toBe('b:1')
    a!.latencyMs = 1
    b!.latencyMs = 500
    await world.time.pass(60_000)
    expect(taken.at(-1)?.origin).toBe('a:1')
    expectNoGap(taken)
    const moves = taken.filter(({ origin }, at) => at > 0 && origin !== taken[at - 1]?.origin)
    expect(moves).toHaveLength(2)
    await end()
  })

  it('does not bring a stream to a node that failed when it was looked at', async () => {
    const world = liveWorld()
    const [a, b] = world.use('a', 'b')
    a!.latencyMs = 400
    b!.latencyMs = 10
    b!.failsAt = { number: 4n, reason: 'protocol' }
    const { taken, end } = follow(world)
    await world.time.pass(12_000)
    expect(b!.asked).toEqual(['stream 4'])
    expect(world.source.states().find(({ name }) => name === 'b:1')?.errors).toEqual({ protocol: 1 })
    expect(new Set(taken.map(({ origin }) => origin))).toEqual(new Set(['a:1']))
    await end()
  })

  it('gives up on a node that does not send its block in time, and forgets how fast it was', async () => {
    const world = liveWorld()
    const [, b] = world.use('a', 'b')
    const { end } = follow(world)
    await world.time.pass(11_000)
    expect(latencyOf(world, 'b:1')).toBeCloseTo(100)
    b!.failsAt = { number: 8n, reason: undefined }
    await world.time.pass(11_000)
    expect(b!.asked).toEqual(['stream 4', 'stream 8'])
    expect(b!.openStreams).toBe(0)
    expect(latencyOf(world, 'b:1')).toBeUndefined()
    await end()
  })

  it('counts less than the priority: a better node that lives again is gone back to', async () => {
    const world = liveWorld()
    const [best, other] = world.use(['best', 0], ['other', 1])
    best!.statusFails = 'unreachable'
    best!.failsAt = { number: 4n, reason: 'unreachable' }
    best!.latencyMs = 500
    other!.latencyMs = 10
    const { taken, end } = follow(world)
    await world.time.pass(15_000)
    expect(taken.at(-1)?.origin).toBe('other:1')
    best!.failsAt = undefined
    await world.time.pass(15_000)
    expect(taken.at(-1)?.origin).toBe('best:1')
    expectNoGap(taken)
    await end()
  })

  it('decides among nodes that are equal where one has to be chosen', async () => {
    const world = liveWorld()
    const [a, b] = world.use('a', 'b')
    a!.latencyMs = 120
    const { taken, end } = follow(world)
    await world.time.pass(11_000)
    await end()
    expect(new Set(taken.map(({ origin }) => origin))).toEqual(new Set(['a:1']))
    expect(world.source.states().map(({ name }) => name)).toEqual(['b:1', 'a:1'])
    const blocks = world.source.blocks({ from: 1n, through: 1n })
    expect(textOf((await blocks.next()).value)).toBe('1 from b:1')
    await turns()
    expect(b!.asked.at(-1)).toBe('stream 1')
    await blocks.return(undefined)
  })
})

import { describe, expect, it } from 'vitest'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import { FakeWorld, known, textOf, turns } from '#test/importer/block-nodes/fake-nodes.ts'

const lie = new LedgerError('proof_invalid', 'the proof does not hold')

/** Takes blocks, accepts those that are not of a liar, and says where they come from. */
async function take(world: FakeWorld, from: bigint | undefined, through: bigint, liars: string[] = []) {
  const taken: string[] = []
  for await (const block of world.source.blocks({ from, through })) {
    if (liars.includes(block.origin)) world.source.refused(block, lie)
    else {
      world.source.accepted(block)
      taken.push(textOf(block))
    }
  }
  return taken
}

async function failureOf(promise: Promise<unknown>): Promise<LedgerError> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (isLedgerError(error, 'source_unavailable')) return error
  throw new Error(`expected a failure, got ${String(error)}`)
}

function stateOf(world: FakeWorld, name: string) {
  const state = world.source.states().find((each) => each.name === name)
  if (!state) throw new Error(`${name} is not known`)
  return state
}

describe('the choice of a block node', () => {
  it('is by priority, then by name, and asks the others only where the best has not the block', async () => {
    const world = new FakeWorld()
    const [d, c, b, a] = world.use(['d', 0], ['c', 2], ['b', 1], ['a', 1])
    for (const node of [d, a]) node!.ranges = []
    b!.ranges = [
      { first: 0n, last: 3n },
      { first: 7n, last: 9n },
    ]
    expect(await take(world, 2n, 3n)).toEqual(['2 from b:1', '3 from b:1'])
    expect([d!.asked, a!.asked, b!.asked, c!.asked]).toEqual([['status'], ['status'], ['status', 'stream 2'], []])
    expect(await take(world, 5n, 5n)).toEqual(['5 from c:1'])
    expect(await take(world, 8n, 8n)).toEqual(['8 from b:1'])
  })

  it('asks those that are equal at once, and waits for none that is not needed', async () => {
    const world = new FakeWorld()
    const [a, b, c] = world.use('a', 'b', 'c')
    a!.ranges = []
    const asked: string[] = []
    for (const node of [b, c]) {
      node!.status = () => {
        asked.push(node!.name)
        return node === b ? Promise.resolve([{ first: 0n, last: 9n }]) : new Promise(() => {})
      }
    }
    expect(await take(world, 0n, 0n)).toEqual(['0 from b:1'])
    expect(asked).toEqual(['b:1', 'c:1'])
  })

  it('begins with the earliest block of the chosen node where nobody says with which', async () => {
    const world = new FakeWorld()
    const [a, b] = world.use('a', 'b')
    a!.ranges = []
    b!.ranges = [
      { first: 40n, last: 41n },
      { first: 50n, last: 99n },
    ]
    expect(await take(world, undefined, 41n)).toEqual(['40 from b:1', '41 from b:1'])
  })

  it('passes over a node for this time that does not tell its status', async () => {
    const world = new FakeWorld()
    const [a] = world.use('a', 'b')
    a!.statusFails = 'timeout'
    expect(await take(world, 0n, 0n)).toEqual(['0 from b:1'])
    expect(stateOf(world, 'a:1')).toMatchObject({ errors: { timeout: 1 }, setAsideUntil: undefined })
    a!.statusFails = undefined
    expect(await take(world, 0n, 0n)).toEqual(['0 from a:1'])
  })

  it('says who has what where nobody has the block', async () => {
    const world = new FakeWorld()
    expect((await failureOf(take(world, 7n, 7n))).message).toBe(
      'No block node is known to ask for block 7; configure one, or wait until one is registered',
    )
    const [a, b, c] = world.use('a', 'b', 'c')
    a!.ranges = [{ first: 0n, last: 6n }]
    b!.ranges = []
    c!.statusFails = 'unreachable'
    const behind = await failureOf(take(world, 7n, 7n))
    expect(behind.message).toBe(
      'No block node gives block 7: a:1 has 0 to 6; b:1 has none; c:1 fails (unreachable). It is asked for again; "import nodes" shows them all',
    )
    expect(behind.details).toEqual({ wanted: 7n, nodes: 3, behind: true })
    for (const node of [a, b]) node!.statusFails = 'timeout'
    expect((await failureOf(take(world, 7n, 7n))).details).toMatchObject({ behind: false })
  })
})

describe('a node that fails', () => {
  it('is left for another one, which goes on where it ended', async () => {
    const world = new FakeWorld()
    const [a, b] = world.use('a', 'b')
    a!.failsAt = { number: 3n, reason: 'cut' }
    expect(await take(world, 1n, 5n)).toEqual(['1 from a:1', '2 from a:1', '3 from b:1', '4 from b:1', '5 from b:1'])
    expect(a!.openStreams + b!.openStreams).toBe(0)
    expect(stateOf(world, 'a:1')).toMatchObject({ errors: { cut: 1 }, lastBlock: 2n, streaming: false })
    expect(stateOf(world, 'a:1').lastError).toEqual({
      message: 'Block node a:1 does not give block 3; another node is asked',
      at: world.time.now(),
    })
  })

  it('is asked for the rest again where nobody else has it', async () => {
    const world = new FakeWorld()
    const [a, b] = world.use('a', 'b')
    b!.ranges = []
    a!.failsAt = { number: 3n, reason: 'cut' }
    const blocks = world.source.blocks({ from: 2n, through: 4n })
    await blocks.next()
    const next = blocks.next()
    a!.failsAt = undefined
    expect(textOf((await next).value)).toBe('3 from a:1')
    expect(textOf((await blocks.next()).value)).toBe('4 from a:1')
  })

  it('is asked once for a block, and again when somebody wants it again', async () => {
    const world = new FakeWorld()
    const [a] = world.use('a')
    a!.failsAt = { number: 0n, reason: 'protocol' }
    const error = await failureOf(take(world, 0n, 5n))
    expect(error.message).toContain('No block node gives block 0: a:1 fails (protocol).')
    expect(a!.asked).toEqual(['status', 'stream 0'])
    a!.failsAt = undefined
    expect(await take(world, 0n, 0n)).toEqual(['0 from a:1'])
  })

  it('is set aside after three times in a row, and readmitted after a while', async () => {
    const world = new FakeWorld()
    const [a] = world.use('a', 'b')
    for (let number = 0n; number < 3n; number++) {
      a!.failsAt = { number, reason: 'refused' }
      expect(await take(world, number, number)).toEqual([`${number} from b:1`])
    }
    expect(stateOf(world, 'a:1').setAsideUntil).toBe(world.time.now() + 60_000)
    expect(world.source.states().map(({ name }) => name)).toEqual(['b:1', 'a:1'])
    a!.failsAt = undefined
    await world.time.pass(59_999)
    expect(await take(world, 3n, 3n)).toEqual(['3 from b:1'])
    await world.time.pass(1)
    expect(await take(world, 4n, 4n)).toEqual(['4 from a:1'])
  })

  it('is asked before its time where nobody else has the block', async () => {
    const world = new FakeWorld()
    const [a, b] = world.use('a', 'b')
    for (let number = 0n; number < 3n; number++) {
      a!.failsAt = { number, reason: 'refused' }
      await take(world, number, number)
    }
    b!.ranges = []
    a!.failsAt = undefined
    expect(await take(world, 0n, 0n)).toEqual(['0 from a:1'])
    // It is as good as any again, as a block of it holds.
    expect(stateOf(world, 'a:1').setAsideUntil).toBeUndefined()
  })

  it('begins anew to be counted when a block of it holds', async () => {
    const world = new FakeWorld()
    const [a] = world.use('a', 'b')
    for (const number of [0n, 1n, 2n, 3n, 4n]) {
      a!.failsAt = number === 2n ? undefined : { number, reason: 'refused' }
      await take(world, number, number)
    }
    expect(stateOf(world, 'a:1')).toMatchObject({ setAsideUntil: undefined, errors: { refused: 4 } })
  })

  it('has failed, too, when it ends a stream without the block that it claims to have', async () => {
    const world = new FakeWorld()
    const [a] = world.use('a')
    a!.doneAt = 5n
    expect((await failureOf(take(world, 3n, 9n))).message).toContain('a:1 fails (refused)')
    expect(a!.asked).toEqual(['status', 'stream 3', 'status', 'stream 5'])
  })
})

describe('a block that does not hold', () => {
  it('comes again from another node, and counts against its own', async () => {
    const world = new FakeWorld()
    world.use('a', 'b')
    const taken: string[] = []
    for await (const block of world.source.blocks({ from: 0n, through: 3n })) {
      taken.push(textOf(block))
      if (textOf(block) === '1 from a:1') world.source.refused(block, lie)
      else world.source.accepted(block)
    }
    expect(taken).toEqual(['0 from a:1', '1 from a:1', '1 from b:1', '2 from b:1', '3 from b:1'])
    expect(stateOf(world, 'a:1').errors).toEqual({ rejected: 1 })
  })

  it('may be known only when later ones are there: they come again, too', async () => {
    const world = new FakeWorld()
    world.use('a', 'b')
    const taken: SourceBlock[] = []
    for await (const block of world.source.blocks({ from: 0n, through: 4n })) {
      taken.push(block)
      if (textOf(block) === '3 from a:1') world.source.refused(taken[1] as SourceBlock, lie)
    }
    expect(taken.map(textOf).slice(4)).toEqual(['1 from b:1', '2 from b:1', '3 from b:1', '4 from b:1'])
  })

  it('may be known while the next one is waited for', async () => {
    const world = new FakeWorld()
    const [a] = world.use('a', 'b')
    a!.failsAt = { number: 2n, reason: undefined }
    const blocks = world.source.blocks({ from: 0n, through: 3n })
    const first = (await blocks.next()).value as SourceBlock
    await blocks.next()
    const next = blocks.next()
    await turns()
    world.source.refused(first, lie)
    expect(textOf((await next).value)).toBe('0 from b:1')
    expect(textOf((await blocks.next()).value)).toBe('1 from b:1')
    await blocks.return(undefined)
    expect(a!.openStreams).toBe(0)
  })

  it('makes others be asked for it first, also at the next attempt, and its own node where nobody else has it', async () => {
    const world = new FakeWorld()
    const [, b] = world.use('a', 'b')
    b!.ranges = []
    expect((await failureOf(take(world, 5n, 6n, ['a:1']))).message).toContain('a:1 fails (proof_invalid); b:1 has none')
    expect(await take(world, 5n, 5n)).toEqual(['5 from a:1'])
    expect((await failureOf(take(world, 5n, 6n, ['a:1']))).details).toMatchObject({ wanted: 5n })
    b!.ranges = [{ first: 0n, last: 9n }]
    expect(await take(world, 5n, 5n)).toEqual(['5 from b:1'])
    expect(await take(world, 6n, 6n)).toEqual(['6 from a:1'])
  })

  it('is worth asking again while somebody is left who has not given it like that, and no one comes round again', async () => {
    const world = new FakeWorld()
    const [, b, c] = world.use('a', 'b', 'c')
    c!.statusFails = 'timeout'
    const refuseOne = async () => {
      for await (const block of world.source.blocks({ from: 5n })) return world.source.refused(block, lie)
      throw new Error('there is no block')
    }
    expect([await refuseOne(), await refuseOne()]).toEqual([true, true])
    expect(b!.asked).toContain('stream 5')
    expect(await refuseOne()).toBe(false)
    c!.statusFails = undefined
    expect(await refuseOne()).toBe(false)
    expect(c!.asked).toContain('stream 5')
  })

  it('does not go round among nodes that all lie', async () => {
    const world = new FakeWorld()
    const nodes = world.use('a', 'b', 'c')
    await failureOf(take(world, 0n, 9n, ['a:1', 'b:1', 'c:1']))
    for (const node of nodes) expect(node.asked.filter((asked) => asked === 'stream 0')).toHaveLength(1)
  })
})

describe('the nodes that are known', () => {
  it('are told apart by where they stream; a registered one takes the place of a configured one', () => {
    const world = new FakeWorld()
    const registered = { origin: 'discovered', registeredNodeId: 7n } as const
    world.source.use([known('a', 3), known('A', 0, registered), known('a', 1), known('b', 2)])
    const states = world.source.states().map(({ name, priority, origin, registeredNodeId }) => {
      return { name, priority, origin, registeredNodeId }
    })
    expect(states).toEqual([
      { name: 'A:1', priority: 0, ...registered },
      { name: 'b:1', priority: 2, origin: 'configured', registeredNodeId: undefined },
    ])
  })

  it('may change while one of them streams: what is gone is closed, what stays is kept', async () => {
    const world = new FakeWorld()
    const [a, b] = world.use('a', 'b')
    a!.failsAt = { number: 1n, reason: undefined }
    const blocks = world.source.blocks({ from: 0n, through: 2n })
    expect(textOf((await blocks.next()).value)).toBe('0 from a:1')
    const next = blocks.next()
    await turns()
    expect(stateOf(world, 'a:1').streaming).toBe(true)
    world.source.use([known('b', 4), known('c', 5)])
    expect(textOf((await next).value)).toBe('1 from b:1')
    expect([a!.closed, b!.closed, a!.openStreams]).toEqual([true, false, 0])
    expect(stateOf(world, 'b:1')).toMatchObject({ priority: 4, streaming: true })
    expect(world.nodes.get('b:1')).toBe(b)
    await blocks.return(undefined)
    await world.source.close()
    expect(b!.closed).toBe(true)
    expect(world.source.states()).toEqual([])
  })

  it('are asked one after the other for a single block', async () => {
    const world = new FakeWorld()
    expect((await failureOf(world.source.fetch(5n))).message).toContain('No block node is known to ask for block 5')
    const [a, b, c] = world.use('a', 'b', 'c')
    a!.failsAt = { number: 5n, reason: 'timeout' }
    b!.ranges = []
    const block = await world.source.fetch(5n)
    expect(block?.origin).toBe('c:1')
    expect(c!.asked).toEqual(['fetch 5'])
    expect(stateOf(world, 'a:1').errors).toEqual({ timeout: 1 })
    world.source.refused(block as SourceBlock, lie)
    expect(stateOf(world, 'c:1').errors).toEqual({ rejected: 1 })
    c!.ranges = []
    expect((await failureOf(world.source.fetch(5n))).details).toMatchObject({ node: 'a:1' })
    a!.failsAt = undefined
    a!.ranges = []
    expect(await world.source.fetch(5n)).toBeUndefined()
  })

  it('are left when the signal says so, for its reason', async () => {
    const world = new FakeWorld()
    const [a] = world.use('a')
    a!.failsAt = { number: 1n, reason: undefined }
    const stop = new AbortController()
    const blocks = world.source.blocks({ from: 0n, signal: stop.signal })
    await blocks.next()
    const next = blocks.next()
    await turns()
    stop.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    expect(a!.openStreams).toBe(0)
    expect(stateOf(world, 'a:1').errors).toEqual({})
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '#src/ports/read-store.ts'
import { Instant } from '#src/runtime/serve/instant.ts'
import { InstantWatch } from '#src/runtime/serve/instant-watch.ts'
import { ServingModels } from '#src/runtime/serve/model-set.ts'
import { ServedModel } from '#src/runtime/serve/served-model.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

/** Of two events each; block n ends at time 10n. */
const endOf = (block: number) => ({ position: 2 * block, time: BigInt(10 * block) })
const within = (block: number): Checkpoint => ({
  position: 2 * block + 1,
  time: BigInt(10 * block + 5),
  whole: endOf(block),
})

/** Read models of a process, and where each stands. */
function process(names: readonly string[]) {
  const stands = new Map<string, Checkpoint | Error>(names.map((name) => [name, within(1)]))
  const paused = new Set<string>()
  const clock = { ms: 0, generation: 1 }
  const instant = new Instant()
  const models = names.map((name) => {
    const checkpoint = async () => {
      asked.set(name, (asked.get(name) ?? 0) + 1)
      const stand = stands.get(name)!
      if (stand instanceof Error) throw stand
      return stand
    }
    const reader = { ...rowReaderFake({}, within(0)), checkpoint }
    return new ServedModel({ name, id: '1', version: 1, build: 1, generation: 1, reader, filling: name === 'new' })
  })
  let looked = 0
  const asked = new Map<string, number>()
  const watch = new InstantWatch({
    instant,
    serving: () => {
      looked += 1
      return { generation: clock.generation, models }
    },
    isStopped: ({ name }) => paused.has(name),
    now: () => clock.ms,
  })
  const serving = new ServingModels(new Map(models.map((model) => [model.name, model])), instant)
  const stateOf = async (...asked: readonly string[]) => {
    const set = serving.choose([Object.fromEntries(asked.map((name) => [name, { version: 1 }]))])!
    const state = await set.state()
    await new Promise(setImmediate)
    return state
  }
  return {
    stands,
    paused,
    clock,
    models,
    instant,
    /** How often each was asked where it stands. */
    asked,
    /** How often it looks within so many milliseconds of the wall clock. */
    async looks(ms: number) {
      const before = looked
      await sleep(ms)
      return looked - before
    },
    follow() {
      const stopped = new AbortController()
      const followed = watch.follow(stopped.signal)
      return () => {
        stopped.abort()
        return followed
      }
    },
    async newest(afterMs = 10) {
      clock.ms += afterMs
      await watch.look()
      return instant.newest?.time
    },
    async boundOf(...asked: readonly string[]) {
      return (await stateOf(...asked)).bound
    },
    stateOf,
  }
}

describe('what all answers of a process are as of', () => {
  it('is the newest block that all read models have whole, whichever of them are asked', async () => {
    const { stands, newest, boundOf } = process(['a', 'b', 'c'])
    stands.set('a', within(4)).set('b', within(3))
    expect(await newest()).toBe(10n)
    expect([await boundOf('a'), await boundOf('a', 'b'), await boundOf('c')]).toEqual(Array(3).fill(endOf(1)))
    stands.set('c', within(5))
    expect(await newest()).toBe(30n)
    expect([await boundOf('a'), await boundOf('a', 'b'), await boundOf('c')]).toEqual(Array(3).fill(endOf(3)))
  })

  it('waits 2 s for one that stays behind, then leaves it out until it is back, and never goes back', async () => {
    const { stands, newest, boundOf } = process(['a', 'b', 'c'])
    expect(await newest()).toBe(10n)
    for (let block = 2; block <= 20; block++) {
      stands.set('a', within(block)).set('b', within(block))
      expect(await newest(100)).toBe(10n)
    }
    expect(await newest(300)).toBe(200n)
    expect([await boundOf('a'), await boundOf('c'), await boundOf('a', 'c')]).toEqual([endOf(20), endOf(1), endOf(1)])
    stands.set('c', within(19))
    expect(await newest()).toBe(200n)
    expect(await boundOf('c')).toEqual(endOf(19))
    stands.set('c', within(21)).set('a', within(22)).set('b', within(22))
    expect(await newest()).toBe(210n)
    expect([await boundOf('a'), await boundOf('c')]).toEqual([endOf(21), endOf(21)])
  })

  it('leaves out at once what is paused, fills for the first time or cannot be asked', async () => {
    const { stands, paused, newest } = process(['a', 'b', 'c', 'new'])
    stands.set('a', within(4)).set('b', within(3)).set('new', within(0))
    stands.set('c', new Error('away'))
    expect(await newest()).toBe(30n)
    stands.set('c', within(3)).set('a', within(6))
    paused.add('b')
    expect(await newest()).toBe(30n)
    stands.set('c', within(5))
    expect(await newest()).toBe(50n)
  })

  it('takes the place of a block in the log that serves now, since those of another log say nothing', async () => {
    const { stands, clock, newest, boundOf } = process(['a'])
    stands.set('a', within(4))
    expect(await newest()).toBe(40n)
    clock.generation = 2
    stands.set('a', within(5))
    // The read model is of generation 1 still: it answers as of its own time.
    expect(await newest()).toBe(40n)
    expect(await boundOf('a')).toEqual(endOf(4))
  })

  it('bounds no read model of another log, where the same position is another event', async () => {
    const { stands, instant, boundOf } = process(['a', 'b'])
    stands.set('a', within(6)).set('b', within(5))
    // Of generation 2, which has more events in a block: all positions are further, and the time is earlier.
    instant.advance({ generation: 2, position: 1, time: 40n })
    expect([await boundOf('a'), await boundOf('a', 'b')]).toEqual([endOf(6), endOf(5)])
    instant.advance({ generation: 1, position: 1_000, time: 40n })
    // As new in the log that serves now: its position counts with its time.
    expect(instant.newest).toEqual({ generation: 1, position: 1_000, time: 40n })
    expect(await boundOf('a')).toEqual({ position: 1_000, time: 40n })
  })

  it('says whether the end of a block is known, for what may be kept for long', async () => {
    const { stands, stateOf } = process(['a', 'b'])
    expect((await stateOf('a', 'b')).isWhole).toBe(true)
    stands.set('b', { position: 3, time: 15n })
    expect([(await stateOf('a')).isWhole, (await stateOf('a', 'b')).isWhole]).toEqual([true, false])
  })

  it('is looked at where the one stands that all others wait for, until that has moved', async () => {
    const { stands, asked, follow, instant, clock } = process(['a', 'b', 'c'])
    stands.set('a', within(3)).set('c', within(4))
    const stop = follow()
    const until = async (condition: () => boolean) => {
      while (!condition()) await sleep(1)
    }
    await until(() => (asked.get('b') ?? 0) >= 10)
    // All were looked at once, since the clock stands still.
    expect([asked.get('a'), asked.get('c')]).toEqual([1, 1])
    stands.set('b', within(5))
    await until(() => instant.newest?.time === 30n)
    stands.set('a', within(5))
    await until(() => instant.newest?.time === 40n)
    // What stands still is looked past after a while, since it may be late.
    const before = asked.get('a')!
    clock.ms = 150
    await until(() => asked.get('a')! > before)
    await stop()
  })

  it('is looked at ten times a second while nobody asks, and two hundred times from the first request on', async () => {
    const { looks, follow, boundOf, clock } = process(['a'])
    const stop = follow()
    // Its first second counts as asked, since a process begins for somebody who asks.
    await sleep(5)
    clock.ms = 2_000
    await sleep(30)
    const idle = await looks(500)
    await boundOf('a')
    const busy = await looks(500)
    await stop()
    expect(idle).toBeLessThanOrEqual(6)
    expect(busy).toBeGreaterThan(2 * idle)
  })

  it('is for each set of read models by itself where it is not known, and where they know of no blocks', async () => {
    const { stands, boundOf } = process(['a', 'b'])
    stands.set('a', within(4)).set('b', within(3))
    expect([await boundOf('a'), await boundOf('a', 'b')]).toEqual([endOf(4), endOf(3)])
    stands.set('b', { position: 3, time: 15n })
    expect(await boundOf('a', 'b')).toEqual({ position: 3, time: 15n })
  })

  it('is the same for all who share its memory, and only grows', () => {
    const cells = Instant.cells()
    const [one, other] = [new Instant(cells), new Instant(cells)]
    expect(other.newest).toBeUndefined()
    one.advance({ generation: 1, ...endOf(3) })
    other.advance({ generation: 1, ...endOf(2) })
    expect([one.newest, other.newest]).toEqual(Array(2).fill({ generation: 1, ...endOf(3) }))
    other.advance({ generation: 2, position: 5, time: 30n })
    expect(one.newest).toEqual({ generation: 2, position: 5, time: 30n })
  })
})

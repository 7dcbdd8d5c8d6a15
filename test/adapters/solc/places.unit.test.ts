import { describe, expect, it } from 'vitest'
import { createPlaces } from '#src/adapters/solc/places.ts'

const signal = new AbortController().signal

describe('places of compilers', () => {
  it('are taken in the order of coming, by no more than there are', async () => {
    const places = createPlaces({ atOnce: 1, waiting: 2 })
    const order: string[] = []
    const leave = await places.enter(signal)
    const come = (name: string) =>
      places.enter(signal).then((leaveAgain) => {
        order.push(name)
        leaveAgain()
      })
    const all = [come('first'), come('second')]
    await expect(places.enter(signal)).rejects.toMatchObject({ code: 'overloaded' })
    expect([order, places.waiting]).toEqual([[], 2])
    leave()
    await Promise.all(all)
    expect(order).toEqual(['first', 'second'])
    ;(await places.enter(signal))()
  })

  it('are given up by those who stop waiting', async () => {
    const places = createPlaces({ atOnce: 1, waiting: 1 })
    const leave = await places.enter(signal)
    const stop = new AbortController()
    const waiting = places.enter(stop.signal)
    stop.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(places.waiting).toBe(0)
    leave()
    await expect(places.enter(stop.signal)).rejects.toThrow('gone')
    await places.enter(signal)
  })
})

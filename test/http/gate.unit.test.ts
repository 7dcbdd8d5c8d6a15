import { expect, it } from 'vitest'
import { Gate } from '#src/http/gate.ts'

const never = new AbortController().signal

it('lets so many in at once, and the next in the order in which they came', async () => {
  const gate = new Gate({ atOnceMax: 1, waitingMax: 2 })
  const leave = await gate.enter(never)
  const order: string[] = []
  const first = gate.enter(never).then((next) => [order.push('first'), next] as const)
  const second = gate.enter(never).then((next) => [order.push('second'), next] as const)
  expect([gate.atOnce, gate.waiting, order]).toEqual([1, 2, []])
  leave()
  leave()
  const [, leaveFirst] = await first
  expect([gate.atOnce, gate.waiting, order]).toEqual([1, 1, ['first']])
  leaveFirst()
  const [, leaveSecond] = await second
  leaveSecond()
  expect([gate.atOnce, gate.waiting, order]).toEqual([0, 0, ['first', 'second']])
})

it('refuses whom it has no place for, and says when to ask again', async () => {
  const gate = new Gate({ atOnceMax: 1, waitingMax: 0 })
  await gate.enter(never)
  await expect(gate.enter(never)).rejects.toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 5 } })
  expect(gate.refused).toBe(1)
})

it('gives the place of one that stopped waiting to the next', async () => {
  const gate = new Gate({ atOnceMax: 1, waitingMax: 2 })
  const leave = await gate.enter(never)
  const gone = new AbortController()
  const left = gate.enter(gone.signal)
  const stays = gate.enter(never)
  gone.abort()
  await expect(left).rejects.toMatchObject({ code: 'unavailable' })
  await expect(gate.enter(gone.signal)).rejects.toMatchObject({ code: 'unavailable' })
  leave()
  ;(await stays)()
  expect([gate.atOnce, gate.waiting]).toEqual([0, 0])
})

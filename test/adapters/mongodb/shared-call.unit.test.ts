import { expect, it } from 'vitest'
import { createSharedCall } from '#src/adapters/mongodb/shared-call.ts'

function createCounted() {
  const finish: ((value: number) => void)[] = []
  const fail: ((error: Error) => void)[] = []
  const call = createSharedCall(
    () =>
      new Promise<number>((resolve, reject) => {
        finish.push(resolve)
        fail.push(reject)
      }),
  )
  return { call, finish, fail }
}

it('lets those who call during a run share the next one, which began after their call', async () => {
  const { call, finish } = createCounted()
  const first = call()
  const later = [call(), call(), call()]
  expect(finish).toHaveLength(1)
  finish[0]?.(1)
  expect(await first).toBe(1)
  await Promise.resolve()
  expect(finish).toHaveLength(2)
  finish[1]?.(2)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
})

it('asks anew when nothing runs, also after a failure, which those who wait for the next run share', async () => {
  const { call, finish, fail } = createCounted()
  const failing = [call(), call(), call()]
  fail[0]?.(new Error('away'))
  for (const each of failing) await expect(each).rejects.toThrow('away')
  expect(finish).toHaveLength(1)
  const last = call()
  finish[1]?.(8)
  expect(await last).toBe(8)
})

import { expect, it } from 'vitest'
import { appended } from '#src/domain/appended-bytes.ts'

it('keeps what was given, and goes on in the same memory while there is room', () => {
  const first = appended(Uint8Array.of(1, 2), 6, 2)
  first.set([3, 4], 2)
  const second = appended(first, 6, 2)
  second.set([5, 6], 4)
  expect([...first]).toEqual([1, 2, 3, 4])
  expect([...second]).toEqual([1, 2, 3, 4, 5, 6])
  expect(second.buffer).toBe(first.buffer)
})

it('never writes behind bytes that it did not make', () => {
  const memory = Uint8Array.of(1, 2, 3, 4)
  const grown = appended(memory.subarray(0, 2), 8, 2)
  grown.set([9, 9], 2)
  expect([...memory]).toEqual([1, 2, 3, 4])
})

it('gives up what was appended where the same bytes are given again', () => {
  const base = appended(Uint8Array.of(1), 4, 1)
  base[1] = 2
  appended(base, 4, 1)[2] = 7
  const again = appended(base, 4, 1)
  again[2] = 3
  expect([...again]).toEqual([1, 2, 3])
})

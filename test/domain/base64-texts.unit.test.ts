import { expect, test } from 'vitest'
import { base64Texts } from '#src/domain/base64-texts.ts'

test('base64 of several values is what each has by itself, whatever its length, and none of null', () => {
  const values = [0, 1, 2, 3, 4, 5, 48, 1_000, 1_001, 0].map((length) =>
    Uint8Array.from({ length }, (_, at) => at + 250),
  )
  const texts = base64Texts([null, ...values, null])
  expect(texts).toEqual(['', ...values.map((value) => Buffer.from(value).toString('base64')), ''])
})

test('base64 of more bytes than are converted at once is the same', () => {
  const values = Array.from({ length: 70 }, (_, index) => new Uint8Array(1_999).fill(index))
  expect(base64Texts([null, ...values])).toEqual(['', ...values.map((value) => Buffer.from(value).toString('base64'))])
})

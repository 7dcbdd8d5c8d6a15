import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  bloomDigits,
  isOfToken,
  packDigits,
  packRecordedBloom,
  packSyntheticBloom,
  type Topics,
  unpackDigits,
} from '#projections/contract-logs/packing/digits.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { longZeroDigits } from '#src/domain/evm-address.ts'
import { trimmedDigits } from '#src/domain/evm-words.ts'
import { bloomOf } from '#src/domain/log-bloom.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
const digits = (maxLength: number) => bytes(maxLength).map((each) => hexOf(each))
const topic = fc.option(digits(32).map(trimmedDigits))
const topics: fc.Arbitrary<Topics> = fc.tuple(topic, topic, topic, topic)
const addressBytes = fc.uint8Array({ minLength: 20, maxLength: 20 })

it('gives back what was packed, and tells the empty from the absent', () => {
  const bloom = bytes(256).map((each) => packRecordedBloom(Buffer.from(each)))
  fc.assert(
    fc.property(fc.record({ bloom, transactionHash: fc.option(digits(48)), topics, data: digits(200) }), (log) => {
      expect(unpackDigits(packDigits(log))).toEqual(log)
    }),
  )
})

it('shows a filter as it was recorded', () => {
  fc.assert(
    fc.property(bytes(300), (bloom) => {
      expect(bloomDigits(packRecordedBloom(Buffer.from(bloom)), '')).toBe(hexOf(bloom))
    }),
  )
})

it('makes the filter of a log that was recorded without one, with the address that is known when it is shown', () => {
  fc.assert(
    fc.property(addressBytes, topics, fc.bigInt({ min: 1n, max: 2n ** 38n - 1n }), (address, own, token) => {
      const words = own.map((each) => (each === null ? null : Buffer.from(each, 'hex')))
      expect(bloomDigits(packSyntheticBloom(own), hexOf(address))).toBe(hexOf(bloomOf(address, words)))
      const ofToken = Buffer.from(longZeroDigits(token), 'hex')
      expect(bloomDigits(packSyntheticBloom(own, token), '')).toBe(hexOf(bloomOf(ofToken, words)))
    }),
  )
})

it('knows the log of a token, whose address is its number', () => {
  const none: Topics = [null, null, null, null]
  const isToken = (bloom: string) => isOfToken(packDigits({ bloom, transactionHash: null, topics: none, data: '' }))
  expect([packSyntheticBloom(none, 5n), packSyntheticBloom(none)].map(isToken)).toEqual([true, false])
})

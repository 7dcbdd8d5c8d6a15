import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hexOf } from '#src/domain/bytes.ts'
import { numberDigits, paddedWord, trimmedDigits } from '#src/domain/evm-words.ts'
import { wordDigitsOf } from '#src/domain/hex-digits.ts'
import { bloomBytes, bloomDigitsOf, bloomOf, fewBitsIn } from '#src/domain/log-bloom.ts'
import { mayHold } from '#test/support/log-bloom.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const word = fc.uint8Array({ minLength: 0, maxLength: 32 })

it('has three bits for an address, from the first six bytes of its hash', () => {
  // Keccak-256 of the zero address begins 5380 c7b7 ae81, of which the lowest eleven bits of each pair count.
  const bloom = bloomOf(new Uint8Array(20), [])
  const bits = [...bloom].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => byte & (1 << bit)).map((bit) => (bloomBytes - 1 - at) * 8 + bit),
  )
  expect(bits.sort((a, b) => a - b)).toEqual([0x380, 0x681, 0x7b7])
})

it('holds the address and each topic of its log, however many zeros they lack', () => {
  fc.assert(
    fc.property(bytes(20), fc.array(fc.option(word), { maxLength: 4 }), (address, topics) => {
      const bloom = bloomOf(address, topics)
      expect(bloom).toHaveLength(bloomBytes)
      expect(mayHold(bloom, address)).toBe(true)
      for (const topic of topics) if (topic) expect(mayHold(bloom, paddedWord(topic))).toBe(true)
    }),
  )
})

it('is a short text of its bits, from which its digits come back', () => {
  fc.assert(
    fc.property(bytes(20), fc.array(word, { maxLength: 4 }), (address, topics) => {
      const bloom = bloomOf(address, topics)
      const bits = fewBitsIn(bloom)!
      expect(bits).toMatch(/^[0-o]{0,30}$/)
      expect(bloomDigitsOf(bits)).toBe(hexOf(bloom))
    }),
  )
  expect(fewBitsIn(new Uint8Array(bloomBytes))).toBe('')
})

it('is no such text where it has more bits than a log gives it, or another length', () => {
  expect(fewBitsIn(new Uint8Array(bloomBytes).fill(1))).toBeUndefined()
  expect(fewBitsIn(new Uint8Array(0))).toBeUndefined()
})

it('trims words without changing what they mean', () => {
  fc.assert(
    fc.property(word, (given) => {
      const trimmed = trimmedDigits(hexOf(given))
      expect(wordDigitsOf(trimmed)).toBe(hexOf(paddedWord(given)))
      expect(trimmed.startsWith('00')).toBe(false)
    }),
  )
  expect([-1n, 0n, 0x1abn, 2n ** 62n].map(numberDigits)).toEqual(['ffffffffffffffff', '00', '01ab', '4000000000000000'])
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { numberWord, paddedWord, sameWord, trimmedWord } from '#src/domain/evm-words.ts'
import { bloomBytes, bloomOf, mayHold } from '#src/domain/log-bloom.ts'

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

it('trims words without changing what they mean', () => {
  fc.assert(
    fc.property(word, (given) => {
      const trimmed = trimmedWord(given)
      expect(paddedWord(trimmed)).toEqual(paddedWord(given))
      expect(sameWord(trimmed, given)).toBe(true)
      if (given.length > 0) expect(trimmed.length).toBeGreaterThan(0)
      if (trimmed.length > 1) expect(trimmed[0]).not.toBe(0)
    }),
  )
  expect(numberWord(-1n).toString('hex')).toBe('ffffffffffffffff')
  expect(numberWord(0n).toString('hex')).toBe('00')
})

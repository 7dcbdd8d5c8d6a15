import fc from 'fast-check'
import { expect, it } from 'vitest'
import { topicTerm } from '#projections/contract-logs/packing/terms.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { paddedWord, trimmedDigits } from '#src/domain/evm-words.ts'

it('a topic has one term, however many zeros it lacks: its four parts, folded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 32 }), fc.nat(3), (topic, at) => {
      const position = at as 0 | 1 | 2 | 3
      const digits = hexOf(topic)
      const { term } = topicTerm(position, digits)
      const word = paddedWord(topic)
      expect(term).toBe([0, 8, 16, 24].reduce((sum, part) => sum ^ word.readBigInt64BE(part), 0n))
      expect(topicTerm(position, trimmedDigits(digits)).term).toBe(term)
    }),
  )
})

import { describe, expect, it } from 'vitest'
import { keyHash } from '#src/tss/binding/key-hash.ts'
import { hashToField } from '#src/tss/hash-to-field.ts'
import { bigEndianBytes, blsOrder, bnOrder, jubjubOrder, littleEndianBytes, littleEndianOf } from '#src/tss/numbers.ts'
import { poseidonOf } from '#src/tss/poseidon.ts'
import { bytesOf, hasVectors, vector } from '#test/tss/vectors.ts'

interface FieldCase {
  readonly messageHex: string
  readonly tag: string
  readonly modulus: 'BLS12-381 Fr' | 'BN254 Fr' | 'Baby Jubjub l'
  readonly result: string
  readonly withStandardPad64_wrong: string
}

const moduli = { 'BLS12-381 Fr': blsOrder, 'BN254 Fr': bnOrder, 'Baby Jubjub l': jubjubOrder }

describe.skipIf(!hasVectors)('hash to a field', () => {
  it.each(hasVectors ? vector<FieldCase[]>('hash-to-field.json') : [])(
    'of "$messageHex" with tag "$tag" has the short pad of the library',
    ({ messageHex, tag, modulus, result, withStandardPad64_wrong }) => {
      const found = bigEndianBytes(hashToField(bytesOf(messageHex), tag, moduli[modulus]), 32).toString('hex')
      expect(found).toBe(result)
      expect(found).not.toBe(withStandardPad64_wrong)
    },
  )
})

describe.skipIf(!hasVectors)('Poseidon', () => {
  it('has the known sums', () => {
    const { tests } = vector<{ tests: Record<string, string> }>('poseidon.json')
    expect({
      hash_of_1_2_3_4: poseidonOf([1n, 2n, 3n, 4n]).toString(),
      hash_of_1: poseidonOf([1n]).toString(),
      hash_of_1_to_5: poseidonOf([1n, 2n, 3n, 4n, 5n]).toString(),
      hashBytes_of_00_to_27: littleEndianBytes(
        keyHash(
          Uint8Array.from({ length: 40 }, (_, at) => at),
          1,
        ),
        32,
      ).toString('hex'),
    }).toEqual(Object.fromEntries(Object.entries(tests).filter(([name]) => name.startsWith('hash'))))
  })

  it('reduces chunks that are beyond the field', () => {
    const beyond = littleEndianBytes(bnOrder + 5n, 32)
    expect(keyHash(beyond, 1)).toBe(keyHash(littleEndianBytes(5n, 32), 1))
    expect(littleEndianOf(beyond)).toBe(bnOrder + 5n)
  })
})

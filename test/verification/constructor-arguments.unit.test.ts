import { encodeAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { areConstructorArguments } from '#src/verification/constructor-arguments.ts'
import type { Json } from '#src/verification/verification-input.ts'

const pair = [
  { name: 'a', type: 'uint64' },
  { name: 'b', type: 'bytes' },
] as const
const inputs = [
  { name: 'n', type: 'int16' },
  { name: 's', type: 'string' },
  { name: 't', type: 'bytes4[2][]' },
  { name: 'p', type: 'tuple[]', components: pair },
  { name: 'f', type: 'bool' },
  { name: 'w', type: 'address' },
] as const
const values = [
  -3,
  'names — and more of them than fit into one word',
  [['0x01020304', '0x05060708']],
  [
    { a: 1n, b: '0x00ff' },
    { a: 2n, b: '0x' },
  ],
  true,
  `0x${'ab'.repeat(20)}`,
] as const

const abi: readonly Json[] = [{ type: 'constructor', inputs: inputs as unknown as Json }]
const encoded = () => Buffer.from(encodeAbiParameters(inputs, values as never).slice(2), 'hex')

describe('arguments of a constructor', () => {
  it('are what its ABI encodes', () => {
    expect(areConstructorArguments(abi, encoded())).toBe(true)
    expect(areConstructorArguments([], Buffer.alloc(0))).toBe(true)
  })

  it('are nothing else: not longer, not shorter, and no byte out of place', () => {
    const bytes = encoded()
    expect(areConstructorArguments(abi, Buffer.concat([bytes, Buffer.alloc(32)]))).toBe(false)
    expect(areConstructorArguments(abi, bytes.subarray(0, -32))).toBe(false)
    expect(areConstructorArguments([], Buffer.alloc(32))).toBe(false)
    const changed = (at: number, value: number) => {
      const other = encoded()
      other[at] = value
      return areConstructorArguments(abi, other)
    }
    expect(changed(30, 0x7f)).toBe(false)
    expect(changed(4 * 32 + 31, 2)).toBe(false)
    expect(changed(5 * 32, 1)).toBe(false)
    expect(changed(bytes.length - 33, 1)).toBe(false)
    expect(changed(32 + 31, 0xe0)).toBe(false)
  })

  it('are read once, however often offsets lead to the same place', () => {
    const type = `uint256${'[]'.repeat(8)}`
    const words = Array.from({ length: 2_000 }, (_, index) => (index % 2 === 0 ? 1_000n : 32n))
    const bytes = Buffer.concat(words.map((word) => Buffer.from(word.toString(16).padStart(64, '0'), 'hex')))
    const begun = performance.now()
    expect(areConstructorArguments([{ type: 'constructor', inputs: [{ type }] }], bytes)).toBe(false)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})

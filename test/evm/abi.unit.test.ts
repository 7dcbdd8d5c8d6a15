import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeTuple } from '#src/evm/abi/decode.ts'
import { encodeTuple } from '#src/evm/abi/encode.ts'
import { expandNames, parseTuple, zeroOf } from '#src/evm/abi/types.ts'

const text = '(int64,(address,bytes,(bool,string)[])[],uint8,bytes32,int64[])'
const type = parseTuple(text)

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)
const values = fc.tuple(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.array(
    fc.tuple(
      address,
      fc.uint8Array({ maxLength: 70 }),
      fc.array(fc.tuple(fc.boolean(), fc.string({ unit: 'binary' })), { maxLength: 3 }),
    ),
    { maxLength: 3 },
  ),
  fc.bigInt({ min: 0n, max: 255n }),
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 }),
)

const hex = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`

describe('the contract ABI', () => {
  it('encodes as viem does, and reads what it encoded', () => {
    fc.assert(
      fc.property(values, ([amount, tuples, small, word, list]) => {
        const encoded = encodeTuple(type, [amount, tuples, small, word, list])
        const told = tuples.map(([who, data, flags]) => [who, hex(data), flags] as const)
        const parameters = parseAbiParameters('int64,(address,bytes,(bool,string)[])[],uint8,bytes32,int64[]')
        expect(hex(encoded)).toBe(
          encodeAbiParameters(parameters, [amount, told, Number(small), hex(word), list] as never),
        )
        const decoded = decodeTuple(type, encoded)!
        expect(encodeTuple(type, decoded)).toEqual(encoded)
        expect(decodeAbiParameters(parameters, hex(encoded))[0]).toBe(decoded[0])
      }),
    )
  })

  it.each([
    ['a number beyond its type', '(int64)', `${'00'.repeat(24)}${'80'}${'00'.repeat(7)}`],
    ['a truth value of two', '(bool)', `${'00'.repeat(31)}02`],
    ['an address of 21 bytes', '(address)', `${'00'.repeat(11)}01${'00'.repeat(20)}`],
    ['a word that is cut off', '(address)', '00'.repeat(31)],
    ['an offset beyond the end', '(bytes)', `${'00'.repeat(31)}ff`],
    ['a list that is longer than what is there', '(int64[])', `${'00'.repeat(31)}20${'00'.repeat(31)}09`],
  ])('refuses %s', (_name, of, digits) => {
    expect(decodeTuple(parseTuple(of), Buffer.from(digits, 'hex'))).toBeUndefined()
  })

  it('knows types by names of its own, and what stands for nothing', () => {
    expect(expandNames('f(Pair[],bool)', { Pair: '(Side,Side)', Side: 'int64' })).toBe('f((int64,int64)[],bool)')
    expect(() => expandNames('f(Other)', {})).toThrow('Other is no type')
    expect(zeroOf(parseTuple('(int64,(string,bytes)[],bool)'))).toEqual([0n, [], false])
  })
})

import { describe, expect, it } from 'vitest'
import { compilerIn, hasMetadataHash, lastTrailerStart, parseTrailer } from '#src/verification/cbor.ts'
import { codeOfFile } from '#src/verification/chain-code.ts'
import { compareCode } from '#src/verification/compare-code.ts'
import type { CompiledCode } from '#src/verification/compiled-code.ts'
import { maskedHash } from '#src/verification/masked-hash.ts'
import { matchCreation } from '#src/verification/match-creation.ts'
import { matchRuntime } from '#src/verification/match-runtime.ts'
import { trailersAtEnd, trailersByEdit } from '#src/verification/trailers.ts'

const hex = (digits: string) => Buffer.from(digits, 'hex')
const trailer = (hash: string) => hex(`a264697066735822${hash.padStart(68, '1220')}64736f6c63430008130033`)
const own = trailer('aa'.repeat(32))
const other = trailer('bb'.repeat(32))
const body = hex('6080604052600a80601060003960fe')
const codeWith = (end: Buffer, more: Partial<CompiledCode> = {}): CompiledCode => ({
  bytes: Buffer.concat([body, end]),
  links: [],
  immutables: [],
  ...more,
})
const trailersOf = (code: CompiledCode) => ({ texts: [own], ranges: trailersAtEnd(code, [own]) ?? [] })
const word = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const abi = [{ type: 'constructor', inputs: [{ type: 'uint8' }] }]

describe('a metadata trailer', () => {
  it('is told from what is none, and tells hash and compiler', () => {
    expect(hasMetadataHash(parseTrailer(own))).toBe(true)
    expect(compilerIn(parseTrailer(own))).toBe('0.8.19')
    expect(lastTrailerStart(Buffer.concat([body, own]))).toBe(body.length)
    expect(lastTrailerStart(body)).toBeUndefined()
    for (let cut = 1; cut < own.length; cut++) expect(parseTrailer(own.subarray(cut))).toBeUndefined()
  })

  it('is ignored only where the compiler put it, not where somebody wrote the same bytes', () => {
    const bytes = Buffer.concat([own, body, own])
    const edited = Buffer.concat([own, body, other])
    const asCode = (of: Buffer) => ({ bytes: of, links: [], immutables: [] })
    const ranges = trailersByEdit(asCode(bytes), asCode(edited), [own])
    expect(ranges).toEqual([{ start: own.length + body.length, length: own.length }])
    expect(trailersByEdit(asCode(bytes), asCode(Buffer.from(bytes).fill(1, 60, 61)), [own])).toBeUndefined()
    const noTrailer = Buffer.from(edited).fill(0, edited.length - 2)
    expect(trailersByEdit(asCode(bytes), asCode(noTrailer), [own])).toBeUndefined()
  })
})

describe('runtime code', () => {
  it('matches perfectly with its metadata, and in part with others', () => {
    const code = codeWith(own)
    const match = (stored: Buffer) => matchRuntime(code, trailersOf(code), stored, true)
    expect(match(code.bytes).match).toBe('perfect')
    expect(match(codeWith(other).bytes)).toMatchObject({ match: 'partial', sign: null })
    expect(match(Buffer.concat([hex('61'), code.bytes.subarray(1)]))).toMatchObject({
      match: null,
      sign: 'same-metadata',
      differsAt: 0,
    })
    expect(match(codeWith(other).bytes.subarray(1))).toMatchObject({ match: null, sign: 'length' })
  })

  it('matches in part where it went to the ledger without its metadata', () => {
    const code = codeWith(own)
    expect(matchRuntime(code, trailersOf(code), body, true).match).toBe('partial')
    expect(matchRuntime(code, trailersOf(code), body.subarray(0, -1), true).match).toBe('partial')
    expect(matchRuntime(code, trailersOf(code), body.subarray(0, -2), true).match).toBeNull()
  })

  it('has one value for all places of an immutable', () => {
    const bytes = Buffer.concat([body, Buffer.alloc(64), own])
    const immutables = [0, 32].map((at) => ({ id: '7', start: body.length + at, length: 32 }))
    const code = { bytes, links: [], immutables }
    const stored = (first: number, second: number) => Buffer.concat([body, word(first), word(second), own])
    const compare = (of: Buffer) => compareCode(code, trailersOf(code), of)
    expect(compare(stored(5, 5))).toMatchObject({ match: 'perfect', immutables: new Map([['7', word(5)]]) })
    expect(compare(stored(5, 6))).toMatchObject({ match: null, differsAt: body.length + 63 })
    const { varying } = matchRuntime(code, trailersOf(code), stored(5, 5), true)
    expect(maskedHash(stored(5, 5), varying)).toBe(maskedHash(Buffer.concat([body, word(9), word(9), other]), varying))
    expect(maskedHash(stored(5, 5), varying)).not.toBe(
      maskedHash(Buffer.concat([hex('61'), stored(5, 5).subarray(1)]), varying),
    )
  })

  it('of a library carries an address of its own', () => {
    const bytes = Buffer.concat([hex(`73${'00'.repeat(20)}`), body, own])
    const stored = Buffer.concat([hex(`73${'cd'.repeat(20)}`), body, own])
    const code = { bytes, links: [], immutables: [] }
    expect(compareCode(code, trailersOf(code), stored)).toMatchObject({
      match: 'perfect',
      callProtection: hex('cd'.repeat(20)),
    })
    expect(compareCode(code, trailersOf(code), Buffer.concat([hex('74'), stored.subarray(1)])).match).toBeNull()
  })
})

describe('creation code', () => {
  const code = codeWith(own)
  const match = (creations: Parameters<typeof matchCreation>[3], runtime: 'perfect' | 'partial' | null = 'perfect') =>
    matchCreation(code, trailersOf(code), abi, creations, runtime)

  it.each(['init-code', 'ethereum-transaction', 'factory'] as const)('of %s has the arguments behind it', (kind) => {
    const given = (rest: Buffer) => [{ kind, code: Buffer.concat([code.bytes, rest]) }]
    expect(match(given(word(3)))).toMatchObject({ match: 'perfect', kind, constructorArguments: word(3) })
    expect(match(given(word(300)))).toMatchObject({ match: null, hasOddArguments: true })
    expect(match([{ kind, code: Buffer.concat([codeWith(other).bytes, word(3)]) }])).toMatchObject({ match: 'partial' })
  })

  it('of a file has the arguments of the transaction appended', () => {
    const file = codeOfFile(Buffer.from(`0x${code.bytes.toString('hex')}\n`))!
    expect(match([{ kind: 'file', code: file, constructorArguments: word(3) }])).toMatchObject({
      match: 'perfect',
      constructorArguments: word(3),
    })
    expect(match([{ kind: 'file', code: file, constructorArguments: Buffer.alloc(0) }])?.match).toBeNull()
    expect([codeOfFile(Buffer.from('0x60g0')), codeOfFile(Buffer.from('608')), codeOfFile(Buffer.alloc(0))]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('within a factory proves no more than the runtime code does', () => {
    const within = (end: Buffer) => [
      { kind: 'within-factory' as const, code: Buffer.concat([hex('6001'), body, hex('00'), body, end, hex('fe')]) },
    ]
    expect(match(within(own))).toMatchObject({ match: 'perfect', constructorArguments: null })
    expect(match(within(own), 'partial')?.match).toBe('partial')
    expect(match(within(own), null)?.match).toBeNull()
    expect(match(within(other))?.match).toBe('partial')
    expect(match(within(hex('00')))?.match).toBeNull()
  })

  it('counts as the best of those that are known', () => {
    const wrong = { kind: 'init-code' as const, code: hex('60016001') }
    const right = { kind: 'factory' as const, code: Buffer.concat([code.bytes, word(1)]) }
    expect(match([wrong, right])).toMatchObject({ match: 'perfect', kind: 'factory' })
    expect(match([])).toBeUndefined()
  })
})

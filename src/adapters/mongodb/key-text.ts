import type { Bound, Value, ValueKind } from '#src/ports/read-store.ts'

/**
 * Values as text whose order, byte by byte, is the order of the values; parts one behind the other keep the order of
 * tuples. Only characters from blank to tilde occur, so that it makes no difference whether a server compares UTF-8 or
 * UTF-16. An integer is hexadecimal with the sign turned round, of fixed width. Text and bytes end with `!`; what would
 * sort wrongly is written as two hexadecimal digits behind `"` (below all others) or `~` (above).
 */
const absent = ' '
const end = '!'
/** Above every text that an encoded value can go on with. */
const above = '\u007f'

const plainMin = 0x23
const plainMax = 0x7d

export function encodePart(kind: ValueKind, value: Value): string {
  if (value === null) return absent
  if (kind === 'int64') return hex(BigInt.asUintN(64, BigInt(value as bigint) ^ (1n << 63n)), 16)
  if (kind === 'int32') return hex((Number(value) ^ 0x80000000) >>> 0, 8)
  return kind === 'text' ? encodeText(value as string) : Buffer.from(value as Uint8Array).toString('hex') + end
}

function hex(value: bigint | number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

function encodeText(value: string): string {
  if (/^[#-}]*$/.test(value)) return value + end
  let text = ''
  for (const byte of Buffer.from(value)) {
    if (byte >= plainMin && byte <= plainMax) text += String.fromCharCode(byte)
    else text += (byte < plainMin ? '"' : '~') + hex(byte, 2)
  }
  return text + end
}

/** Encodes a tuple; shorter ones are the beginnings of longer ones. */
export function encodeTuple(kinds: readonly ValueKind[], values: readonly Value[]): string {
  let text = ''
  for (let index = 0; index < values.length; index++) text += encodePart(kinds[index]!, values[index] ?? null)
  return text
}

/** Half-open range of encoded tuples: from `lower` inclusive to `upper` exclusive. */
export interface TextRange {
  readonly lower: string
  readonly upper: string
}

export interface TupleRange {
  readonly prefix: readonly Value[]
  readonly lower?: Bound | undefined
  readonly upper?: Bound | undefined
}

/**
 * The range of encoded tuples that begin with the prefix and have their next part within the bounds. An absent value lies
 * in no range, and nothing equals it: then there is none to look for.
 */
export function encodeRange(kinds: readonly ValueKind[], { prefix, lower, upper }: TupleRange): TextRange | undefined {
  if ([...prefix, lower?.value, upper?.value].includes(null)) return undefined
  const start = encodeTuple(kinds, prefix)
  const ranged = kinds[prefix.length]
  if (ranged === undefined && (lower || upper)) throw new Error('a range needs an index field after the prefix')
  const edge = (bound: Bound, behind: boolean): string =>
    start + encodePart(ranged!, bound.value) + (behind ? above : '')
  return {
    lower: lower ? edge(lower, !lower.inclusive) : upper ? start + end : start,
    upper: upper ? edge(upper, upper.inclusive) : start + above,
  }
}

/** The tuples behind this one, which is as long as the key. */
export function rangeBehind(kinds: readonly ValueKind[], tuple: readonly Value[]): TextRange {
  return { lower: encodeTuple(kinds, tuple) + above, upper: above }
}

/** Names below a scope, such as `scope/…`. */
export function rangeBelow(scope: string): TextRange {
  return { lower: `${scope}/`, upper: `${scope}/${above}` }
}

import { parseTrailer } from '#src/verification/cbor.ts'
import type { CompiledCode } from '#src/verification/compiled-code.ts'
import type { CodeRange } from '#src/verification/outcome.ts'

/**
 * Where the only trailer of a code is, which the compiler puts at its end; undefined where there are several, or it is elsewhere. Places
 * are never searched for: whoever writes a contract could put the same bytes into its code and have them ignored.
 */
export function trailersAtEnd({ bytes }: CompiledCode, texts: readonly Buffer[]): CodeRange[] | undefined {
  const [text, ...more] = texts
  if (text === undefined) return []
  const start = bytes.length - text.length
  return more.length === 0 && start >= 0 && bytes.subarray(start).equals(text)
    ? [{ start, length: text.length }]
    : undefined
}

/**
 * Where the trailers of a code are, as the places tell where it differs from what the same sources with a blank more compile to, and
 * has the text of a trailer around. Undefined where something else differs.
 */
export function trailersByEdit(
  code: CompiledCode,
  edited: CompiledCode,
  texts: readonly Buffer[],
): CodeRange[] | undefined {
  if (code.bytes.length !== edited.bytes.length) return undefined
  const found: CodeRange[] = []
  let at = firstDifference(code.bytes, edited.bytes)
  while (at !== undefined) {
    const range = trailerAround(at, code.bytes, texts)
    if (range === undefined) return undefined
    const end = range.start + range.length
    if (parseTrailer(edited.bytes.subarray(range.start, end)) === undefined) return undefined
    found.push(range)
    at = firstDifference(code.bytes, edited.bytes, end)
  }
  return found
}

function trailerAround(place: number, bytes: Buffer, texts: readonly Buffer[]): CodeRange | undefined {
  for (const text of texts) {
    const start = bytes.indexOf(text, Math.max(0, place - text.length + 1))
    if (start !== -1 && start <= place) return { start, length: text.length }
  }
  return undefined
}

/** Also where only one of them goes on; undefined where they are the same from there on. */
export function firstDifference(one: Buffer, other: Buffer, from = 0): number | undefined {
  const length = Math.min(one.length, other.length)
  for (let at = from; at < length; at++) if (one[at] !== other[at]) return at
  return one.length === other.length || from > length ? undefined : length
}

import { hasMetadataHash, lastTrailerStart, parseTrailer } from '#src/verification/cbor.ts'
import { type Comparison, compareCode, type Trailers } from '#src/verification/compare-code.ts'
import type { CompiledCode } from '#src/verification/compiled-code.ts'
import type { CodeRange } from '#src/verification/outcome.ts'

/** What the comparison of the runtime code came to. */
export interface RuntimeMatch extends Comparison {
  /** Why it is none, where the two tell more than that they differ. */
  readonly sign: 'length' | 'same-metadata' | null
  /** Of the stored code, what differs between contracts of this source. */
  readonly varying: readonly CodeRange[]
}

const addressBytes = 20
const invalid = 0xfe

export function matchRuntime(
  code: CompiledCode,
  trailers: Trailers,
  stored: Buffer,
  isOptimized: boolean,
): RuntimeMatch {
  const compared = compareCode(code, trailers, stored)
  const protection = compared.callProtection === null ? [] : [{ start: 1, length: addressBytes }]
  const varying = [...protection, ...code.immutables, ...code.links, ...trailers.ranges].map(({ start, length }) => ({
    start,
    length,
  }))
  if (compared.match !== null) return { ...compared, sign: null, varying }
  if (isOptimized && hasSameTrailer(code.bytes, stored)) return { ...compared, sign: 'same-metadata', varying: [] }
  if (code.bytes.length === stored.length) return { ...compared, sign: null, varying: [] }
  return matchWithoutTrailer(code, stored, varying) ?? { ...compared, sign: 'length', varying: [] }
}

/** Files that a contract does not use change neither its metadata nor, but for a mistake of compilers, its code. */
function hasSameTrailer(compiled: Buffer, stored: Buffer): boolean {
  const [own, other] = [lastTrailerOf(compiled), lastTrailerOf(stored)]
  return own !== undefined && other !== undefined && own.equals(other)
}

function lastTrailerOf(code: Buffer): Buffer | undefined {
  const start = lastTrailerStart(code)
  return start === undefined ? undefined : code.subarray(start)
}

/** Code that went to the ledger without its metadata, and without the operation that keeps them from being run. */
function matchWithoutTrailer(
  code: CompiledCode,
  stored: Buffer,
  varying: readonly CodeRange[],
): RuntimeMatch | undefined {
  const start = lastTrailerStart(code.bytes)
  const trailer = lastTrailerOf(stored)
  if (start === undefined || (trailer && hasMetadataHash(parseTrailer(trailer)))) return undefined
  const end = code.bytes[start - 1] === invalid && stored.length < start ? start - 1 : start
  if (stored.length !== end) return undefined
  const isInside = (range: CodeRange) => range.start + range.length <= end
  const shortened = {
    bytes: code.bytes.subarray(0, end),
    links: code.links.filter(isInside),
    immutables: code.immutables.filter(isInside),
  }
  const compared = compareCode(shortened, { ranges: [], texts: [] }, stored)
  return compared.match === null ? undefined : { ...compared, sign: null, varying: varying.filter(isInside) }
}

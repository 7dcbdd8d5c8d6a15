import { hasMetadataHash, parseTrailer } from '#src/verification/cbor.ts'
import type { CompiledCode } from '#src/verification/compiled-code.ts'
import type { CodeRange, LinkedLibrary, MatchType } from '#src/verification/outcome.ts'
import { firstDifference } from '#src/verification/trailers.ts'

/** Compiled code against as many bytes of stored code. */
export interface Comparison {
  readonly match: MatchType | null
  /** Compiled code with all that may be taken from the ledger: what differs still, differs. */
  readonly filled: Buffer
  /** First place that differs; null where nothing does. */
  readonly differsAt: number | null
  readonly libraries: readonly LinkedLibrary[]
  readonly immutables: ReadonlyMap<string, Buffer>
  readonly callProtection: Buffer | null
}

/** Trailers of a code and where they are; no ranges where that could not be told. */
export interface Trailers {
  readonly ranges: readonly CodeRange[]
  readonly texts: readonly Buffer[]
}

const pushAddress = 0x73
const addressBytes = 20
const protection = Buffer.concat([Buffer.from([pushAddress]), Buffer.alloc(addressBytes)])

/** Compares code of a contract. Perfect is what is the same with its metadata, and has a hash of them everywhere. */
export function compareCode(code: CompiledCode, { ranges, texts }: Trailers, stored: Buffer): Comparison {
  const filled = Buffer.from(code.bytes)
  const callProtection = fillCallProtection(filled, stored)
  const immutables = fillEach(filled, stored, code.immutables, ({ id }) => id)
  const addresses = fillEach(filled, stored, code.links, ({ placeholder }) => placeholder)
  const libraries = [...addresses].map(([placeholder, address]) => ({
    name: code.links.find((link) => link.placeholder === placeholder)!.name,
    placeholder,
    address: address.toString('hex'),
  }))
  const taken = { libraries, immutables, callProtection }
  if (filled.equals(stored)) {
    const isProved = texts.length > 0 && texts.every((text) => hasMetadataHash(parseTrailer(text)))
    return { match: isProved ? 'perfect' : 'partial', filled, differsAt: null, ...taken }
  }
  for (const { start, length } of ranges) {
    const other = stored.subarray(start, start + length)
    if (parseTrailer(other) !== undefined) other.copy(filled, start)
  }
  const differsAt = firstDifference(filled, stored) ?? null
  return { match: differsAt === null ? 'partial' : null, filled, differsAt, ...taken }
}

/** A library carries its own address, so that it is not called but by contracts. */
function fillCallProtection(filled: Buffer, stored: Buffer): Buffer | null {
  if (!filled.subarray(0, protection.length).equals(protection) || stored[0] !== pushAddress) return null
  if (stored.length < protection.length) return null
  const address = Buffer.from(stored.subarray(1, protection.length))
  address.copy(filled, 1)
  return address
}

/**
 * Takes values from the ledger's code, the same for all places of one name: code in which they differ was not made by this contract's
 * creation.
 */
function fillEach<Range extends CodeRange>(
  filled: Buffer,
  stored: Buffer,
  ranges: readonly Range[],
  nameOf: (range: Range) => string,
): ReadonlyMap<string, Buffer> {
  const values = new Map<string, Buffer>()
  for (const range of ranges) {
    const { start, length } = range
    const name = nameOf(range)
    const value = values.get(name) ?? Buffer.from(stored.subarray(start, start + length))
    if (value.length !== length) continue
    values.set(name, value)
    value.copy(filled, start)
  }
  return values
}

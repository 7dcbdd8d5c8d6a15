import { type CodeRange, unpack, type VerifiedFacts } from '#projections/verification/packing.ts'
import { type RequestRow, type VerifiedRow, verificationSchema } from '#projections/verification/schema.ts'
import type { VerifiedRows } from '#queries/verification/reads.ts'
import { contentHashOf } from '#src/ports/content-store.ts'
import { maskedHash } from '#src/verification/masked-hash.ts'

const contractFields = Object.keys(verificationSchema.collections.contracts.fields) as (keyof VerifiedRow)[]
const requestFields = Object.keys(verificationSchema.collections.requests.fields) as (keyof RequestRow)[]

/** A verified contract with what its row packs. */
export interface Verified extends Omit<VerifiedRow, 'facts'> {
  readonly facts: VerifiedFacts
}

function unpacked(row: VerifiedRow): Verified {
  return { ...row, facts: unpack<VerifiedFacts>(row.facts) }
}

async function epochOf(rows: VerifiedRows, chain: string): Promise<bigint> {
  const [row] = await rows.get('chains', [[chain]], ['epoch'])
  return row?.epoch ?? 0n
}

export async function findVerified(rows: VerifiedRows, chain: string, entity: string): Promise<Verified | undefined> {
  const [row] = await rows.get('contracts', [[chain, await epochOf(rows, chain), entity]], contractFields)
  return row && unpacked(row)
}

export interface PageOptions {
  /** Both unless given. */
  readonly match?: 'perfect' | 'partial' | undefined
  readonly descending: boolean
  readonly after?: bigint | undefined
  readonly limit: number
}

/** Verified contracts of a chain in the order in which they were verified first. */
export async function findVerifiedOfChain(
  rows: VerifiedRows,
  chain: string,
  options: PageOptions,
): Promise<Verified[]> {
  const { match, descending, after, limit } = options
  const epoch = await epochOf(rows, chain)
  const bound = after === undefined ? {} : { [descending ? 'upper' : 'lower']: { value: after, inclusive: false } }
  const rest = { ...bound, descending, limit, select: contractFields } as const
  const found =
    match === undefined
      ? await rows.find({
          collection: 'contracts',
          index: ['chain', 'epoch', 'number'],
          prefix: [chain, epoch],
          ...rest,
        })
      : await rows.find({
          collection: 'contracts',
          index: ['chain', 'epoch', 'match', 'number'],
          prefix: [chain, epoch, match],
          ...rest,
        })
  return found.map(unpacked)
}

/** Addresses of the verified contracts of a chain, in the order in which they were verified first. */
export async function findVerifiedAddresses(
  rows: VerifiedRows,
  chain: string,
  { match, limit }: Pick<PageOptions, 'match' | 'limit'>,
): Promise<string[]> {
  const epoch = await epochOf(rows, chain)
  const rest = { collection: 'contracts', limit, select: ['address'] } as const
  const found =
    match === undefined
      ? await rows.find({ index: ['chain', 'epoch', 'number'], prefix: [chain, epoch], ...rest })
      : await rows.find({ index: ['chain', 'epoch', 'match', 'number'], prefix: [chain, epoch, match], ...rest })
  return found.map(({ address }) => address)
}

/** How many codes of the same length are compared: of no length that was seen are there as many. */
const codesMax = 1_000

/**
 * The contract whose verification counts for a code as well: the same bytes but for those that differ from one instance to the next,
 * or that stand for names and comments. undefined: there is none.
 */
export async function findSimilar(
  rows: VerifiedRows,
  chain: string,
  runtime: Uint8Array,
): Promise<{ readonly verified: Verified; readonly isSame: boolean } | undefined> {
  if (runtime.length === 0) return undefined
  const epoch = await epochOf(rows, chain)
  const codes = await rows.find({
    collection: 'codes',
    index: ['chain', 'epoch', 'length', 'maskedHash'],
    prefix: [chain, epoch, runtime.length],
    limit: codesMax,
    select: ['entity', 'maskedHash', 'varying'],
  })
  const found = codes.find(
    (code) => maskedHash(runtime, unpack<readonly CodeRange[]>(code.varying)) === code.maskedHash,
  )
  const verified = found && (await findVerified(rows, chain, found.entity))
  if (verified === undefined) return undefined
  return { verified, isSame: verified.codeHash === contentHashOf(Buffer.from(runtime).toString('hex')) }
}

export async function findRequest(rows: VerifiedRows, id: string): Promise<RequestRow | undefined> {
  const [row] = await rows.get('requests', [[id]], requestFields)
  return row
}

/** Requests that have not come to their end. */
export async function findOpenRequests(rows: VerifiedRows, limit: number): Promise<RequestRow[]> {
  return rows.find({ collection: 'requests', index: ['open', 'id'], prefix: [1], limit, select: requestFields })
}

/** Contracts of a chain that have a source file, by the SHA-256 of its text. */
export async function findByFile(
  rows: VerifiedRows,
  chain: string,
  hash: string,
  limit: number,
): Promise<{ readonly entity: string; readonly path: string }[]> {
  const epoch = await epochOf(rows, chain)
  return rows.find({
    collection: 'files',
    index: ['hash', 'chain', 'epoch', 'entity', 'path'],
    prefix: [hash, chain, epoch],
    limit,
    select: ['entity', 'path'],
  })
}

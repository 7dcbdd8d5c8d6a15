import type { NftRow, nftsSchema } from '#projections/nfts/schema.ts'
import type { transactionsSchema } from '#projections/transactions/schema.ts'
import type { Order } from '#queries/common/parameters.ts'
import { type Range, readOf } from '#queries/common/range.ts'
import type { QueryContext } from '#queries/common/route.ts'

export type HistoryContext = QueryContext<{
  readonly nfts: typeof nftsSchema
  readonly transactions: typeof transactionsSchema
}>

export interface HistoryQuery {
  readonly token: bigint
  readonly serial: bigint
  /** Inclusive, ns; none after the request's instant. */
  readonly times: Range
  readonly order: Order
  readonly limit: number
}

type Version = Pick<NftRow, 'from' | 'until' | 'receiver' | 'lot'>

/**
 * The first times between two times that an NFT changed, was handed over with its lot, or was deleted with its token. Where a
 * statement is of the time of another change it stands twice.
 */
export async function findChanges(query: HistoryQuery, context: HistoryContext): Promise<bigint[]> {
  const { token, order, limit, times } = query
  const [[row], versions] = await Promise.all([
    context.rows.nfts.get('tokens', [[token]], ['deleted', 'moved']),
    findVersions(query, context),
  ])
  const moves = row?.moved ? await findMoves(query, versions, context) : []
  const deletion = row?.deleted ?? null
  const changes = [...versions.map(({ from }) => from), ...moves, ...(deletion === null ? [] : [deletion])]
  return changes
    .filter((time) => time >= times.lower && time <= times.upper)
    .sort((a, b) => (a < b === (order === 'asc') ? -1 : 1))
    .slice(0, limit)
}

const versionFields = ['from', 'until', 'receiver', 'lot'] as const

/** Versions that begin between the times, and the one that is valid when they begin. What a statement superseded is none. */
async function findVersions(
  { token, serial, times, order, limit }: HistoryQuery,
  { rows: { nfts } }: HistoryContext,
): Promise<Version[]> {
  const [newest] = await nfts.begun('nfts', [[token, serial]], versionFields)
  if (newest === undefined) return []
  const upper = newest.from <= times.upper ? newest.from - 1n : times.upper
  const find = (range: Range, direction: Order, most: number) =>
    nfts.find({
      collection: 'nftVersions',
      index: ['token', 'serial', 'from'],
      prefix: [token, serial],
      ...readOf(range, direction, most),
      select: versionFields,
    })
  const [within, before] = await Promise.all([
    find({ lower: times.lower, upper }, order, limit),
    find({ lower: 0n, upper: times.lower - 1n }, 'desc', 1),
  ])
  return [...within, ...before, newest]
}

/** Times that one of the versions was handed over with its lot. */
async function findMoves(
  { token, times, order, limit }: HistoryQuery,
  versions: readonly Version[],
  { rows: { nfts } }: HistoryContext,
): Promise<bigint[]> {
  const found = await Promise.all(
    versions.map(async ({ from, until, receiver, lot }) => {
      const lower = from >= times.lower ? from + 1n : times.lower
      const upper = until !== null && until <= times.upper ? until - 1n : times.upper
      if (receiver === null || lower > upper) return []
      return nfts.find({
        collection: 'lotMoves',
        index: ['token', 'receiver', 'lot', 'time'],
        prefix: [token, receiver, lot],
        ...readOf({ lower, upper }, order, limit),
        select: ['time'],
      })
    }),
  )
  return found.flat().map(({ time }) => time)
}

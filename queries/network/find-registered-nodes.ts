import type { RegisteredNodeRow } from '#projections/network/schema.ts'
import type { Filters } from '#queries/common/parameters.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { selectionOf } from '#queries/common/selection.ts'
import { endpointKinds, registeredNodeLimitDefault, type registeredNodeParameters } from '#queries/network/params.ts'
import type { NetworkContext } from '#queries/network/reads.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

const fields = ['id', 'from', 'until', 'deleted', 'kinds', 'text'] as const

export type FoundRegisteredNode = Pick<RegisteredNodeRow, (typeof fields)[number]>

/** Rows read at once where only some have an endpoint of the wanted kind. */
const searchedPerRead = 250
/** Rows read beyond what the share of deleted nodes so far lets expect. */
const readMore = 2

/** Registered nodes that the filters leave; deleted ones are left out. */
export async function findRegisteredNodes(
  filters: Filters<typeof registeredNodeParameters>,
  context: NetworkContext,
): Promise<FoundRegisteredNode[]> {
  const limit = lastValue(filters.limit) ?? registeredNodeLimitDefault
  const type = lastValue(filters.type)
  const kind = type && endpointKinds.indexOf(type) + 1
  const descending = lastValue(filters.order) === 'desc'
  const { given, ...range } = selectionOf(filters['registerednode.id'], maxInt64)
  let [lower, upper] = given[0] === undefined ? [range.lower, range.upper] : [given[0], given[0]]
  const found: FoundRegisteredNode[] = []
  let read = 0
  while (lower <= upper && found.length < limit) {
    const size = kind === undefined ? expected(limit - found.length, read, found.length) : searchedPerRead
    const page: FoundRegisteredNode[] = await context.rows.network.find({
      collection: 'registeredNodes',
      index: ['id'],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      descending,
      limit: size,
      select: fields,
    })
    const present = page.filter(({ deleted }) => deleted === 0)
    found.push(...present.filter(({ kinds }) => kind === undefined || (kinds & (1 << kind)) !== 0))
    read += page.length
    const last = page.at(-1)
    if (last === undefined || page.length < size) break
    if (descending) upper = last.id - 1n
    else lower = last.id + 1n
    await context.pause()
  }
  return found.slice(0, limit)
}

/** Rows that are likely to have so many nodes more that are there, from how many of those read so far were. */
function expected(missing: number, read: number, found: number): number {
  if (read === 0) return missing
  return Math.min(Math.ceil((missing * read) / Math.max(found, 1)) + readMore, searchedPerRead)
}

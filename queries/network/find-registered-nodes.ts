import type { RegisteredNodeRow } from '#projections/network/schema.ts'
import { firstOf, inSteps, type Step } from '#queries/common/in-steps.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { selectionOf } from '#queries/common/range.ts'
import { endpointKinds, type registeredNodeParameters } from '#queries/network/params.ts'
import type { NetworkContext } from '#queries/network/reads.ts'

const fields = ['id', 'from', 'until', 'deleted', 'kinds', 'text'] as const

export type FoundRegisteredNode = Pick<RegisteredNodeRow, (typeof fields)[number]>

/** Rows read at once where only some have an endpoint of the wanted kind. */
const searchedPerRead = 250
/** Rows read beyond what the share of deleted nodes so far lets expect. */
const readMore = 2

/** Registered nodes that the filters leave; deleted ones are left out. */
export async function findRegisteredNodes(
  { filters, order, limit }: ListRequest<typeof registeredNodeParameters>,
  context: NetworkContext,
): Promise<FoundRegisteredNode[]> {
  const type = lastValue(filters.type)
  const kind = type && endpointKinds.indexOf(type) + 1
  const { equal, ...bounds } = selectionOf(filters['registerednode.id'])
  const [only] = equal
  const range = only === undefined ? bounds : { lower: only, upper: only }
  let read = 0
  let present = 0
  const find = async (step: Step) => {
    const page = await context.rows.network.find({
      collection: 'registeredNodes',
      index: ['id'],
      ...step,
      select: fields,
    })
    read += page.length
    present += page.filter(isPresent).length
    return page
  }
  const next = () => (kind === undefined ? expected(limit - present, read, present) : searchedPerRead)
  const steps = inSteps(
    { ...range, order, limit: kind === undefined ? limit : searchedPerRead, next },
    context.pause,
    find,
    ({ id }) => id,
  )
  return firstOf(steps, limit, (node) => isPresent(node) && (kind === undefined || (node.kinds & (1 << kind)) !== 0))
}

function isPresent({ deleted }: FoundRegisteredNode): boolean {
  return deleted === 0
}

/** Rows that are likely to have so many nodes more that are there, from how many of those read so far were. */
function expected(missing: number, read: number, found: number): number {
  return Math.min(Math.ceil((missing * read) / Math.max(found, 1)) + readMore, searchedPerRead)
}

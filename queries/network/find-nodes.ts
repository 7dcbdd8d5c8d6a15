import type { networkSchema } from '#projections/network/schema.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { readOf, selectionOf, valuesOf } from '#queries/common/range.ts'
import type { nodeParameters } from '#queries/network/params.ts'
import type { NetworkContext } from '#queries/network/reads.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
import type { RowOf } from '#src/ports/read-store.ts'

type BookRow = Pick<RowOf<typeof networkSchema, 'addressBooks'>, 'fileId' | 'start' | 'end'>
type EntryRow = Pick<RowOf<typeof networkSchema, 'addressBookEntries'>, (typeof entryFields)[number]>
type NodeRow = Pick<RowOf<typeof networkSchema, 'nodes'>, (typeof nodeFields)[number]>
type StakeRow = Pick<RowOf<typeof networkSchema, 'nodeStakes'>, (typeof stakeFields)[number]>

/** An entry of the newest address book, and what else is known of its node. */
export interface FoundNode {
  readonly entry: EntryRow
  readonly book: BookRow
  readonly node: NodeRow | undefined
  readonly stake: StakeRow | undefined
}

const entryFields = ['nodeId', 'accountId', 'description', 'memo', 'publicKey', 'certHash', 'endpoints'] as const
const nodeFields = [
  'nodeId',
  'from',
  'until',
  'accountId',
  'adminKey',
  'associated',
  'declineReward',
  'grpcProxy',
] as const
const stakeFields = [
  'stakingPeriod',
  'maxStake',
  'minStake',
  'rewardRate',
  'stake',
  'stakeNotRewarded',
  'stakeRewarded',
] as const

const detailsFile = 102n

export async function findNodes(
  request: ListRequest<typeof nodeParameters>,
  context: NetworkContext,
): Promise<FoundNode[]> {
  const { rows, settings } = context
  const { shard, realm } = settings
  const fileId = lastValue(request.filters['file.id']) ?? entityIdOf(shard, realm, detailsFile) ?? detailsFile
  const book = await findBook(fileId, context)
  if (book === undefined) return []
  const entries = await findEntries(book, request, context)
  const ids = entries.map(({ nodeId }) => nodeId)
  const keys = ids.map((id) => [id] as const)
  const [nodes, stakes] = await Promise.all([rows.network.get('nodes', keys, nodeFields), findStakes(ids, context)])
  return entries.map((entry, index) => ({ entry, book, node: nodes[index], stake: stakes[index] }))
}

/** The newest book of a file. It is in force from the instant after the transaction that made it. */
async function findBook(fileId: bigint, { rows, checkpoint }: NetworkContext): Promise<BookRow | undefined> {
  const [book] = await rows.network.find({
    collection: 'addressBooks',
    index: ['fileId', 'start'],
    prefix: [fileId],
    upper: { value: checkpoint.time + 1n, inclusive: true },
    descending: true,
    limit: 1,
    select: ['fileId', 'start', 'end'],
  })
  // An end beyond the instant was not known then.
  return book && book.end !== null && book.end > checkpoint.time ? { ...book, end: null } : book
}

async function findEntries(
  { fileId, start }: BookRow,
  { filters, order, limit }: ListRequest<typeof nodeParameters>,
  { rows }: NetworkContext,
): Promise<EntryRow[]> {
  const ids = selectionOf(filters['node.id'])
  const equal = valuesOf(ids, order)
  if (equal !== undefined) {
    const keys = equal.map((nodeId) => [fileId, start, nodeId] as const)
    const named = await rows.network.get('addressBookEntries', keys, entryFields)
    return named.filter((entry) => entry !== undefined).slice(0, limit)
  }
  return rows.network.find({
    collection: 'addressBookEntries',
    index: ['fileId', 'start', 'nodeId'],
    prefix: [fileId, start],
    ...readOf(ids, order, limit),
    select: entryFields,
  })
}

/** Stakes as the newest update set them: a node that it does not name has none. */
async function findStakes(ids: readonly bigint[], { rows }: NetworkContext): Promise<(StakeRow | undefined)[]> {
  const [update] = await rows.network.find({
    collection: 'nodeStakes',
    index: ['time', 'nodeId'],
    descending: true,
    limit: 1,
    select: ['time'],
  })
  if (update === undefined) return []
  const keys = ids.map((id) => [update.time, id] as const)
  return rows.network.get('nodeStakes', keys, stakeFields)
}

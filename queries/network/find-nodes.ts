import type { networkSchema } from '#projections/network/schema.ts'
import type { Filters, Order } from '#queries/common/parameters.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { selectionOf, sorted } from '#queries/common/selection.ts'
import { nodePageSize, type nodeParameters } from '#queries/network/params.ts'
import type { NetworkContext } from '#queries/network/reads.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
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
  filters: Filters<typeof nodeParameters>,
  context: NetworkContext,
): Promise<FoundNode[]> {
  const { rows, settings } = context
  const { shard, realm } = settings
  const fileId = lastValue(filters['file.id']) ?? entityIdOf(shard, realm, detailsFile) ?? detailsFile
  const book = await findBook(fileId, context)
  if (book === undefined) return []
  const entries = await findEntries(book, filters, context)
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
  // An end beyond the bound was not known then.
  return book && book.end !== null && book.end > checkpoint.time ? { ...book, end: null } : book
}

async function findEntries(
  { fileId, start }: BookRow,
  filters: Filters<typeof nodeParameters>,
  { rows }: NetworkContext,
): Promise<EntryRow[]> {
  const limit = nodePageSize(filters.limit)
  const order: Order = lastValue(filters.order) ?? 'asc'
  const { equal, lower, upper } = selectionOf(filters['node.id'], maxInt64)
  if (equal !== undefined) {
    const keys = sorted(equal, order).map((nodeId) => [fileId, start, nodeId] as const)
    const named = await rows.network.get('addressBookEntries', keys, entryFields)
    return named.filter((entry) => entry !== undefined).slice(0, limit)
  }
  return rows.network.find({
    collection: 'addressBookEntries',
    index: ['fileId', 'start', 'nodeId'],
    prefix: [fileId, start],
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    descending: order === 'desc',
    limit,
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

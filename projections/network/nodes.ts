import { renderEndpoint, renderProxy } from '#projections/network/endpoints.ts'
import type { NodeRow, networkSchema } from '#projections/network/schema.ts'
import type {
  NodeCreateTransactionBody,
  NodeSnapshotted,
  NodeUpdateTransactionBody,
  TransactionRecorded,
} from '#schemas/events/types.ts'
import { resolveAccount } from '#src/events/ids.ts'
import { keyBytes } from '#src/events/key-bytes.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof networkSchema>
type NodeFacts = Pick<
  TransactionRecorded,
  'consensusTimestamp' | 'nonce' | 'record' | 'nodeCreate' | 'nodeUpdate' | 'nodeDelete'
>

/** Number of the node that a transaction creates, changes or deletes. */
export function changedNode({ record, nodeCreate, nodeUpdate, nodeDelete }: NodeFacts): bigint | undefined {
  if (nodeCreate) return record?.receipt?.nodeId
  return nodeUpdate?.nodeId ?? nodeDelete?.nodeId
}

/** A node that nobody knows is kept as far as it is told. */
export function changeNode(rows: Rows, nodeId: bigint, facts: NodeFacts): void {
  const { consensusTimestamp: from, nodeCreate, nodeUpdate } = facts
  const before = rows.get('nodes', nodeId) ?? unknownNode(nodeId)
  const created = before.created ?? (nodeCreate || (nodeUpdate && facts.nonce > 0) ? from : null)
  const changes = nodeCreate ? createdFields(nodeCreate) : nodeUpdate ? updatedFields(nodeUpdate) : {}
  const deleted = nodeCreate || nodeUpdate ? 0 : 1
  rows.put('nodes', { ...before, ...changes, from, until: null, created, deleted })
}

function unknownNode(nodeId: bigint): NodeRow {
  const unknown = { from: 0n, until: null, accountId: null, adminKey: null, grpcProxy: null, created: null }
  return { ...unknown, nodeId, associated: '[]', declineReward: 0, deleted: 0 }
}

function createdFields(body: NodeCreateTransactionBody): Partial<NodeRow> {
  return {
    accountId: resolveAccount(body.accountId).id,
    adminKey: body.adminKey && keyBytes(body.adminKey),
    associated: numbers(body.associatedRegisteredNode),
    declineReward: body.declineReward ? 1 : 0,
    grpcProxy: body.grpcProxyEndpoint && renderProxy(body.grpcProxyEndpoint),
  }
}

/** What an update leaves out stays as it is. */
function updatedFields(body: NodeUpdateTransactionBody): Partial<NodeRow> {
  const accountId = resolveAccount(body.accountId).id
  const { adminKey, declineReward, grpcProxyEndpoint, associatedRegisteredNodeList: associated } = body
  return {
    ...(accountId !== null && { accountId }),
    ...(adminKey && { adminKey: keyBytes(adminKey) }),
    ...(declineReward !== null && { declineReward: declineReward ? 1 : 0 }),
    ...(grpcProxyEndpoint && { grpcProxy: renderProxy(grpcProxyEndpoint) }),
    ...(associated && { associated: numbers(associated.associatedRegisteredNode) }),
  }
}

export function stateNode(rows: Rows, stated: NodeSnapshotted): void {
  const { nodeId, asOf: from, validTo: until, accountId, adminKey, createdTimestamp: created } = stated
  const proxy = stated.grpcProxyEndpoint
  rows.put('nodes', {
    nodeId,
    from,
    until,
    accountId,
    adminKey,
    associated: numbers(stated.associatedRegisteredNodes ?? []),
    declineReward: stated.declineReward ? 1 : 0,
    grpcProxy:
      proxy && renderEndpoint({ ip: proxy.ipAddressV4 ?? '', port: proxy.port, domain: proxy.domainName ?? '' }),
    created,
    deleted: stated.deleted ? 1 : 0,
  })
}

/** JSON text, whatever the size of the numbers. */
function numbers(values: readonly bigint[]): string {
  return `[${values.join(',')}]`
}

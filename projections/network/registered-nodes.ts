import { kindBits, kindOf, registeredEndpoint, renderRegisteredEndpoints } from '#projections/network/endpoints.ts'
import type { networkSchema, RegisteredNodeRow } from '#projections/network/schema.ts'
import type {
  RegisteredNodeSnapshotted,
  RegisteredServiceEndpoint,
  TransactionRecorded,
} from '#schemas/events/types.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'
import { keyBytes } from '#src/events/key-bytes.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof networkSchema>
type RegisteredNodeFacts = Pick<
  TransactionRecorded,
  'consensusTimestamp' | 'record' | 'registeredNodeCreate' | 'registeredNodeUpdate' | 'registeredNodeDelete'
>

/** Number of the registered node that a transaction creates, changes or deletes. */
export function changedRegisteredNode(facts: RegisteredNodeFacts): bigint | undefined {
  const { record, registeredNodeCreate, registeredNodeUpdate, registeredNodeDelete } = facts
  if (registeredNodeCreate) return record?.receipt?.registeredNodeId
  return registeredNodeUpdate?.registeredNodeId ?? registeredNodeDelete?.registeredNodeId
}

/** One that nobody knows is kept as far as it is told. */
export function changeRegisteredNode(rows: Rows, id: bigint, facts: RegisteredNodeFacts): void {
  const { consensusTimestamp: from, registeredNodeCreate, registeredNodeUpdate } = facts
  const before = rows.get('registeredNodes', id) ?? unknownRegisteredNode(id)
  const created = before.created ?? (registeredNodeCreate ? from : null)
  putRegisteredNode(rows, {
    ...before,
    ...(registeredNodeCreate && { adminKey: null, ...endpointFields(registeredNodeCreate.serviceEndpoint) }),
    ...changedFields(registeredNodeCreate ?? registeredNodeUpdate),
    from,
    until: null,
    created,
    deleted: registeredNodeCreate || registeredNodeUpdate ? 0 : 1,
  })
}

type RegisteredNode = Omit<RegisteredNodeRow, 'text'>

function unknownRegisteredNode(id: bigint): RegisteredNode {
  const unknown = { from: 0n, until: null, adminKey: null, description: null, created: null }
  return { ...unknown, id, kinds: 0, endpoints: '[]', deleted: 0 }
}

/** What a body leaves out stays as it is; endpoints are replaced as a whole. */
function changedFields(
  body: TransactionRecorded['registeredNodeCreate'] | TransactionRecorded['registeredNodeUpdate'],
): Partial<RegisteredNode> {
  if (body === null) return {}
  const { adminKey, description, serviceEndpoint } = body
  return {
    ...(adminKey && { adminKey: keyBytes(adminKey) }),
    ...(description !== null && { description }),
    ...(serviceEndpoint.length > 0 && endpointFields(serviceEndpoint)),
  }
}

function endpointFields(given: readonly RegisteredServiceEndpoint[]): Pick<RegisteredNodeRow, 'kinds' | 'endpoints'> {
  const endpoints = given.map(registeredEndpoint)
  return { kinds: kindBits(endpoints.map(kindOf)), endpoints: renderRegisteredEndpoints(endpoints) }
}

export function stateRegisteredNode(rows: Rows, stated: RegisteredNodeSnapshotted): void {
  const { registeredNodeId: id, asOf: from, validTo: until, adminKey, description, createdTimestamp: created } = stated
  const endpoints = renderRegisteredEndpoints(stated.serviceEndpoints)
  const kinds = kindBits(stated.types)
  const deleted = stated.deleted ? 1 : 0
  putRegisteredNode(rows, { id, from, until, adminKey, description, kinds, endpoints, created, deleted })
}

function putRegisteredNode(rows: Rows, node: RegisteredNode): void {
  rows.put('registeredNodes', { ...node, text: renderRegisteredNode(node) })
}

function renderRegisteredNode(node: RegisteredNode): string {
  const { adminKey, created, description, id, endpoints, from } = node
  return (
    `{"admin_key":${renderKey(adminKey)},"created_timestamp":${created === null ? null : `"${formatLedgerTime(created)}"`},` +
    `"description":${JSON.stringify(description)},"registered_node_id":${id},"service_endpoints":${endpoints},` +
    `"timestamp":{"from":"${formatLedgerTime(from)}","to":null}}`
  )
}

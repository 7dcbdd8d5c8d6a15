import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { addressBookStatements } from '#test/conformance/state/address-books.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

/** Tables `node`, `registered_node` and their histories, and those of address books. */
export function networkStatements(rows: CaseRows): Statement[] {
  return [
    ...versionsOf(rows, 'node').map(nodeStatement),
    ...versionsOf(rows, 'registered_node').map(registeredNodeStatement),
    ...addressBookStatements(rows),
  ]
}

function nodeStatement(row: CaseRow): Statement {
  const nodeId = read.int64(row, 'node_id')
  const proxy = read.rowOrNull(row, 'grpc_proxy_endpoint')
  return statement('NodeSnapshotted', `node/${nodeId}`, {
    nodeId,
    ...validityOf(row),
    accountId: read.int64OrNull(row, 'account_id'),
    adminKey: read.bytesOrNull(row, 'admin_key'),
    associatedRegisteredNodes:
      row['associated_registered_nodes'] === null ? null : read.textsOf(row, 'associated_registered_nodes').map(BigInt),
    createdTimestamp: read.int64OrNull(row, 'created_timestamp'),
    declineReward: read.flag(row, 'decline_reward'),
    deleted: read.flag(row, 'deleted'),
    grpcProxyEndpoint: proxy && {
      domainName: read.textOrNull(proxy, 'domain_name'),
      ipAddressV4: read.textOrNull(proxy, 'ip_address_v4'),
      port: read.int32(proxy, 'port'),
    },
  })
}

function registeredNodeStatement(row: CaseRow): Statement {
  const registeredNodeId = read.int64(row, 'registered_node_id')
  return statement('RegisteredNodeSnapshotted', `registered-node/${registeredNodeId}`, {
    registeredNodeId,
    ...validityOf(row),
    adminKey: read.bytesOrNull(row, 'admin_key'),
    createdTimestamp: read.int64OrNull(row, 'created_timestamp'),
    deleted: read.flag(row, 'deleted'),
    description: read.textOrNull(row, 'description'),
    types: read.textsOf(row, 'type').map(Number),
    serviceEndpoints: read.rowsOf(row, 'service_endpoints').map(registeredEndpoint),
  })
}

const endpointApis = ['OTHER', 'STATUS', 'PUBLISH', 'SUBSCRIBE_STREAM', 'STATE_PROOF']

function registeredEndpoint(row: CaseRow) {
  const blockNode = read.rowOrNull(row, 'block_node')
  const generalService = read.rowOrNull(row, 'general_service')
  return {
    ipAddress: read.textOrNull(row, 'ip_address'),
    domainName: read.textOrNull(row, 'domain_name'),
    port: read.int32(row, 'port'),
    requiresTls: read.flag(row, 'requires_tls'),
    blockNode: blockNode && {
      endpointApis: read.textsOf(blockNode, 'endpoint_apis').map((name) => read.placeIn(name, endpointApis)),
    },
    generalService: generalService && { description: read.textOrNull(generalService, 'description') },
    mirrorNode: read.rowOrNull(row, 'mirror_node') !== null,
    rpcRelay: read.rowOrNull(row, 'rpc_relay') !== null,
  }
}

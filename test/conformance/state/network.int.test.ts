import { expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { networkStatements } from '#test/conformance/state/network.ts'

it('a node keeps the difference between no list and an empty one', () => {
  const node = {
    account_id: null,
    admin_key: '0x1220',
    created_timestamp: '4',
    decline_reward: true,
    deleted: false,
    timestamp_range: { from: '5', to: null },
  }
  const proxy = { domain_name: 'proxy.example.com', ip_address_v4: null, port: 443 }
  const statements = networkStatements({
    node: [
      { ...node, node_id: '1', associated_registered_nodes: null, grpc_proxy_endpoint: null },
      { ...node, node_id: '2', associated_registered_nodes: [], grpc_proxy_endpoint: null },
      { ...node, node_id: '3', associated_registered_nodes: ['7', '8'], grpc_proxy_endpoint: proxy },
    ],
  })

  const nodes = eventsOf(statements, 'NodeSnapshotted')
  expect(nodes.map(({ associatedRegisteredNodes }) => associatedRegisteredNodes)).toEqual([null, [], [7n, 8n]])
  expect(nodes[2]).toMatchObject({
    nodeId: 3n,
    asOf: 5n,
    accountId: null,
    adminKey: Buffer.from('1220', 'hex'),
    declineReward: true,
    grpcProxyEndpoint: { domainName: 'proxy.example.com', ipAddressV4: null, port: 443 },
  })
})

it('a registered node has endpoints of every kind and of none, and its kinds apart', () => {
  const endpoint = { ip_address: '192.0.2.1', port: 1, requires_tls: true }
  const statements = networkStatements({
    registered_node: [
      {
        registered_node_id: '7',
        admin_key: null,
        created_timestamp: '4',
        deleted: false,
        description: null,
        timestamp_range: { from: '5', to: null },
        type: [1, 2],
        service_endpoints: [
          { ...endpoint, block_node: { endpoint_apis: ['STATUS', 'STATE_PROOF'] } },
          { ...endpoint, general_service: { description: 'indexer' } },
          { ...endpoint, mirror_node: {} },
          { ...endpoint, rpc_relay: {} },
          { domain_name: 'x.example.com', port: 2, requires_tls: false },
        ],
      },
    ],
  })

  const none = { blockNode: null, generalService: null, mirrorNode: false, rpcRelay: false }
  const here = { ...none, ipAddress: '192.0.2.1', domainName: null, port: 1, requiresTls: true }
  expect(eventsOf(statements, 'RegisteredNodeSnapshotted')).toEqual([
    {
      registeredNodeId: 7n,
      asOf: 5n,
      validTo: null,
      adminKey: null,
      createdTimestamp: 4n,
      deleted: false,
      description: null,
      types: [1, 2],
      serviceEndpoints: [
        { ...here, blockNode: { endpointApis: [1, 4] } },
        { ...here, generalService: { description: 'indexer' } },
        { ...here, mirrorNode: true },
        { ...here, rpcRelay: true },
        { ...none, ipAddress: null, domainName: 'x.example.com', port: 2, requiresTls: false },
      ],
    },
  ])
})

it('an address book has its entries and their endpoints, texts as they stand there', () => {
  const book = { file_id: '102', file_data: '0x', node_count: 2 }
  const entry = { node_account_id: '4', description: 'one', memo: '0.0.4', public_key: '4a5', stake: null }
  const statements = networkStatements({
    address_book: [
      { ...book, start_consensus_timestamp: '10', end_consensus_timestamp: '20' },
      { ...book, start_consensus_timestamp: '20', end_consensus_timestamp: null },
    ],
    address_book_entry: [
      { ...entry, consensus_timestamp: '20', node_id: '1', node_cert_hash: '0x616263' },
      { ...entry, consensus_timestamp: '10', node_id: '1', node_cert_hash: null },
    ],
    address_book_service_endpoint: [
      { consensus_timestamp: '20', node_id: '1', domain_name: '', ip_address_v4: '192.0.2.1', port: 50211 },
      { consensus_timestamp: '10', node_id: '2', domain_name: 'other', ip_address_v4: '', port: 1 },
    ],
  })

  const [earlier, present] = eventsOf(statements, 'AddressBookSnapshotted')
  expect(earlier).toMatchObject({ asOf: 10n, validTo: 20n, entries: [{ nodeCertHash: null, serviceEndpoints: [] }] })
  expect(present).toEqual({
    fileId: 102n,
    contents: Buffer.alloc(0),
    asOf: 20n,
    validTo: null,
    nodeCount: 2,
    entries: [
      {
        nodeId: 1n,
        nodeAccountId: 4n,
        description: 'one',
        memo: '0.0.4',
        publicKey: '4a5',
        nodeCertHash: Buffer.from('abc'),
        stake: null,
        serviceEndpoints: [{ domainName: '', ipAddressV4: '192.0.2.1', port: 50_211 }],
      },
    ],
  })
})

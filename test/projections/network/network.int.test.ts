import { describe, expect, it } from 'vitest'
import { networkProjection } from '#projections/network/projection.ts'
import type { EventOf, RegisteredServiceEndpoint, TransactionRecorded } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { transaction } from '#test/projections/hooks/story.ts'
import { book } from '#test/projections/network/story.ts'
import { recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'
import { type Sketch, wholeEvent } from '#test/support/whole-event.ts'

const fold = (...records: readonly LogRecord[]) => foldedRows(networkProjection, records)

const file = 102n
const created = (time: bigint, contents: Buffer) => transaction(time, 17, file, { fileCreate: { contents } })
const updated = (time: bigint, contents: Buffer, id = file) => transaction(time, 19, id, { fileUpdate: { contents } })
const appended = (time: bigint, contents: Buffer) => transaction(time, 16, file, { fileAppend: { contents } })

const stated = (facts: Sketch<EventOf<'AddressBookSnapshotted'>>) =>
  recordOf('AddressBookSnapshotted', wholeEvent('AddressBookSnapshotted', { fileId: file, ...facts }))

describe('address books', () => {
  it('begin after the transaction that makes them and end with the one that makes the next', async () => {
    const rows = await fold(updated(10n, book(0, 1)), updated(20n, book(1)))
    expect(rows['addressBooks']).toEqual([
      { fileId: file, start: 11n, end: 20n, nodeCount: 2 },
      { fileId: file, start: 21n, end: null, nodeCount: 1 },
    ])
    expect(rows['addressBookEntries']).toHaveLength(3)
    expect(rows['addressBookEntries']!.at(-1)).toMatchObject({
      start: 21n,
      nodeId: 1n,
      accountId: 4n,
      description: 'node 1',
      publicKey: '"0xabcd"',
      certHash: '"0xfeed"',
    })
  })

  it('list their endpoints by address and port', async () => {
    const [entry] = (await fold(updated(10n, book(1))))['addressBookEntries']!
    expect(JSON.parse(entry!['endpoints'] as string)).toEqual([
      { domain_name: '', ip_address_v4: '10.0.0.1', port: 50_211 },
      { domain_name: '', ip_address_v4: '10.0.0.1', port: 50_212 },
      { domain_name: '', ip_address_v4: '10.0.0.2', port: 50_211 },
    ])
  })

  it('are made with each part of an upload after which the file can be read', async () => {
    const [first, second] = [book(0), book(1)]
    const rows = await fold(
      created(10n, first.subarray(0, 7)),
      appended(20n, first.subarray(7)),
      appended(30n, second.subarray(0, 9)),
      appended(40n, second.subarray(9)),
    )
    expect(rows['addressBooks']).toMatchObject([
      { start: 21n, end: 40n, nodeCount: 1 },
      { start: 41n, end: null, nodeCount: 2 },
    ])
  })

  it('are not made by parts of what nobody knows, updates without contents, other files and failures', async () => {
    const failed = { successful: false, result: 7, fileUpdate: { contents: book(0) } }
    const rows = await fold(
      appended(10n, book(0)),
      updated(20n, Buffer.alloc(0)),
      updated(30n, book(0), 150n),
      transaction(40n, 19, file, failed),
      updated(50n, Buffer.from('no book')),
    )
    expect(rows['addressBooks']).toEqual([])
  })

  it('of 101 and 102 follow each other apart', async () => {
    const rows = await fold(updated(10n, book(0), 101n), updated(20n, book(0)))
    expect(rows['addressBooks']).toMatchObject([
      { fileId: 101n, start: 11n, end: null },
      { fileId: 102n, start: 21n, end: null },
    ])
  })

  it('open with the stated one, from its contents or its entries', async () => {
    const entries = [{ nodeId: 9n, nodeAccountId: 12n, publicKey: 'a1b', nodeCertHash: Buffer.from('0xab') }]
    const rows = await fold(stated({ contents: book(0, 1) }), stated({ asOf: 5n, entries, nodeCount: 3 }))
    expect(rows['addressBooks']).toMatchObject([
      { start: 0n, end: 4n, nodeCount: 2 },
      { start: 5n, end: null, nodeCount: 3 },
    ])
    expect(rows['addressBookEntries']!.at(-1)).toMatchObject({
      nodeId: 9n,
      accountId: 12n,
      publicKey: '"0xa1b"',
      certHash: '"0xab"',
      memo: null,
      endpoints: '[]',
    })
  })
})

const proxy = { ipAddressV4: Buffer.from([10, 0, 0, 1]), port: 443, domainName: '' }
const receipt = (nodeId: bigint) => ({ receipt: { nodeId, registeredNodeId: nodeId } })
const nodeCreated = (time: bigint) =>
  transaction(time, 54, 4n, {
    record: receipt(1n),
    nodeCreate: {
      accountId: { accountNum: 4n, alias: null },
      adminKey: { ed25519: Buffer.alloc(32, 1) },
      grpcProxyEndpoint: proxy,
      associatedRegisteredNode: [3n, 5n],
    },
  })
type NodeUpdate = Sketch<NonNullable<TransactionRecorded['nodeUpdate']>>
const nothing: NodeUpdate = { nodeId: 1n, description: null, declineReward: null, gossipCaCertificate: null }
const nodeUpdated = (time: bigint, nodeUpdate: NodeUpdate, nonce = 0) =>
  transaction(time, 55, null, { nonce, nodeUpdate: { ...nothing, ...nodeUpdate } })

describe('consensus nodes', () => {
  it('are created with what the body says, under the number of the receipt', async () => {
    const rows = await fold(nodeCreated(10n))
    expect(rows['nodes']).toMatchObject([
      {
        nodeId: 1n,
        from: 10n,
        until: null,
        accountId: 4n,
        associated: '[3,5]',
        declineReward: 0,
        grpcProxy: '{"domain_name":"","ip_address_v4":"10.0.0.1","port":443}',
        created: 10n,
        deleted: 0,
      },
    ])
  })

  it('keep what an update leaves out, and lose what it empties', async () => {
    const empty = { ipAddressV4: Buffer.alloc(0), port: 0, domainName: '' }
    const rows = await fold(
      nodeCreated(10n),
      nodeUpdated(20n, { declineReward: true }),
      nodeUpdated(30n, { grpcProxyEndpoint: empty, associatedRegisteredNodeList: {} }),
    )
    expect(rows['nodes']).toMatchObject([
      { from: 30n, accountId: 4n, associated: '[]', declineReward: 1, grpcProxy: null, created: 10n },
    ])
    expect(rows['nodeVersions']).toMatchObject([
      { from: 10n, until: 20n, declineReward: 0, associated: '[3,5]' },
      { from: 20n, until: 30n, declineReward: 1, associated: '[3,5]' },
    ])
  })

  it('stay with all that is known of them when they are deleted', async () => {
    const rows = await fold(nodeCreated(10n), transaction(20n, 56, null, { nodeDelete: { nodeId: 1n } }))
    expect(rows['nodes']).toMatchObject([{ from: 20n, accountId: 4n, created: 10n, deleted: 1 }])
  })

  it('are created by an update that the network made itself; else their creation is unknown', async () => {
    const rows = await fold(nodeUpdated(10n, {}, 1), nodeUpdated(20n, { nodeId: 2n }))
    expect(rows['nodes']).toMatchObject([
      { nodeId: 1n, created: 10n },
      { nodeId: 2n, created: null, accountId: null },
    ])
  })

  it('have the stakes that each update sets', async () => {
    const stake = {
      nodeId: 1n,
      maxStake: 9n,
      minStake: 1n,
      rewardRate: 2n,
      stake: 5n,
      stakeNotRewarded: 1n,
      stakeRewarded: 4n,
    }
    const endOfStakingPeriod = { seconds: 1n, nanos: 5 }
    const period = { asOf: 20n, nodes: [{ ...stake, stakingPeriod: 7n, stake: 6n }] }
    const rows = await fold(
      transaction(10n, 51, null, { nodeStakeUpdate: { endOfStakingPeriod, nodeStake: [stake] } }),
      recordOf('NodeStakesSnapshotted', wholeEvent('NodeStakesSnapshotted', period)),
    )
    expect(rows['nodeStakes']).toEqual([
      { ...stake, time: 10n, stakingPeriod: 1_000_000_005n },
      { ...stake, time: 20n, stakingPeriod: 7n, stake: 6n },
    ])
  })

  it('are what a statement says, with its versions', async () => {
    const node = (facts: Sketch<EventOf<'NodeSnapshotted'>>) =>
      recordOf('NodeSnapshotted', wholeEvent('NodeSnapshotted', { nodeId: 1n, ...facts }))
    const rows = await fold(node({ asOf: 5n, validTo: 8n, declineReward: true }), node({ asOf: 9n, accountId: 7n }))
    expect(rows['nodes']).toMatchObject([{ from: 9n, until: null, accountId: 7n, associated: '[]', declineReward: 0 }])
    expect(rows['nodeVersions']).toMatchObject([{ from: 5n, until: 8n, declineReward: 1 }])
  })
})

type Endpoints = readonly Sketch<RegisteredServiceEndpoint>[]
const registered = (time: bigint, serviceEndpoint: Endpoints) =>
  transaction(time, 78, null, {
    record: receipt(7n),
    registeredNodeCreate: { adminKey: { ed25519: Buffer.alloc(32, 1) }, description: 'mine', serviceEndpoint },
  })
const every: Endpoints = [
  { ipAddress: Buffer.from([10, 0, 0, 1]), port: 1n, requiresTls: true, blockNode: { endpointApi: [1, 2, 9] } },
  { domainName: 'g.example', port: 2n, generalService: { description: 'indexer' } },
  { ipAddress: Buffer.from('20010db8000000000000000000000001', 'hex'), port: 3n, mirrorNode: {} },
  { domainName: 'r.example', port: 4n, rpcRelay: {} },
  { domainName: 'u.example', port: 5n },
]

describe('registered nodes', () => {
  it('show endpoints of every kind, and know which kinds they have', async () => {
    const [row] = (await fold(registered(10n, every)))['registeredNodes']!
    const none = { block_node: null, general_service: null, mirror_node: null, rpc_relay: null, requires_tls: false }
    expect(JSON.parse(row!['endpoints'] as string)).toEqual([
      {
        ...none,
        block_node: { endpoint_apis: ['STATUS', 'PUBLISH', 'UNRECOGNIZED'] },
        domain_name: null,
        ip_address: '10.0.0.1',
        port: 1,
        requires_tls: true,
        type: 'BLOCK_NODE',
      },
      {
        ...none,
        general_service: { description: 'indexer' },
        domain_name: 'g.example',
        ip_address: null,
        port: 2,
        type: 'GENERAL_SERVICE',
      },
      { ...none, mirror_node: {}, domain_name: null, ip_address: '2001:db8:0:0:0:0:0:1', port: 3, type: 'MIRROR_NODE' },
      { ...none, rpc_relay: {}, domain_name: 'r.example', ip_address: null, port: 4, type: 'RPC_RELAY' },
      { ...none, domain_name: 'u.example', ip_address: null, port: 5, type: 'GENERAL_SERVICE' },
    ])
    expect(row).toMatchObject({ id: 7n, kinds: 0b11111, description: 'mine', created: 10n, deleted: 0 })
    expect(JSON.parse(row!['text'] as string)).toMatchObject({
      created_timestamp: '0.000000010',
      registered_node_id: 7,
      service_endpoints: JSON.parse(row!['endpoints'] as string),
      timestamp: { from: '0.000000010', to: null },
    })
  })

  it('keep what an update leaves out and replace their endpoints as a whole', async () => {
    const rows = await fold(
      registered(10n, every),
      transaction(20n, 79, null, { registeredNodeUpdate: { registeredNodeId: 7n, description: 'ours' } }),
      transaction(30n, 79, null, {
        registeredNodeUpdate: { registeredNodeId: 7n, description: null, serviceEndpoint: every.slice(3, 4) },
      }),
      transaction(40n, 80, null, { registeredNodeDelete: { registeredNodeId: 7n } }),
    )
    expect(rows['registeredNodes']).toMatchObject([{ from: 40n, description: 'ours', kinds: 0b10000, deleted: 1 }])
    expect(rows['registeredNodeVersions']).toMatchObject([
      { from: 10n, until: 20n, description: 'mine', kinds: 0b11111 },
      { from: 20n, until: 30n, description: 'ours', kinds: 0b11111 },
      { from: 30n, until: 40n, description: 'ours', kinds: 0b10000, deleted: 0 },
    ])
    expect(rows['registeredNodes']![0]!['adminKey']).toHaveLength(34)
  })

  it('give the same rows whatever the batches, the commits and the room for rows', async () => {
    const story = [
      stated({ contents: book(0) }),
      nodeCreated(10n),
      registered(11n, every),
      created(12n, book(0).subarray(0, 5)),
      appended(13n, book(0).subarray(5)),
      appended(14n, book(1)),
      nodeUpdated(15n, { declineReward: true }),
      transaction(16n, 80, null, { registeredNodeDelete: { registeredNodeId: 7n } }),
      updated(17n, book(2)),
    ]
    const rows = await fold(...story)
    expect(rows['addressBooks']).toHaveLength(4)
    for (const limits of awkwardLimits) expect(await foldedRows(networkProjection, story, limits)).toEqual(rows)
  })
})

import type { Message } from '#src/simulator/codec.ts'
import { accountId, accounts, wrapped } from '#src/simulator/ids.ts'
import { forget, remember } from '#src/simulator/ledger-state.ts'
import { sha384 } from '#src/simulator/record-file.ts'
import type { Kind } from '#src/simulator/submission.ts'

const nodesMost = 10

const endpoint = (num: number, port: number): Message => ({ domainName: `node${num}.simulated.example`, port })

/** A node that is announced but does not sign files: those who sign are fixed by the options. */
export const nodeCreate: Kind = (world) => {
  const payer = accounts.treasury
  const id = world.state.nextNodeId
  const account = world.user().num
  const body = {
    accountId: accountId(account),
    description: `candidate ${id}`,
    gossipEndpoint: [endpoint(id, 50_111)],
    serviceEndpoint: [endpoint(id, 50_211), { ipAddressV4: Buffer.of(10, 0, 0, id % 250), port: 50_211 }],
    gossipCaCertificate: world.prng.bytes(64),
    grpcCertificateHash: sha384(world.prng.bytes(8)),
    adminKey: world.keyOf(account),
    grpcProxyEndpoint: endpoint(id, 443),
    associatedRegisteredNode: world.state.registeredNodes.slice(0, 2),
  }
  const result = world.failure('INVALID_SIGNATURE')
  if (result) return { body: { nodeCreate: body }, payer, result }
  world.state.nextNodeId += 1
  remember(world.state.nodes, { id, account }, nodesMost)
  return { body: { nodeCreate: body }, payer, signers: [account], receipt: { nodeId: id } }
}

export const nodeUpdate: Kind = (world) => {
  const node = world.some(world.state.nodes)
  if (!node) return undefined
  const associated = { associatedRegisteredNode: world.state.registeredNodes.slice(0, 1) }
  const body = {
    nodeId: node.id,
    accountId: accountId(node.account),
    description: wrapped(`candidate ${node.id}, renamed`),
    declineReward: wrapped(true),
  }
  const result = world.failure('INVALID_NODE_ID', 'INVALID_SIGNATURE')
  return {
    body: { nodeUpdate: { ...body, associatedRegisteredNodeList: associated } },
    payer: accounts.treasury,
    ...(result ? { result } : {}),
  }
}

export const nodeDelete: Kind = (world) => {
  const node = world.some(world.state.nodes)
  if (!node) return undefined
  forget(world.state.nodes, node)
  return { body: { nodeDelete: { nodeId: node.id } }, payer: accounts.treasury }
}

const registeredEndpoints: readonly Message[] = [
  { domainName: 'blocks.simulated.example', port: 40_840, requiresTls: true, blockNode: { endpointApi: [1, 2, 3] } },
  { ipAddress: Buffer.of(10, 1, 2, 3), port: 5_600, mirrorNode: {} },
  { domainName: 'relay.simulated.example', port: 7_546, requiresTls: true, rpcRelay: {} },
  { ipAddress: Buffer.alloc(16, 1), port: 8_080, generalService: { description: 'indexer' } },
]

export const registeredNodeCreate: Kind = (world) => {
  const payer = world.payer()
  const id = world.state.nextRegisteredNodeId
  const serviceEndpoint = registeredEndpoints.slice(0, world.prng.between(1, registeredEndpoints.length))
  const body = { adminKey: world.keyOf(payer), description: `registered node ${id}`, serviceEndpoint }
  const result = world.failure('INVALID_SIGNATURE')
  if (result) return { body: { registeredNodeCreate: body }, payer, result }
  world.state.nextRegisteredNodeId += 1
  remember(world.state.registeredNodes, id, nodesMost)
  return { body: { registeredNodeCreate: body }, payer, receipt: { registeredNodeId: id } }
}

export const registeredNodeUpdate: Kind = (world) => {
  const id = world.some(world.state.registeredNodes)
  if (id === undefined) return undefined
  const result = world.failure('INVALID_REGISTERED_NODE_ID')
  const serviceEndpoint = [world.prng.pick(registeredEndpoints)]
  const body = {
    registeredNodeUpdate: { registeredNodeId: id, description: wrapped(`node ${id}, renamed`), serviceEndpoint },
  }
  return { body, payer: world.payer(), ...(result ? { result } : {}) }
}

export const registeredNodeDelete: Kind = (world) => {
  const id = world.some(world.state.registeredNodes)
  if (id === undefined) return undefined
  forget(world.state.registeredNodes, id)
  return { body: { registeredNodeDelete: { registeredNodeId: id } }, payer: world.payer() }
}

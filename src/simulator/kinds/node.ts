import { keyHex } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, accounts, wrapped } from '#src/simulator/ids.ts'
import type { EndpointFacts, LedgerChange, NodeFacts } from '#src/simulator/ledger-change.ts'
import { forget } from '#src/simulator/ledger-state.ts'
import { sha384 } from '#src/simulator/record-file.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const candidatesMost = 10
const proxyPort = 443

const endpoint = (num: number, port: number): Message => ({ domainName: `node${num}.simulated.example`, port })

function changed(id: number, set: Partial<NodeFacts>, fresh = false): LedgerChange {
  return { table: 'nodes', key: String(id), set, fresh }
}

/** The node as the network knows it from the start, and one that is announced later but does not sign files. */
function announcement(world: World, id: number, account: number, registered: readonly number[]): Submission {
  const adminKey = world.keyOf(account)
  const proxy = world.prng.chance(0.6)
  const declines = world.prng.chance(0.2)
  const body = {
    accountId: accountId(account),
    description: id < world.options.nodes ? `simulated node ${id}` : `candidate ${id}`,
    gossipEndpoint: [endpoint(id, 50_111)],
    serviceEndpoint: [endpoint(id, 50_211), { ipAddressV4: Buffer.of(10, 0, 0, id % 250), port: 50_211 }],
    gossipCaCertificate: world.prng.bytes(64),
    grpcCertificateHash: sha384(world.prng.bytes(8)),
    adminKey,
    ...(declines ? { declineReward: true } : {}),
    ...(proxy ? { grpcProxyEndpoint: endpoint(id, proxyPort) } : {}),
    associatedRegisteredNode: registered,
  }
  const facts: Partial<NodeFacts> = {
    account,
    adminKey: keyHex(adminKey),
    declineReward: declines,
    grpcProxyEndpoint: proxy ? proxyOf(id) : null,
    associatedRegisteredNodes: registered,
  }
  // What is 0 is not written.
  const receipt = id === 0 ? {} : { nodeId: id }
  return { body: { nodeCreate: body }, payer: accounts.treasury, receipt, changes: [changed(id, facts, true)] }
}

function proxyOf(id: number): EndpointFacts {
  return { domainName: `node${id}.simulated.example`, ipAddress: '', port: proxyPort }
}

/** The nodes that sign, as the network writes them down before its first transaction. */
export function openingNodes(world: World): Submission[] {
  return Array.from({ length: world.options.nodes }, (_, id) => {
    const account = accounts.firstNode + id
    world.state.nodes.push({ id, account })
    return { ...announcement(world, id, account, []), system: true }
  })
}

export const nodeCreate: Kind = (world) => {
  const id = world.state.nextNodeId
  const account = world.user().num
  const planned = announcement(world, id, account, world.state.registeredNodes.slice(0, 2))
  const result = world.failure('INVALID_SIGNATURE')
  if (result) return { body: planned.body, payer: planned.payer, result }
  const known = candidates(world)
  if (known.length >= candidatesMost) return undefined
  world.state.nextNodeId += 1
  world.state.nodes.push({ id, account })
  return { ...planned, signers: [account] }
}

function candidates({ state, options }: World): { id: number; account: number }[] {
  return state.nodes.filter(({ id }) => id >= options.nodes)
}

/** Nodes that sign keep their accounts, by which readers find their files. */
export const nodeUpdate: Kind = (world) => {
  const node = world.some(world.state.nodes)
  if (!node) return undefined
  const result = world.failure('INVALID_NODE_ID', 'INVALID_SIGNATURE')
  if (result)
    return { body: { nodeUpdate: { nodeId: node.id, description: wrapped('x') } }, payer: accounts.treasury, result }
  const updates = [changeReward, changeProxy, changeRegistered, changeAdmin, changeAccount]
  const { fields, facts } = world.prng.pick(updates)(world, node)
  return {
    body: { nodeUpdate: { nodeId: node.id, description: wrapped(`node ${node.id}, renamed`), ...fields } },
    payer: accounts.treasury,
    changes: [changed(node.id, facts)],
  }
}

interface NodeUpdate {
  readonly fields: Message
  readonly facts: Partial<NodeFacts>
}

type KnownNode = World['state']['nodes'][number]

function changeReward({ prng }: World): NodeUpdate {
  const declineReward = prng.chance(0.5)
  return { fields: { declineReward: wrapped(declineReward) }, facts: { declineReward } }
}

/** An endpoint without anything in it takes the former one away. */
function changeProxy({ prng }: World, { id }: KnownNode): NodeUpdate {
  return prng.chance(0.3)
    ? { fields: { grpcProxyEndpoint: {} }, facts: { grpcProxyEndpoint: null } }
    : { fields: { grpcProxyEndpoint: endpoint(id, proxyPort) }, facts: { grpcProxyEndpoint: proxyOf(id) } }
}

function changeRegistered({ prng, state }: World): NodeUpdate {
  const associated = state.registeredNodes.slice(0, prng.between(0, 3))
  return {
    fields: { associatedRegisteredNodeList: { associatedRegisteredNode: associated } },
    facts: { associatedRegisteredNodes: associated },
  }
}

function changeAdmin(world: World, { account }: KnownNode): NodeUpdate {
  const adminKey = world.keys.key(world.state.nextKey++, account % 2 === 0)
  return { fields: { adminKey }, facts: { adminKey: keyHex(adminKey) } }
}

function changeAccount(world: World, node: KnownNode): NodeUpdate {
  if (node.id < world.options.nodes) return changeReward(world)
  node.account = world.user().num
  return { fields: { accountId: accountId(node.account) }, facts: { account: node.account } }
}

export const nodeDelete: Kind = (world) => {
  const node = world.some(candidates(world))
  if (!node) return undefined
  forget(world.state.nodes, node)
  return {
    body: { nodeDelete: { nodeId: node.id } },
    payer: accounts.treasury,
    changes: [changed(node.id, { deleted: true })],
  }
}

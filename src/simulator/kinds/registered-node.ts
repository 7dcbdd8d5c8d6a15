import { keyHex } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accounts, wrapped } from '#src/simulator/ids.ts'
import type { LedgerChange, RegisteredEndpointFacts, RegisteredNodeFacts } from '#src/simulator/ledger-change.ts'
import { forget, remember } from '#src/simulator/ledger-state.ts'
import type { BlockNodeAddress } from '#src/simulator/resolved-options.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const nodesMost = 10

function changed(id: number, set: Partial<RegisteredNodeFacts>, fresh = false): LedgerChange {
  return { table: 'registeredNodes', key: String(id), set, fresh }
}

type Address = Pick<RegisteredEndpointFacts, 'domainName' | 'ipAddress' | 'port' | 'requiresTls'>

function someAddress({ prng }: World): Address {
  const port = prng.between(1_024, 65_535)
  const requiresTls = prng.chance(0.5)
  if (prng.chance(0.4))
    return { domainName: `peer${prng.below(100)}.simulated.example`, ipAddress: null, port, requiresTls }
  const ip = prng.chance(0.6) ? Buffer.of(10, 1, 2, prng.between(1, 250)) : prng.bytes(16)
  return { domainName: null, ipAddress: ip.toString('hex'), port, requiresTls }
}

/** Numbers of enum BlockNodeApi: status, publishing, streams. Who has all of them serves blocks to everybody. */
const servingApis = [1, 2, 3]

function servingEndpoint({ ip, port }: BlockNodeAddress): RegisteredEndpointFacts {
  const ipAddress = Buffer.from(ip.split('.').map(Number)).toString('hex')
  const address = { domainName: null, ipAddress, port, requiresTls: false }
  return { kind: 'BLOCK_NODE', ...address, apis: servingApis, description: null }
}

/** Whoever looks for block nodes tries each of these: in a network that has some they are there. */
function withRealAddress(facts: RegisteredEndpointFacts, { options, state }: World): RegisteredEndpointFacts {
  const { blockNodes } = options
  const node = blockNodes[state.nextRegisteredNodeId % blockNodes.length]
  const serves = servingApis.every((api) => facts.apis.includes(api))
  return node && serves ? { ...servingEndpoint(node), apis: facts.apis } : facts
}

function someEndpoint(world: World): RegisteredEndpointFacts {
  const { prng } = world
  const kind = prng.pick(['BLOCK_NODE', 'GENERAL_SERVICE', 'MIRROR_NODE', 'RPC_RELAY'] as const)
  const apis = kind === 'BLOCK_NODE' ? [0, 1, 2, 3, 4].filter(() => prng.chance(0.5)) : []
  const description = kind === 'GENERAL_SERVICE' ? prng.pick(['indexer', 'explorer', '']) : null
  return withRealAddress({ kind, ...someAddress(world), apis, description }, world)
}

function someEndpoints(world: World): RegisteredEndpointFacts[] {
  return Array.from({ length: world.prng.between(1, 4) }, () => someEndpoint(world))
}

function endpointMessage(facts: RegisteredEndpointFacts): Message {
  const { domainName, ipAddress, port, requiresTls } = facts
  return {
    ...(domainName === null ? { ipAddress: Buffer.from(ipAddress ?? '', 'hex') } : { domainName }),
    port,
    ...(requiresTls ? { requiresTls } : {}),
    ...kindMessage(facts),
  }
}

function kindMessage({ kind, apis, description }: RegisteredEndpointFacts): Message {
  if (kind === 'BLOCK_NODE') return { blockNode: { endpointApi: apis } }
  if (kind === 'MIRROR_NODE') return { mirrorNode: {} }
  if (kind === 'RPC_RELAY') return { rpcRelay: {} }
  return { generalService: description ? { description } : {} }
}

/** The network's own block nodes, each with a registration. */
export function openingBlockNodes(world: World): Submission[] {
  return world.options.blockNodes.map((address) => {
    const id = world.state.nextRegisteredNodeId++
    const adminKey = world.keyOf(accounts.treasury)
    const endpoints = [servingEndpoint(address)]
    const description = `block node ${address.ip}:${address.port}`
    return {
      body: { registeredNodeCreate: { adminKey, description, serviceEndpoint: endpoints.map(endpointMessage) } },
      payer: accounts.treasury,
      system: true,
      receipt: { registeredNodeId: id },
      changes: [changed(id, { adminKey: keyHex(adminKey), description, endpoints }, true)],
    }
  })
}

export const registeredNodeCreate: Kind = (world) => {
  const payer = world.payer()
  const id = world.state.nextRegisteredNodeId
  const endpoints = someEndpoints(world)
  const adminKey = world.keyOf(payer)
  const description = `registered node ${id}`
  const body = { adminKey, description, serviceEndpoint: endpoints.map(endpointMessage) }
  const result = world.failure('INVALID_SIGNATURE')
  if (result) return { body: { registeredNodeCreate: body }, payer, result }
  world.state.nextRegisteredNodeId += 1
  remember(world.state.registeredNodes, id, nodesMost)
  const facts = { adminKey: keyHex(adminKey), description, endpoints }
  const receipt = { registeredNodeId: id }
  return { body: { registeredNodeCreate: body }, payer, receipt, changes: [changed(id, facts, true)] }
}

/** Endpoints are replaced all together or not at all. */
export const registeredNodeUpdate: Kind = (world) => {
  const id = world.some(world.state.registeredNodes)
  if (id === undefined) return undefined
  const payer = world.payer()
  const result = world.failure('INVALID_REGISTERED_NODE_ID')
  const { fields, facts } = world.prng.pick([renamed, moved, handedOver])(world, payer)
  return {
    body: { registeredNodeUpdate: { registeredNodeId: id, ...fields } },
    payer,
    changes: [changed(id, facts)],
    ...(result ? { result } : {}),
  }
}

interface RegisteredUpdate {
  readonly fields: Message
  readonly facts: Partial<RegisteredNodeFacts>
}

function renamed({ prng }: World): RegisteredUpdate {
  const description = prng.pick([`renamed ${prng.below(100)}`, ''])
  return { fields: { description: wrapped(description) }, facts: { description } }
}

function moved(world: World): RegisteredUpdate {
  const endpoints = someEndpoints(world)
  return { fields: { serviceEndpoint: endpoints.map(endpointMessage) }, facts: { endpoints } }
}

function handedOver(world: World, payer: number): RegisteredUpdate {
  const adminKey = world.keyOf(payer)
  return { fields: { adminKey }, facts: { adminKey: keyHex(adminKey) } }
}

export const registeredNodeDelete: Kind = (world) => {
  const id = world.some(world.state.registeredNodes)
  if (id === undefined) return undefined
  forget(world.state.registeredNodes, id)
  const body = { registeredNodeDelete: { registeredNodeId: id } }
  return { body, payer: world.payer(), changes: [changed(id, { deleted: true })] }
}

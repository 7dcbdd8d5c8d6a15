import type {
  RegisteredNodeSnapshotted,
  RegisteredServiceEndpoint,
  TransactionRecorded,
} from '#schemas/events/types.ts'
import { ipText } from '#src/domain/ip-address.ts'
import type { BlockNodeEndpoint } from '#src/ports/block-node.ts'

/** A block node that its operator has registered on the ledger. */
export interface RegisteredBlockNode extends BlockNodeEndpoint {
  readonly registeredNodeId: bigint
}

// Numbers of enum BlockNodeApi.
const status = 1
const publish = 2
const subscribeStream = 3

type NodeFacts = Pick<
  TransactionRecorded,
  'record' | 'registeredNodeCreate' | 'registeredNodeUpdate' | 'registeredNodeDelete'
>

/** Registered nodes as far as they serve blocks to everybody: whatever endpoint has status, publishing and streams. */
export class RegisteredBlockNodes {
  readonly #nodes = new Map<bigint, readonly BlockNodeEndpoint[]>()
  /** Rises with every change. */
  version = 0

  /** By number of the registered node. */
  get all(): RegisteredBlockNode[] {
    const numbers = [...this.#nodes.keys()].sort((a, b) => (a < b ? -1 : 1))
    return numbers.flatMap((registeredNodeId) =>
      this.#nodes.get(registeredNodeId)!.map((endpoint) => ({ ...endpoint, registeredNodeId })),
    )
  }

  /** Takes in a successful transaction about a registered node. An update without endpoints leaves them as they are. */
  apply({ record, registeredNodeCreate, registeredNodeUpdate, registeredNodeDelete }: NodeFacts): void {
    if (registeredNodeDelete) this.#set(registeredNodeDelete.registeredNodeId, [])
    if (registeredNodeCreate && record?.receipt)
      this.#set(record.receipt.registeredNodeId, registeredNodeCreate.serviceEndpoint.flatMap(fromBody))
    if (registeredNodeUpdate && registeredNodeUpdate.serviceEndpoint.length > 0)
      this.#set(registeredNodeUpdate.registeredNodeId, registeredNodeUpdate.serviceEndpoint.flatMap(fromBody))
  }

  /** Takes in what is true of one now; what was true once says nothing. */
  state({ registeredNodeId, validTo, deleted, serviceEndpoints }: RegisteredNodeSnapshotted): void {
    if (validTo !== null) return
    this.#set(registeredNodeId, deleted ? [] : serviceEndpoints.flatMap(fromStatement))
  }

  /** JSON of all. */
  get text(): string {
    return JSON.stringify(this.all.map(({ registeredNodeId, ...endpoint }) => [registeredNodeId.toString(), endpoint]))
  }

  restore(text: string): void {
    for (const [number, endpoint] of JSON.parse(text) as [string, BlockNodeEndpoint][]) {
      const id = BigInt(number)
      this.#nodes.set(id, [...(this.#nodes.get(id) ?? []), endpoint])
    }
    this.version += 1
  }

  #set(id: bigint, endpoints: readonly BlockNodeEndpoint[]): void {
    if (endpoints.length === 0 && !this.#nodes.has(id)) return
    if (endpoints.length === 0) this.#nodes.delete(id)
    else this.#nodes.set(id, endpoints)
    this.version += 1
  }
}

function servesBlocks(apis: readonly number[]): boolean {
  return [status, publish, subscribeStream].every((api) => apis.includes(api))
}

function fromBody({
  blockNode,
  domainName,
  ipAddress,
  port,
  requiresTls,
}: RegisteredServiceEndpoint): BlockNodeEndpoint[] {
  if (!blockNode || !servesBlocks(blockNode.endpointApi)) return []
  const host = domainName || (ipAddress && ipText(ipAddress))
  return host ? [{ host, port: Number(port), tls: requiresTls }] : []
}

type StatedEndpoint = RegisteredNodeSnapshotted['serviceEndpoints'][number]

function fromStatement({ blockNode, domainName, ipAddress, port, requiresTls }: StatedEndpoint): BlockNodeEndpoint[] {
  const host = domainName || ipAddress
  return blockNode && servesBlocks(blockNode.endpointApis) && host ? [{ host, port, tls: requiresTls }] : []
}

import type { MethodDefinition, UntypedServiceImplementation } from '@grpc/grpc-js'
import type { BlockStore } from '#src/simulator/block-node/block-store.ts'
import { Connections } from '#src/simulator/block-node/connections.ts'
import { BlockFaults } from '#src/simulator/block-node/faults.ts'
import { statusDetailResponse, statusResponse } from '#src/simulator/block-node/responses.ts'
import {
  type BlockNodeCounts,
  type Respond,
  SimulatedBlockNode,
  type UnaryCall,
} from '#src/simulator/block-node/simulated-block-node.ts'
import type { BlockCall } from '#src/simulator/block-node/subscription.ts'

export interface ServeBlocksOptions {
  readonly store: BlockStore
  /** Where to listen; port 0 takes a free one. */
  readonly host: string
  readonly port: number
  /** None are there unless these are given. */
  readonly faults?: BlockFaults | undefined
  /** Bytes of a set of items, unless one item alone is larger; 1 MiB unless given. */
  readonly setBytesMax?: number | undefined
  /** Answers about details of the status, which older nodes do not; true unless given. */
  readonly statusDetail?: boolean | undefined
}

export interface ServedBlocks {
  readonly port: number
  readonly faults: BlockFaults
  counts(): BlockNodeCounts
  /** Resets all connections. */
  close(): Promise<void>
}

const requestBytesMax = 64 * 1024

/** Starts a block node that speaks the network's protocol and serves the blocks of the store as they come. */
export async function serveBlocks(options: ServeBlocksOptions): Promise<ServedBlocks> {
  const { store, host, port, faults = new BlockFaults(), setBytesMax = 1024 * 1024, statusDetail = true } = options
  // Loaded here, since most simulated networks have no block node.
  const grpc = await import('@grpc/grpc-js')
  const server = new grpc.Server({
    'grpc.enable_channelz': 0,
    'grpc.max_send_message_length': -1,
    'grpc.max_receive_message_length': requestBytesMax,
  })
  const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure())
  const connections = new Connections((socket) => injector.injectConnection(socket))
  const node = new SimulatedBlockNode({ store, faults, setBytesMax, connections })
  for (const [name, methods] of Object.entries(servicesOf(node, statusDetail))) {
    server.addService(definitionOf(name, methods), methods)
  }
  const bound = await connections.listen(host, port)
  const close = async () => {
    node.stop()
    await connections.close()
    server.forceShutdown()
  }
  return { port: bound, faults, counts: () => node.counts(), close }
}

function servicesOf(node: SimulatedBlockNode, statusDetail: boolean): Record<string, UntypedServiceImplementation> {
  const serverStatus = (_: UnaryCall, respond: Respond) => void node.status(respond, statusResponse)
  const serverStatusDetail = (_: UnaryCall, respond: Respond) => void node.status(respond, statusDetailResponse)
  return {
    BlockNodeService: statusDetail ? { serverStatus, serverStatusDetail } : { serverStatus },
    BlockAccessService: { getBlock: (call: UnaryCall, respond: Respond) => node.getBlock(call, respond) },
    BlockStreamSubscribeService: { subscribeBlockStream: (call: BlockCall) => void node.subscribe(call) },
  }
}

/** Messages pass as bytes: this room writes them, and takes them apart. */
function definitionOf(service: string, methods: object): Record<string, MethodDefinition<Buffer, Buffer>> {
  const asIs = (bytes: Buffer) => bytes
  const definition = (method: string) => ({
    path: `/org.hiero.block.api.${service}/${method}`,
    requestStream: false,
    responseStream: method === 'subscribeBlockStream',
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  })
  return Object.fromEntries(Object.keys(methods).map((method) => [method, definition(method)]))
}

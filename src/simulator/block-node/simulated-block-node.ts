import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js'
import { rest } from '#src/ports/clock.ts'
import { servedBlock } from '#src/simulator/block-node/block-steps.ts'
import type { BlockStore } from '#src/simulator/block-node/block-store.ts'
import type { Connections } from '#src/simulator/block-node/connections.ts'
import type { BlockFaults } from '#src/simulator/block-node/faults.ts'
import { readBlockRequest, readSubscribeRequest } from '#src/simulator/block-node/requests.ts'
import { blockCodes, blockResponse } from '#src/simulator/block-node/responses.ts'
import { type BlockCall, runSubscription } from '#src/simulator/block-node/subscription.ts'

export type UnaryCall = ServerUnaryCall<Buffer, Buffer>
export type Respond = sendUnaryData<Buffer>

/** What a simulated block node did since it started. */
export interface BlockNodeCounts {
  readonly openStreams: number
  readonly openConnections: number
  readonly streams: number
  /** Messages of streams that were handed to a connection. */
  readonly messages: number
  readonly statusCalls: number
  readonly blockCalls: number
}

export interface SimulatedBlockNodeOptions {
  readonly store: BlockStore
  readonly faults: BlockFaults
  /** Bytes of a set of items, unless one item alone is larger. */
  readonly setBytesMax: number
  readonly connections: Connections
}

const internal = 13

/** Answers calls, with the faults that it has. Requests and responses are bytes. */
export class SimulatedBlockNode {
  readonly #options: SimulatedBlockNodeOptions
  readonly #stop = new AbortController()
  readonly #unfollow: () => void
  readonly #counts = { openStreams: 0, streams: 0, messages: 0, statusCalls: 0, blockCalls: 0 }

  constructor(options: SimulatedBlockNodeOptions) {
    this.#options = options
    const { faults, connections } = options
    const follow = () => {
      connections.silent = faults.dead
    }
    follow()
    this.#unfollow = faults.onChange(follow)
  }

  counts(): BlockNodeCounts {
    return { ...this.#counts, openConnections: this.#options.connections.count }
  }

  stop(): void {
    this.#unfollow()
    this.#stop.abort()
  }

  async status(respond: Respond, response: (store: BlockStore) => Buffer): Promise<void> {
    this.#counts.statusCalls++
    const { store, faults } = this.#options
    if (faults.statusDelayMs > 0) await rest(faults.statusDelayMs, this.#stop.signal)
    respond(null, response(store))
  }

  getBlock(call: UnaryCall, respond: Respond): void {
    this.#counts.blockCalls++
    const { store, faults, connections } = this.#options
    const number = readBlockRequest(call.request).number ?? store.range()?.last
    const block = number === undefined ? undefined : store.read(number)
    const fault = number === undefined ? undefined : faults.of(number)
    if (number === undefined || block === undefined) respond(null, blockResponse(blockCodes.notFound))
    else if (fault?.kind === 'status') respond(null, blockResponse(fault.code))
    else if (fault?.kind === 'fail') respond({ code: fault.code, details: fault.text })
    else if (fault?.kind === 'cut') connections.reset(call.getPeer())
    else if (fault?.kind === 'die') faults.dead = true
    else if (fault?.kind !== 'stall') {
      const served = servedBlock(number, block, fault)
      respond(null, blockResponse(served ? blockCodes.success : blockCodes.notFound, served))
    }
  }

  async subscribe(call: BlockCall): Promise<void> {
    const gone = new AbortController()
    // Also where the connection was lost.
    call.once('cancelled', () => gone.abort())
    this.#counts.streams++
    this.#counts.openStreams++
    const { connections } = this.#options
    try {
      await runSubscription(call, readSubscribeRequest(call.request), {
        ...this.#options,
        reset: () => connections.reset(call.getPeer()),
        onMessage: () => this.#counts.messages++,
        signal: AbortSignal.any([gone.signal, this.#stop.signal]),
      })
    } catch (error) {
      // What is wrong with the request or with the store, whoever asked has to know.
      call.emit('error', { code: internal, details: String(error) })
    } finally {
      this.#counts.openStreams--
    }
  }
}

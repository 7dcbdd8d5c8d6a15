import { BlockAssembly } from '#src/adapters/block-node/block-assembly.ts'
import { CallFailed, type PulledCall } from '#src/adapters/block-node/call.ts'
import type { Grpc } from '#src/adapters/block-node/connection.ts'
import { grpcCodes } from '#src/adapters/block-node/failed-call.ts'
import { NodeCalls } from '#src/adapters/block-node/node-calls.ts'
import type { BlockNodeOptions } from '#src/adapters/block-node/options.ts'
import { blockRequest, paths, statusRequest, subscribeRequest } from '#src/adapters/block-node/requests.ts'
import {
  blockCodeText,
  blockMissing,
  readBlockAnswer,
  readStatus,
  readStatusDetail,
  readStreamMessage,
  subscribeCodeText,
  success,
} from '#src/adapters/block-node/responses.ts'
import { printableText } from '#src/domain/printable-text.ts'
import type {
  BlockNode,
  BlockNodeEndpoint,
  BlockNodeEndpoints,
  BlockRange,
  OpenBlockNode,
  SourceBlock,
  StreamOddity,
  SubscribeOptions,
} from '#src/ports/block-node.ts'
import { type Clock, systemClock } from '#src/ports/clock.ts'

/** Loads the client of block nodes; connections are opened with the first call to a node. */
export async function loadBlockNodeClient(
  options: BlockNodeOptions,
  clock: Clock = systemClock,
): Promise<OpenBlockNode> {
  // Loaded here, since it is heavy and most installations read files.
  const grpc = await import('@grpc/grpc-js')
  return (endpoints) => new GrpcBlockNode(grpc, endpoints, options, clock)
}

class GrpcBlockNode implements BlockNode {
  readonly name: string
  readonly #options: BlockNodeOptions
  readonly #clock: Clock
  readonly #stream: NodeCalls
  readonly #status: NodeCalls
  /** That it does not know the newer question. */
  #withoutDetail = false

  constructor(grpc: Grpc, { stream, status }: BlockNodeEndpoints, options: BlockNodeOptions, clock: Clock) {
    this.name = nameOf(stream)
    this.#options = options
    this.#clock = clock
    this.#stream = new NodeCalls(grpc, this.name, stream, options)
    this.#status = isSame(stream, status) ? this.#stream : new NodeCalls(grpc, this.name, status, options)
  }

  async status(signal?: AbortSignal): Promise<readonly BlockRange[]> {
    const calls = this.#status
    return calls.within(this.#options.statusTimeoutMs, 'tell its status', signal, async (ending) => {
      const detail = this.#withoutDetail ? undefined : await this.#statusDetail(ending)
      if (detail) return readStatusDetail(detail, calls.malformed)
      return readStatus(await calls.ask(paths.status, statusRequest, ending), calls.malformed)
    })
  }

  async *subscribe({ from, through, signal, onOddity = () => {} }: SubscribeOptions): AsyncGenerator<SourceBlock> {
    const calls = this.#stream
    const call = calls.begin(paths.subscribe, subscribeRequest(from, through))
    try {
      for (let number = from; through === undefined || number <= through; number++) {
        const assembly = this.#assembly(number, onOddity)
        const { blockTimeoutMs } = this.#options
        const block = await calls.within(blockTimeoutMs, `send block ${number}`, signal, (ending) =>
          this.#readBlock(call, assembly, ending),
        )
        if (!block) return
        yield block
      }
    } finally {
      calls.end(call)
    }
  }

  async fetch(number: bigint, signal?: AbortSignal): Promise<SourceBlock | undefined> {
    const calls = this.#stream
    return calls.within(this.#options.blockTimeoutMs, `send block ${number}`, signal, async (ending) => {
      const message = await calls.ask(paths.getBlock, blockRequest(number), ending).catch(noneIfNotFound)
      if (!message) return undefined
      const { code, block } = readBlockAnswer(message, calls.malformed)
      if (blockMissing.has(code)) return undefined
      if (code !== success) throw calls.fail('refused', `answers for block ${number} with ${blockCodeText(code)}`)
      const whole = block && this.#assembly(number, () => {}).whole(block)
      if (!whole) throw calls.fail('protocol', `answers for block ${number} without a block`)
      return whole
    })
  }

  async close(): Promise<void> {
    this.#stream.close()
    this.#status.close()
  }

  /** undefined where the node does not know the question. */
  async #statusDetail(ending: AbortSignal): Promise<Buffer | undefined> {
    try {
      return await this.#status.ask(paths.statusDetail, statusRequest, ending)
    } catch (error) {
      if (!hasCode(error, grpcCodes.unimplemented)) throw error
      this.#withoutDetail = true
      return undefined
    }
  }

  /** Reads to the end of the block; undefined when the node says that it is done. */
  async #readBlock(call: PulledCall, assembly: BlockAssembly, ending: AbortSignal): Promise<SourceBlock | undefined> {
    const { fail, malformed } = this.#stream
    for (;;) {
      const bytes = await call.next(ending)
      if (!bytes && assembly.open) throw fail('cut', 'ended the stream within a block')
      if (!bytes) return undefined
      const message = readStreamMessage(bytes, malformed)
      if (message.kind === 'items') assembly.add(message.set)
      else if (message.kind === 'end') {
        const block = assembly.end(message.number)
        if (block) return block
      } else if (message.code === success) {
        if (assembly.open) assembly.odd('done_within_block')
        return undefined
      } else throw fail('refused', `ended the stream with ${subscribeCodeText(message.code)}`)
    }
  }

  #assembly(number: bigint, onOddity: (oddity: StreamOddity) => void): BlockAssembly {
    const { blockItemsMax, blockBytesMax } = this.#options
    return new BlockAssembly({
      number,
      origin: this.name,
      itemsMax: blockItemsMax,
      bytesMax: blockBytesMax,
      now: () => this.#clock.now(),
      fail: this.#stream.fail,
      onOddity,
    })
  }
}

function nameOf({ host, port }: BlockNodeEndpoint): string {
  return printableText(`${host.includes(':') ? `[${host}]` : host}:${port}`)
}

function isSame(a: BlockNodeEndpoint, b: BlockNodeEndpoint): boolean {
  return a.host === b.host && a.port === b.port && a.tls === b.tls
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof CallFailed && error.status.code === code
}

function noneIfNotFound(error: unknown): undefined {
  if (!hasCode(error, grpcCodes.notFound)) throw error
}

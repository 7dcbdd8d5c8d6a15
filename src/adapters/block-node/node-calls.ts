import { CallFailed, type PulledCall } from '#src/adapters/block-node/call.ts'
import { Connection, type Grpc } from '#src/adapters/block-node/connection.ts'
import { failedCall } from '#src/adapters/block-node/failed-call.ts'
import { nodeFailure } from '#src/adapters/block-node/failure.ts'
import type { BlockNodeOptions } from '#src/adapters/block-node/options.ts'
import { DeadlinePassed, withDeadline } from '#src/adapters/deadline.ts'
import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import type { BlockNodeEndpoint, BlockNodeReason } from '#src/ports/block-node.ts'

/** After these a connection is not trusted any more; the others say what the other side, or the way to it, could not do. */
const misbehaviours: ReadonlySet<unknown> = new Set<BlockNodeReason>(['timeout', 'protocol', 'too_large'])

/** Calls to one endpoint of a node, whose failures are told in the words of the port. */
export class NodeCalls {
  readonly #node: string
  readonly #connection: Connection

  constructor(grpc: Grpc, node: string, endpoint: BlockNodeEndpoint, options: BlockNodeOptions) {
    this.#node = node
    this.#connection = new Connection(grpc, endpoint, options)
  }

  readonly fail = (reason: BlockNodeReason, what: string): LedgerError => nodeFailure(this.#node, reason, what)

  readonly malformed = (reason: string): LedgerError =>
    this.fail('protocol', `sends an answer that is malformed: ${reason}`)

  /** Begins a call whose messages are pulled; whoever begins one ends it. */
  begin(path: string, request: Buffer): PulledCall {
    try {
      return this.#connection.begin(path, request)
    } catch (error) {
      throw this.#failureOf(error)
    }
  }

  end(call: PulledCall): void {
    this.#connection.end(call)
  }

  /** The only message of an answer. Rejects with `CallFailed` where the node answers with another status than OK. */
  async ask(path: string, request: Buffer, ending: AbortSignal): Promise<Buffer> {
    const call = this.begin(path, request)
    try {
      const message = await call.next(ending)
      if (!message || (await call.next(ending))) throw this.fail('protocol', 'answers with not just one message')
      return message
    } finally {
      this.end(call)
    }
  }

  /** Runs what a node has to do (`what`, as in "did not ...") in a bounded time. */
  async within<T>(
    milliseconds: number,
    what: string,
    signal: AbortSignal | undefined,
    operation: (ending: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await withDeadline(milliseconds, signal, operation)
    } catch (error) {
      if (signal?.aborted) throw error
      const isLate = error instanceof DeadlinePassed
      const failure = isLate
        ? this.fail('timeout', `did not ${what} within ${milliseconds} ms`)
        : this.#failureOf(error)
      if (misbehaviours.has(failure.details.reason)) this.#connection.misbehaved()
      throw failure
    }
  }

  close(): void {
    this.#connection.close()
  }

  #failureOf(error: unknown): LedgerError {
    if (isLedgerError(error)) return error
    if (error instanceof CallFailed) return failedCall(this.#node, error)
    return nodeFailure(this.#node, 'unreachable', `cannot be asked (${(error as Error).message})`, error)
  }
}

import type { EVMResult, Message } from '@ethereumjs/evm'
import { asBuffer } from '#src/domain/bytes.ts'
import { halted, serviceReverted, succeeded } from '#src/evm/frame-results.ts'

/** What the network recorded of a call to a contract of its own. */
export interface RecordedCall {
  readonly depth: number
  readonly input: Uint8Array
  readonly gasUsed: bigint
  readonly outcome: 'output' | 'reverted' | 'failed'
  readonly data: Uint8Array
}

/** Answers calls of system contracts as they were answered when the transaction ran, each once and in their order. */
export class RecordedCalls {
  readonly #calls: RecordedCall[]

  constructor(calls: readonly RecordedCall[]) {
    this.#calls = [...calls]
  }

  /** undefined where nothing like it was recorded. */
  answerTo(message: Message): EVMResult | undefined {
    const at = this.#calls.findIndex(
      ({ depth, input }) => depth === message.depth && asBuffer(input).equals(message.data),
    )
    const [call] = at === -1 ? [] : this.#calls.splice(at, 1)
    return call && resultOf(call, message)
  }
}

function resultOf({ outcome, gasUsed, data }: RecordedCall, message: Message): EVMResult {
  const used = gasUsed < message.gasLimit ? gasUsed : message.gasLimit
  if (outcome === 'output') return succeeded(message, used, data)
  if (outcome === 'failed') return halted(message, 'NO_REASON')
  return serviceReverted(message, used, data)
}

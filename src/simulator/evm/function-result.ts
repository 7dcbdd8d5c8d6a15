import type { Message } from '#src/simulator/codec.ts'
import { keccakOfKnown, longZero } from '#src/simulator/evm/words.ts'
import { accountId, contractId, hexBytes } from '#src/simulator/ids.ts'

/** An event that a contract emitted. */
export interface Log {
  readonly contract: number
  /** 32 bytes each. */
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

export interface CallFacts {
  /** null: a creation that failed. */
  readonly contract: number | null
  readonly sender: number
  readonly gasUsed: number
  /** Absent where the body of the transaction says it. */
  readonly asked?: AskedFacts
  readonly output?: Uint8Array
  readonly error?: string
  readonly logs?: readonly Log[]
}

/** With what code was called. */
export interface AskedFacts {
  readonly gas: number
  /** Tinybars. */
  readonly amount?: number
  readonly input?: Uint8Array
}

const bloomBytes = 256

/** A ContractFunctionResult; its bloom is the union of the blooms of its logs, and empty without any. */
export function functionResult(facts: CallFacts): Message {
  const logInfo = (facts.logs ?? []).map(logMessage)
  return {
    ...(facts.contract === null ? {} : { contractID: contractId(facts.contract) }),
    ...(facts.output ? { contractCallResult: facts.output } : {}),
    ...(facts.error ? { errorMessage: facts.error } : {}),
    ...(logInfo.length > 0 ? { bloom: unionOf(logInfo.map(({ bloom }) => bloom)) } : {}),
    gasUsed: facts.gasUsed,
    logInfo,
    ...(facts.asked ? askedMessage(facts.asked) : {}),
    senderId: accountId(facts.sender),
  }
}

/** Fields of a ContractFunctionResult. */
export function askedMessage({ gas, amount, input }: AskedFacts): Message {
  return { gas, ...(amount ? { amount } : {}), ...(input ? { functionParameters: input } : {}) }
}

/** The filter is of the address that the number stands for, also where the EVM knows the contract by another one. */
function logMessage({ contract, topics, data }: Log) {
  return {
    contractID: contractId(contract),
    bloom: bloomOf([hexBytes(longZero(contract)), ...topics]),
    topic: topics,
    data,
  }
}

/** Sets three bits for each item, chosen by the first three byte pairs of its Keccak-256. */
function bloomOf(items: readonly Uint8Array[]): Buffer {
  const bloom = Buffer.alloc(bloomBytes)
  for (const item of items) {
    const digest = keccakOfKnown(item)
    for (const offset of [0, 2, 4]) {
      const bit = digest.readUInt16BE(offset) % (bloomBytes * 8)
      const index = bloomBytes - 1 - (bit >> 3)
      bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
    }
  }
  return bloom
}

function unionOf(blooms: readonly Uint8Array[]): Buffer {
  const union = Buffer.alloc(bloomBytes)
  for (const bloom of blooms) for (const [index, byte] of bloom.entries()) union[index] = (union[index] ?? 0) | byte
  return union
}

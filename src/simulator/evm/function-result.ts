import type { Message } from '#src/simulator/codec.ts'
import { keccakOfKnown } from '#src/simulator/evm/words.ts'
import { accountId, contractId, hexBytes } from '#src/simulator/ids.ts'

/** An event that a contract emitted. */
export interface Log {
  readonly contract: number
  /** 40 hex digits. */
  readonly address: string
  /** 32 bytes each. */
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

export interface CallFacts {
  /** null: a creation that failed. */
  readonly contract: number | null
  readonly sender: number
  readonly gas: number
  readonly gasUsed: number
  /** Tinybars. */
  readonly amount?: number
  readonly input?: Uint8Array
  readonly output?: Uint8Array
  readonly error?: string
  readonly logs?: readonly Log[]
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
    gas: facts.gas,
    ...(facts.amount ? { amount: facts.amount } : {}),
    ...(facts.input ? { functionParameters: facts.input } : {}),
    senderId: accountId(facts.sender),
  }
}

function logMessage({ contract, address, topics, data }: Log) {
  return { contractID: contractId(contract), bloom: bloomOf([hexBytes(address), ...topics]), topic: topics, data }
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

import type { Topics } from '#projections/contract-logs/draft-log.ts'
import { logTermKind } from '#projections/contract-logs/schema.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { paddedWord } from '#src/domain/evm-words.ts'

export interface LogTerm {
  readonly kind: number
  readonly term: bigint
}

const topicKinds = [logTermKind.topic0, logTermKind.topic1, logTermKind.topic2, logTermKind.topic3] as const

/** The four parts of a word folded into one: words that differ may share a term, so rows are looked at again. */
export function topicTerm(position: 0 | 1 | 2 | 3, topic: Uint8Array): LogTerm {
  const word = paddedWord(topic)
  const term = word.readBigInt64BE(0) ^ word.readBigInt64BE(8) ^ word.readBigInt64BE(16) ^ word.readBigInt64BE(24)
  return { kind: topicKinds[position], term }
}

/** Of a hash of at least 8 bytes. */
export function hashTerm(hash: Uint8Array): LogTerm {
  return { kind: logTermKind.transactionHash, term: asBuffer(hash).readBigInt64BE(0) }
}

export function contractTerm(contractId: bigint): LogTerm {
  return { kind: logTermKind.contract, term: contractId }
}

interface FoundLog {
  readonly contractId: bigint
  readonly topics: Topics
  readonly transactionHash: Uint8Array | null
}

/** Everything that a log is found by. */
export function termsOf({ contractId, topics, transactionHash }: FoundLog): LogTerm[] {
  const terms = [contractTerm(contractId)]
  if (transactionHash !== null && transactionHash.length >= 8) terms.push(hashTerm(transactionHash))
  if (topics[0] !== null) terms.push(topicTerm(0, topics[0]))
  if (topics[1] !== null) terms.push(topicTerm(1, topics[1]))
  if (topics[2] !== null) terms.push(topicTerm(2, topics[2]))
  if (topics[3] !== null) terms.push(topicTerm(3, topics[3]))
  return terms
}

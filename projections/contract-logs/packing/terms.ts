import type { Topics } from '#projections/contract-logs/packing/digits.ts'
import { logTermKind } from '#projections/contract-logs/schema.ts'
import { highWord, lowWord, whole, words } from '#src/domain/int64-words.ts'

export interface LogTerm {
  readonly kind: number
  readonly term: bigint
}

const topicKinds = [logTermKind.topic0, logTermKind.topic1, logTermKind.topic2, logTermKind.topic3] as const

/** The four parts of a word folded into one: words that differ may share a term, so rows are looked at again. */
export function topicTerm(position: 0 | 1 | 2 | 3, topic: string): LogTerm {
  return { kind: topicKinds[position], term: folded(topic, topic.length) }
}

/** Hex digits count from the last one, so that leading zeros may lack. */
function folded(digits: string, end: number): bigint {
  let high = 0
  let low = 0
  for (let at = end - 1, place = 0; at >= 0; at--, place++) {
    const code = digits.charCodeAt(at)
    const bits = (code < 0x40 ? code - 0x30 : code - 0x57) << (4 * (place & 7))
    if (place & 8) high ^= bits
    else low ^= bits
  }
  words[highWord] = high
  words[lowWord] = low
  return whole[0]!
}

/** Hex digits of the part of a hash that it is found by: 8 bytes. */
const hashPart = 16

/** Of a hash of at least 8 bytes. */
export function hashTerm(hash: string): LogTerm {
  return { kind: logTermKind.transactionHash, term: folded(hash, hashPart) }
}

export function contractTerm(contractId: bigint): LogTerm {
  return { kind: logTermKind.contract, term: contractId }
}

interface FoundLog {
  readonly contractId: bigint
  readonly topics: Topics
  readonly transactionHash: string | null
}

/** Everything that a log is found by. */
export function termsOf({ contractId, topics, transactionHash }: FoundLog): LogTerm[] {
  const terms = [contractTerm(contractId)]
  if (transactionHash !== null && transactionHash.length >= hashPart) terms.push(hashTerm(transactionHash))
  if (topics[0] !== null) terms.push(topicTerm(0, topics[0]))
  if (topics[1] !== null) terms.push(topicTerm(1, topics[1]))
  if (topics[2] !== null) terms.push(topicTerm(2, topics[2]))
  if (topics[3] !== null) terms.push(topicTerm(3, topics[3]))
  return terms
}

import { keccak256 } from '#src/domain/keccak.ts'
import { rlpOfBytes, rlpOfList } from '#src/domain/rlp-digits.ts'

/** What a trie leads to, under a key that no other one begins with; both as hex digits. */
export interface TrieEntry {
  readonly key: string
  /** Asked for once, when its leaf is made. */
  readonly value: () => string
}

const hashDigits = 64
const childrenMax = 16
/** No bytes. */
const nothing = '80'

/**
 * Hash of the root of the Merkle-Patricia trie that holds these entries, of which there is at least one. Yellow paper, appendix D.
 * Since all of them are known, each node is made once, and no trie is kept.
 */
export function trieRoot(entries: readonly TrieEntry[]): Buffer {
  const sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return hashOf(nodeOf(sorted, 0, sorted.length, 0))
}

/** The node of the entries from one place to another, whose keys have all digits before `depth` in common, encoded. */
function nodeOf(sorted: readonly TrieEntry[], start: number, end: number, depth: number): string {
  const { key, value } = sorted[start]!
  if (end - start === 1) return rlpOfList(rlpOfBytes(pathOf(key.slice(depth), leafFlags)) + rlpOfBytes(value()))
  const shared = sharedDigits(key, sorted[end - 1]!.key, depth)
  const branch = branchOf(sorted, start, end, shared)
  return shared === depth
    ? branch
    : rlpOfList(rlpOfBytes(pathOf(key.slice(depth, shared), innerFlags)) + referenceTo(branch))
}

function branchOf(sorted: readonly TrieEntry[], start: number, end: number, depth: number): string {
  const parts = new Array<string>(childrenMax + 1).fill(nothing)
  for (let from = start; from < end; ) {
    const digit = sorted[from]!.key[depth]!
    let to = from + 1
    while (to < end && sorted[to]!.key[depth] === digit) to += 1
    parts[Number.parseInt(digit, 16)] = referenceTo(nodeOf(sorted, from, to, depth + 1))
    from = to
  }
  return rlpOfList(parts.join(''))
}

/** A node as its parent has it: its hash, or the node itself where that is shorter. */
function referenceTo(node: string): string {
  return node.length < hashDigits ? node : rlpOfBytes(hashOf(node).toString('hex'))
}

function hashOf(node: string): Buffer {
  return keccak256(Buffer.from(node, 'hex'))
}

/** Up to where the first and the last of sorted keys, and so all of them, are the same. */
function sharedDigits(first: string, last: string, depth: number): number {
  let at = depth
  while (first[at] === last[at]) at += 1
  return at
}

/** What a path begins with where it has an even or an odd number of digits. */
const innerFlags = ['00', '1'] as const
const leafFlags = ['20', '3'] as const

function pathOf(digits: string, [even, odd]: readonly [string, string]): string {
  return (digits.length % 2 === 0 ? even : odd) + digits
}

import { asBuffer } from '#src/domain/bytes.ts'
import { hashBytes, innerHash, leafHash, singleHash } from '#src/domain/merkle-tree.ts'
import { type ProofFail, proofFailOf } from '#src/tss/proof-failure.ts'
import { type Path, readStateProof, type Sibling } from '#src/tss/state-proof-message.ts'

/**
 * How the way from an unsigned block to a signed one is written down: `implicit` begins at the block before and leaves single children out,
 * `explicit` has them as empty hashes, `wide` is of blocks with sixteen leaves, which have none.
 */
export type StateProofForm = 'implicit' | 'explicit' | 'wide'

export interface StateProofResult {
  /** The hash that has to be signed: that of the later block. */
  readonly root: Buffer
  /** Which of the block's own hashes the way begins at. */
  readonly ownHash: Uint8Array
  readonly form: StateProofForm
  /** To be checked over `root`. */
  readonly signature: Buffer
}

/** Which child the hash so far is at each step: `R`, its sibling is to the right; `r`, it would be. */
const shapes: Readonly<Record<StateProofForm, RegExp>> = {
  wide: /^RRRR(?:LRRRR)*$/,
  explicit: /^RRRr(?:LRRRr)*$/,
  implicit: /^(?:RRRL)+RRR$/,
}
const rootIndex = 2
const noIndex = 0xffff_ffff

/**
 * Follows a serialized StateProof to the hash that has to be signed. `ownHashes` are those that the block may have by the bytes it is made of; one
 * of them has to lie on the way, else the proof says nothing about this block. `proof_invalid` where none does, or the way has
 * no known form.
 */
export function rootOfStateProof(bytes: Uint8Array, ownHashes: readonly Uint8Array[], name: string): StateProofResult {
  const fail = proofFailOf(name)
  const { paths, signature } = readStateProof(asBuffer(bytes), (reason) => fail('encoding', reason))
  if (!signature) throw fail('form', 'its state proof has no signature of the network')
  const { timestamp, start, siblings } = partsOf(paths, fail)
  const { form, ownHash, end } = followWay(start, siblings, ownHashes, fail)
  return { root: innerHash(leafHash(timestamp), end), ownHash, form, signature }
}

/** The hashes after each step. Blocks with eight leaves have an only child after the third; where it is left out, it is part of that step. */
export function runningHashes(start: Uint8Array, siblings: readonly Sibling[], form: StateProofForm): Buffer[] {
  const hashes: Buffer[] = []
  let current = start
  for (const [at, { isLeft, hash }] of siblings.entries()) {
    const parent =
      hash.length === 0 ? singleHash(current) : isLeft ? innerHash(hash, current) : innerHash(current, hash)
    const next = form === 'implicit' && at % 4 === 2 ? singleHash(parent) : parent
    hashes.push(next)
    current = next
  }
  return hashes
}

function followWay(
  start: Buffer,
  siblings: readonly Sibling[],
  ownHashes: readonly Uint8Array[],
  fail: ProofFail,
): { form: StateProofForm; ownHash: Uint8Array; end: Buffer } {
  const form = formOf(siblings)
  if (!form) throw fail('path', `the ${siblings.length} steps of its state proof have no known order`)
  const hashes = runningHashes(start, siblings, form)
  // Where the way begins at the block before, the first four steps lead to this one.
  const own = form === 'implicit' ? (hashes[3] as Buffer) : start
  const ownHash = ownHashes.find((one) => own.equals(one))
  if (!ownHash) {
    const has = ownHashes.map((one) => Buffer.from(one).toString('hex')).join(' or ')
    throw fail('path', `its state proof is for the hash ${own.toString('hex')}, and it has ${has}`)
  }
  return { form, ownHash, end: hashes.at(-1) as Buffer }
}

function formOf(siblings: readonly Sibling[]): StateProofForm | undefined {
  const shape = siblings.map(({ isLeft, hash }) => (hash.length === 0 ? 'lr' : 'LR')[isLeft ? 0 : 1]).join('')
  return (Object.keys(shapes) as StateProofForm[]).find((form) => shapes[form].test(shape))
}

/** Three paths: the time of the signed block, the way to all else of it, and the root where both meet. */
function partsOf(paths: readonly Path[], fail: ProofFail): { timestamp: Buffer; start: Buffer; siblings: Sibling[] } {
  const [time, way, root] = paths
  if (!time || !way || !root || paths.length !== 3)
    throw fail('path', `its state proof has ${paths.length} paths, not 3`)
  const { timestamp } = time
  if (!timestamp || timestamp.length === 0 || time.siblings.length > 0 || time.start) {
    throw fail('path', 'the first path of its state proof is not the time of a block alone')
  }
  const { start, siblings } = way
  if (!start || way.timestamp) throw fail('path', 'the second path of its state proof does not begin at a hash')
  if (root.start || root.timestamp || root.siblings.length > 0) {
    throw fail('path', 'the third path of its state proof is not empty')
  }
  if (paths.some(({ hasOtherLeaf }) => hasOtherLeaf)) throw fail('path', 'its state proof is not one of a block')
  if (time.next !== rootIndex || way.next !== rootIndex || root.next !== noIndex) {
    throw fail('path', 'the paths of its state proof do not meet at its root')
  }
  if ([start, ...siblings.map(({ hash }) => hash)].some(({ length }, at) => !isHashLength(length, at > 0))) {
    throw fail('path', `a hash of its state proof has not ${hashBytes} bytes`)
  }
  return { timestamp, start, siblings }
}

function isHashLength(length: number, mayBeEmpty: boolean): boolean {
  return length === hashBytes || (mayBeEmpty && length === 0)
}

import { createHash, hash } from 'node:crypto'

/** Bytes of a hash: all are SHA-384. */
export const hashBytes = 48
const leafPrefix = 0
const innerPrefix = 2
const innerStart = Buffer.of(innerPrefix)
const singleStart = Buffer.of(1)

/** A hash as text of one byte a character: for the many of a block that costs a third less than buffers. */
type HashText = string

const digest = (bytes: Uint8Array): HashText => hash('sha384', bytes, 'binary')
const asBytes = (text: HashText): Buffer => Buffer.from(text, 'binary')

// For the life of the process: each hash is one synchronous step.
const pair = Buffer.alloc(1 + 2 * hashBytes, innerPrefix)
/** Longer leaves are rare, and hashed in two steps instead of copied. */
const leaf = Buffer.alloc(16 * 1024, leafPrefix)
/** Its first bytes, by how many: most leaves have a few hundred. */
const leafBeginnings: Buffer[] = []

function leafText(content: Uint8Array): HashText {
  const length = 1 + content.length
  if (length <= leaf.length) {
    leaf.set(content, 1)
    leafBeginnings[length] ??= leaf.subarray(0, length)
    return digest(leafBeginnings[length])
  }
  return createHash('sha384').update(Buffer.of(leafPrefix)).update(content).digest('binary')
}

function innerText(left: HashText, right: HashText): HashText {
  pair.write(left, 1, 'binary')
  pair.write(right, 1 + hashBytes, 'binary')
  return digest(pair)
}

/** Hash of a leaf with this content. */
export function leafHash(content: Uint8Array): Buffer {
  return asBytes(leafText(content))
}

/** Hash of a node with two children. */
export function innerHash(left: Uint8Array, right: Uint8Array): Buffer {
  return asBytes(digest(Buffer.concat([innerStart, left, right])))
}

/** Hash of a node with one child. */
export function singleHash(child: Uint8Array): Buffer {
  return asBytes(digest(Buffer.concat([singleStart, child])))
}

/** Root of a tree without leaves: the hash of an empty leaf. */
export const emptyTree: Buffer = leafHash(new Uint8Array(0))

/**
 * A tree of leaves as they come: two whole subtrees of one height become one at once, and those that are left at the end are
 * joined from right to left. It holds one hash a level.
 */
export class MerkleTree {
  /** Roots of whole subtrees, the highest first: one for each bit that is set in the count. */
  readonly #roots: HashText[]
  #count: number

  /** Goes on with `roots` of a tree of so many leaves, as they were taken from another one. */
  constructor(count = 0, roots: readonly Uint8Array[] = []) {
    this.#count = count
    this.#roots = roots.map((root) => Buffer.from(root).toString('binary'))
  }

  get count(): number {
    return this.#count
  }

  /** Of the whole subtrees, the highest first. */
  get roots(): Buffer[] {
    return this.#roots.map(asBytes)
  }

  /** Adds a leaf with this content. */
  add(content: Uint8Array): void {
    this.#append(leafText(content))
  }

  /** Adds a leaf of which only the hash is known. */
  addHash(leafOrItem: Uint8Array): void {
    this.#append(Buffer.from(leafOrItem).toString('binary'))
  }

  root(): Buffer {
    let right = this.#roots.at(-1)
    if (right === undefined) return emptyTree
    for (let index = this.#roots.length - 2; index >= 0; index--) right = innerText(this.#roots[index]!, right)
    return asBytes(right)
  }

  #append(text: HashText): void {
    let node = text
    for (let rest = this.#count; rest % 2 === 1; rest = (rest - 1) / 2) node = innerText(this.#roots.pop()!, node)
    this.#roots.push(node)
    this.#count += 1
  }
}

import { type Fail, FieldReader } from '#src/domain/field-reader.ts'

/** A step of the way: the hash so far is the other child. */
export interface Sibling {
  readonly isLeft: boolean
  /** Empty: the hash so far is an only child. */
  readonly hash: Buffer
}

/** A MerklePath as far as proofs of blocks have one. */
export interface Path {
  readonly siblings: Sibling[]
  next: number
  start: Buffer | undefined
  timestamp: Buffer | undefined
  /** A leaf of a kind that proofs of blocks do not have. */
  hasOtherLeaf: boolean
}

/** Four to five a block between this one and the signed one. */
const siblingsMax = 50_000

/** The paths of a serialized StateProof, and the network's signature in it. */
export function readStateProof(bytes: Buffer, fail: Fail): { paths: Path[]; signature: Buffer | undefined } {
  const fields = new FieldReader(bytes, fail)
  const paths: Path[] = []
  let signature: Buffer | undefined
  while (fields.next()) {
    if (fields.field === 1) paths.push(readPath(fields.message(), fail))
    else if (fields.field === 2) signature = readSignature(fields.message())
    if (paths.length > 3) throw fail('its state proof has more than 3 paths')
  }
  return { paths, signature }
}

function readPath(fields: FieldReader, fail: Fail): Path {
  const path: Path = { siblings: [], next: 0, start: undefined, timestamp: undefined, hasOtherLeaf: false }
  while (fields.next()) {
    if (fields.field === 1) path.siblings.push(readSibling(fields.message()))
    else if (fields.field === 2) path.next = fields.int32() >>> 0
    else if (fields.field === 3) path.start = fields.bytes()
    else if (fields.field === 4 || fields.field === 5) path.hasOtherLeaf = true
    else if (fields.field === 6) path.timestamp = fields.bytes()
    if (path.siblings.length > siblingsMax) throw fail(`its state proof has more than ${siblingsMax} steps`)
  }
  return path
}

function readSibling(fields: FieldReader): Sibling {
  let isLeft = false
  let hash: Buffer = Buffer.alloc(0)
  while (fields.next()) {
    if (fields.field === 1) isLeft = fields.int32() !== 0
    else if (fields.field === 2) hash = fields.bytes()
  }
  return { isLeft, hash }
}

function readSignature(fields: FieldReader): Buffer | undefined {
  let signature: Buffer | undefined
  while (fields.next()) if (fields.field === 1) signature = fields.bytes()
  return signature
}

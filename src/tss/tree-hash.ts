import { createHash, hash } from 'node:crypto'

export const treeHashBytes = 48

/** Hash of a leaf of a block's tree. */
export function leafHash(bytes: Uint8Array): Buffer {
  return prefixed(0, bytes)
}

/** Of a node with one child. */
export function singleHash(child: Uint8Array): Buffer {
  return prefixed(1, child)
}

/** Of a node with two. */
export function innerHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha384').update(Buffer.of(2)).update(left).update(right).digest()
}

function prefixed(prefix: number, bytes: Uint8Array): Buffer {
  return hash('sha384', Buffer.concat([Buffer.of(prefix), bytes]), 'buffer')
}

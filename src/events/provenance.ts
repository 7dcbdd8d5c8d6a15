import { decodeEvent, encodeEvent } from '#src/events/codec.ts'
import type { LogRecord } from '#src/ports/message-log.ts'

/** How a block of the block stream was packed is no more than how its copy came: from a bucket, or streamed as it is. */
const packedBlock = /\.blk\.\w+$/

/**
 * The event in the current schema without what tells of the copies that a block was read from: equal facts have equal bytes.
 * Copies differ from node to node and from one look to the next, and no node has signed what is told of them. See
 * docs/decisions/0013-provenance.md.
 */
export function factBytes({ type, value }: Pick<LogRecord, 'type' | 'value'>): Uint8Array {
  if (type !== 'BlockRecorded') return value
  const block = decodeEvent({ type, value })
  return encodeEvent('BlockRecorded', {
    ...block,
    name: block.name.replace(packedBlock, '.blk'),
    size: null,
    signedBy: [],
    sourceNodeId: null,
    blockRoot: null,
    proof: null,
    source: null,
  })
}

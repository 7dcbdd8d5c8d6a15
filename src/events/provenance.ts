import type { BlockRecorded } from '#schemas/events/types.ts'
import { decodeEvent, encodeEvent } from '#src/events/codec.ts'
import type { LogRecord } from '#src/ports/message-log.ts'

/**
 * What a block says of the copies that it was read from, which differ from node to node and from one look to the next: no
 * node has signed them, and two logs of the same facts may differ in them. See docs/decisions/0015-provenance.md.
 */
export const provenanceFields = ['size', 'signedBy', 'sourceNodeId'] as const satisfies (keyof BlockRecorded)[]

/** The event in the current schema without what tells of copies: equal facts have equal bytes. */
export function factBytes({ type, value }: Pick<LogRecord, 'type' | 'value'>): Uint8Array {
  if (type !== 'BlockRecorded') return value
  return encodeEvent('BlockRecorded', {
    ...decodeEvent({ type, value }),
    size: null,
    signedBy: [],
    sourceNodeId: null,
  })
}

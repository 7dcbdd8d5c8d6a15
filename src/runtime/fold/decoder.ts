import { createEventReader } from '#src/events/codec.ts'
import { type EventType, eventTypes } from '#src/events/event-types.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import type { AnyProjection, FoldEvent } from '#src/runtime/fold/projection.ts'

/**
 * Decodes each event once for several projections: the union of the fields they read, nothing more. Events that none
 * of them reads come out undefined.
 */
export function createSharedDecoder(
  projections: readonly AnyProjection[],
): (record: StoredRecord) => FoldEvent | undefined {
  const readers = new Map<EventType, (value: Uint8Array) => object>()
  for (const type of eventTypes) {
    const fields = new Set(projections.flatMap(({ reads }) => (reads[type] as readonly string[] | undefined) ?? []))
    const isRead = projections.some(({ reads }) => reads[type] !== undefined)
    if (isRead) readers.set(type, createEventReader(type, [...fields] as never[]))
  }
  return ({ type, sequence, value }) => {
    const read = readers.get(type)
    return read ? ({ type, sequence, event: read(value) } as FoldEvent) : undefined
  }
}

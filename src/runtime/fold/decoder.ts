import { decisionTypes } from '#schemas/decisions/types.ts'
import { createEventReader, createLazyEventReader } from '#src/events/codec.ts'
import { readDecision } from '#src/events/decisions.ts'
import { eventTypes } from '#src/events/event-types.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import { type AnyProjection, type FoldEvent, readFields } from '#src/runtime/fold/projection.ts'

/**
 * Decodes each event once for several projections: the union of the fields they read, nothing more. Events that none
 * of them reads come out undefined.
 */
export function createSharedDecoder(
  projections: readonly AnyProjection[],
): (record: StoredRecord) => FoldEvent | undefined {
  const readers = new Map<string, (value: Uint8Array) => object>()
  for (const type of eventTypes) {
    const wanted = projections
      .map((projection) => readFields(projection, type))
      .filter((fields) => fields !== undefined)
    const fields = new Set(wanted.flatMap((each) => [...each]))
    if (wanted.length === 0) continue
    const create = type === 'TransactionRecorded' ? createLazyEventReader : createEventReader
    readers.set(type, create(type, [...fields] as never[]))
  }
  for (const type of decisionTypes)
    if (projections.some((projection) => readFields(projection, type))) readers.set(type, readDecision)
  return ({ type, sequence, value }) => {
    const read = readers.get(type)
    return read ? ({ type, sequence, event: read(value) } as FoldEvent) : undefined
  }
}

import type { EventOf } from '#schemas/events/types.ts'
import { decodeEvent } from '#src/events/codec.ts'
import type { EventType } from '#src/events/event-types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'

/** The events of one type among records or statements, decoded, in their order. */
export function eventsOf<T extends EventType>(records: readonly Omit<LogRecord, 'time'>[], type: T): EventOf<T>[] {
  return records.filter((record) => record.type === type).map(({ value }) => decodeEvent({ type, value }))
}

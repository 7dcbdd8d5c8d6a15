import type { EventOf } from '#schemas/events/types.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import type { AvroType } from '#src/events/avro-types.ts'
import type { EventType } from '#src/events/event-types.ts'
import { locateBody, singleObjectHeader, singleObjectHeaderLength } from '#src/events/framing.ts'
import { createLazyReader, type LazyReader } from '#src/events/lazy-reader.ts'
import { compileFields, currentSchema, type WriterSchema } from '#src/events/schemas.ts'

/** Where events are encoded before they are copied out at their size; grows to the largest event seen. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024)

const encoders = new Map<EventType, { type: AvroType; header: Buffer }>()

/**
 * Encodes an event with the current schema in Avro single-object encoding. Fields left out get their default. Throws
 * `RangeError` for an integer outside its type and `TypeError` or avsc's error for a value of the wrong type.
 */
export function encodeEvent<T extends EventType>(type: T, event: Partial<EventOf<T>>): Buffer {
  const encoder = encoders.get(type) ?? createEncoder(type)
  encoder.header.copy(scratch)
  let end = encoder.type.encode(event, scratch, singleObjectHeaderLength)
  if (end < 0) {
    // avsc answers with how many bytes are missing.
    scratch = Buffer.allocUnsafeSlow(2 * (scratch.length - end))
    encoder.header.copy(scratch)
    end = encoder.type.encode(event, scratch, singleObjectHeaderLength)
  }
  return Buffer.from(scratch.subarray(0, end))
}

function createEncoder(type: EventType): { type: AvroType; header: Buffer } {
  const writer = currentSchema(type)
  const encoder = { type: writer.type, header: singleObjectHeader(writer) }
  encoders.set(type, encoder)
  return encoder
}

/** Decodes a whole event that any released version wrote. Errors: `schema_unknown`; avsc's on truncated bytes. */
export function decodeEvent<T extends EventType>(record: { readonly type: T; readonly value: Uint8Array }): EventOf<T> {
  return decoderOf(record.type)(record.value)
}

const decoders = new Map<EventType, (value: Uint8Array) => never>()

function decoderOf<T extends EventType>(type: T): (value: Uint8Array) => EventOf<T> {
  let decoder = decoders.get(type)
  if (!decoder) {
    decoder = createDecoder(type, () => currentSchema(type).type, false) as (value: Uint8Array) => never
    decoders.set(type, decoder)
  }
  return decoder
}

/**
 * A function that decodes only the given fields of an event. It stops after the last of them, so a reader that keeps to
 * the head of an event never touches its body.
 */
export function createEventReader<T extends EventType, F extends keyof EventOf<T> & string>(
  type: T,
  fields: readonly F[],
): (value: Uint8Array) => Pick<EventOf<T>, F> {
  return createDecoder(type, () => compileFields(currentSchema(type), fields), true) as (
    value: Uint8Array,
  ) => Pick<EventOf<T>, F>
}

/**
 * The same with records and lists decoded when they are asked for, which is for a reader that looks into few of many. What
 * an earlier version wrote is decoded at once.
 */
export function createLazyEventReader<T extends EventType, F extends keyof EventOf<T> & string>(
  type: T,
  fields: readonly F[],
): (value: Uint8Array) => Pick<EventOf<T>, F> {
  const current = currentSchema(type)
  let read: LazyReader | undefined
  const readAnother = createEventReader(type, fields)
  return (value) => {
    read ??= createLazyReader(current.schema, fields)
    const buffer = asBuffer(value)
    const { writer, offset } = locateBody(buffer)
    return writer === current ? (read(buffer, offset) as Pick<EventOf<T>, F>) : readAnother(value)
  }
}

/** The reader is compiled for the first value: modules have readers that most processes never use. */
function createDecoder(
  eventType: EventType,
  compileReader: () => AvroType,
  partial: boolean,
): (value: Uint8Array) => unknown {
  const resolvers = new Map<WriterSchema, unknown>()
  let reader: AvroType | undefined
  return (value) => {
    reader ??= compileReader()
    const buffer = asBuffer(value)
    const { writer, offset } = locateBody(buffer)
    let resolver = resolvers.get(writer)
    if (resolver === undefined) {
      resolver = createResolver(eventType, reader, writer)
      resolvers.set(writer, resolver)
    }
    return reader.fromBuffer(buffer.subarray(offset), resolver ?? undefined, partial)
  }
}

/** null: the writer's schema is the reader's own and needs none. */
function createResolver(eventType: EventType, reader: AvroType, writer: WriterSchema): unknown {
  if (writer.eventType !== eventType) {
    throw new TypeError(`The value is a ${writer.eventType}, not a ${eventType}`)
  }
  return writer.type === reader ? null : reader.createResolver(writer.type)
}

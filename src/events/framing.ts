import { asBuffer } from '#src/domain/bytes.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { schemaByFingerprint, type WriterSchema } from '#src/events/schemas.ts'

/**
 * How a value says which schema wrote it. Framings may coexist in one log, so each is told by its first bytes alone and
 * every reader goes through `locateBody`.
 */
export interface Body {
  readonly writer: WriterSchema
  /** Where the Avro data begins. */
  readonly offset: number
}

const singleObjectMarker = Buffer.from([0xc3, 0x01])
const fingerprintLength = 8
export const singleObjectHeaderLength = singleObjectMarker.length + fingerprintLength

/** The ten bytes before the data in Avro's single-object encoding. */
export function singleObjectHeader(writer: WriterSchema): Buffer {
  return Buffer.concat([singleObjectMarker, Buffer.from(writer.fingerprint, 'hex')])
}

/** The schema of the value before: nearly always the one of the next, too. */
let latest: { readonly low: number; readonly high: number; readonly body: Body } | undefined

/** Finds schema and data in a framed value; `schema_unknown` when the framing or the schema is none of ours. */
export function locateBody(value: Buffer): Body {
  if (
    value.length >= singleObjectHeaderLength &&
    value[0] === singleObjectMarker[0] &&
    value[1] === singleObjectMarker[1]
  ) {
    const [low, high] = [value.readUInt32LE(2), value.readUInt32LE(6)]
    if (latest?.low !== low || latest.high !== high) {
      const writer = schemaByFingerprint(value.toString('hex', 2, 10))
      latest = { low, high, body: { writer, offset: singleObjectHeaderLength } }
    }
    return latest.body
  }
  const head = value.toString('hex', 0, singleObjectHeaderLength)
  const message = `Bytes that begin ${head || 'with nothing'} are no event in Avro single-object encoding; check what writes to this log`
  throw new LedgerError('schema_unknown', message, { head })
}

/** The identifier that a schema registry gave each schema, by fingerprint (hex). */
export type SchemaIds = ReadonlyMap<string, number>

/** Turns values between the form of the core (single-object encoding) and the form on a topic. */
export interface WireFraming {
  /** `schema_unknown` when the value is not framed, or its schema has no identifier. */
  toWire(value: Uint8Array): Uint8Array
  /** `fingerprint` is what the record's header says, 16 hex digits; a value in single-object encoding passes unchanged. */
  fromWire(value: Uint8Array, fingerprint: string | undefined): Uint8Array
}

/** Values travel as they are in the core; what was written with a registry is read all the same. */
export const singleObjectFraming: WireFraming = { toWire: (value) => value, fromWire: toSingleObject }

const confluentMarker = 0
const confluentHeaderLength = 5

/**
 * Confluent's framing: a zero byte and the schema's identifier (four bytes, big-endian) before the data. Only writing
 * needs identifiers: what reads goes by the record's header and never asks a registry.
 */
export function createConfluentFraming(ids: SchemaIds): WireFraming {
  const heads = new Map([...ids].map(([hex, id]) => [hex, confluentHeader(id)]))
  return {
    toWire(value) {
      const buffer = asBuffer(value)
      const { writer, offset } = locateBody(buffer)
      const head = heads.get(writer.fingerprint)
      if (!head) throw unregistered(writer)
      return Buffer.concat([head, buffer.subarray(offset)])
    },
    fromWire: toSingleObject,
  }
}

/** `log_damaged` when the header of a value in Confluent's framing is no fingerprint. */
function toSingleObject(value: Uint8Array, fingerprint: string | undefined): Uint8Array {
  if (value[0] !== confluentMarker || value.length < confluentHeaderLength) return value
  if (fingerprint === undefined || !/^[\da-f]{16}$/.test(fingerprint)) throw notAFingerprint(fingerprint)
  const data = value.subarray(confluentHeaderLength)
  const framed = Buffer.allocUnsafe(singleObjectHeaderLength + data.length)
  singleObjectMarker.copy(framed)
  framed.write(fingerprint, singleObjectMarker.length, fingerprintLength, 'hex')
  framed.set(data, singleObjectHeaderLength)
  return framed
}

function notAFingerprint(fingerprint: string | undefined): LedgerError {
  const found = fingerprint === undefined ? 'nothing' : JSON.stringify(fingerprint)
  const message = `An event's header says ${found} where the fingerprint of its schema belongs, 16 hex digits; restore the topic, or write a new generation`
  return new LedgerError('log_damaged', message, { fingerprint })
}

function confluentHeader(id: number): Buffer {
  const head = Buffer.alloc(confluentHeaderLength)
  head[0] = confluentMarker
  head.writeInt32BE(id, 1)
  return head
}

function unregistered({ eventType, fingerprint }: WriterSchema): LedgerError {
  const message = `The schema ${fingerprint} of ${eventType} has no identifier from the schema registry; register the schemas before events are written`
  return new LedgerError('schema_unknown', message, { eventType, fingerprint })
}

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

/** Finds schema and data in a framed value; `schema_unknown` when the framing or the schema is none of ours. */
export function locateBody(value: Buffer): Body {
  if (
    value.length >= singleObjectHeaderLength &&
    value[0] === singleObjectMarker[0] &&
    value[1] === singleObjectMarker[1]
  ) {
    return { writer: schemaByFingerprint(value.toString('hex', 2, 10)), offset: singleObjectHeaderLength }
  }
  const head = value.toString('hex', 0, singleObjectHeaderLength)
  const message = `Bytes that begin ${head || 'with nothing'} are no event in Avro single-object encoding; check what writes to this log`
  throw new LedgerError('schema_unknown', message, { head })
}

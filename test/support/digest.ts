import { createHash } from 'node:crypto'
import { asBuffer } from '#src/domain/bytes.ts'
import { locateBody } from '#src/events/framing.ts'
import { factBytes } from '#src/events/provenance.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ProjectionSchema, RowReader } from '#src/ports/read-store.ts'
import { rowsInOrder, updateWithRows } from '#src/runtime/replay/digest.ts'

/**
 * SHA-256 over the events up to a position: sequence, type, key, time and the Avro data without its framing and without
 * what blocks say of the copies they were read from, so that equal facts have equal digests in any log.
 */
export async function digestLog(log: MessageLog, through: Position): Promise<string> {
  const hash = createHash('sha256')
  for await (const { records } of log.read({ after: 0, countMax: 1_000, bytesMax: 4 << 20, follow: false })) {
    for (const { sequence, type, key, time, value } of records) {
      if (sequence > through) return hash.digest('hex')
      hash.update(`${sequence} ${type} ${key} ${time}\n`)
      const framed = asBuffer(factBytes({ type, value }))
      hash.update(framed.subarray(locateBody(framed).offset))
    }
  }
  return hash.digest('hex')
}

/** SHA-256 per collection over all its rows in key order, whatever engine holds them. */
export async function digestRows(reader: RowReader, schema: ProjectionSchema): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const [name, collection] of Object.entries(schema.collections)) {
    const hash = createHash('sha256')
    for await (const rows of rowsInOrder(reader, name, collection)) updateWithRows(hash, rows, collection)
    digests[name] = hash.digest('hex')
  }
  return digests
}

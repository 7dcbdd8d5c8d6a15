import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { FieldReader, wireBytes, wireVarint } from '#src/domain/field-reader.ts'

/** What the header of a block says of itself; nothing of it is proved. */
export interface BlockHeader {
  readonly number: bigint
  /** Nanoseconds since the epoch; undefined where it names none. */
  readonly time: bigint | undefined
}

const headerItem = 1
const numberField = 3
const timestampField = 4
const nanosecondsPerSecond = 1_000_000_000n
const malformed = (reason: string) => new LedgerError('file_malformed', `The header of a block is malformed: ${reason}`)

/** Reads the header in the first item of a serialized Block, or of its first piece; undefined where there is none. */
export function findBlockHeader(block: Buffer): BlockHeader | undefined {
  try {
    const items = new FieldReader(block, malformed)
    if (!items.next() || items.wire !== wireBytes) return undefined
    const item = items.message()
    return item.next() && item.field === headerItem && item.wire === wireBytes ? readHeader(item.message()) : undefined
  } catch (error) {
    if (isLedgerError(error)) return undefined
    throw error
  }
}

function readHeader(fields: FieldReader): BlockHeader {
  let number = 0n
  let time: bigint | undefined
  while (fields.next()) {
    if (fields.field === numberField) number = BigInt.asUintN(64, fields.int64())
    else if (fields.field === timestampField) time = readTimestamp(fields.message())
  }
  return { number, time }
}

function readTimestamp(fields: FieldReader): bigint {
  let time = 0n
  while (fields.next()) {
    if (fields.wire !== wireVarint) continue
    if (fields.field === 1) time += fields.int64() * nanosecondsPerSecond
    else if (fields.field === 2) time += BigInt(fields.int32())
  }
  return time
}

import { LedgerError } from '#src/domain/errors.ts'
import { FieldReader } from '#src/domain/field-reader.ts'

export interface SubscribeRequest {
  readonly start: bigint
  /** undefined: without end. */
  readonly end: bigint | undefined
}

export interface BlockRequest {
  /** undefined: the latest. */
  readonly number: bigint | undefined
}

const allOnes = 2n ** 64n - 1n
const retrieveLatest = 2
const malformed = (reason: string) =>
  new LedgerError('file_malformed', `A request to the simulated block node is malformed: ${reason}`)

export function readSubscribeRequest(bytes: Buffer): SubscribeRequest {
  const [start = 0n, end = 0n] = unsignedFields(bytes, 2)
  return { start, end: end === allOnes ? undefined : end }
}

export function readBlockRequest(bytes: Buffer): BlockRequest {
  const [number = 0n, latest] = unsignedFields(bytes, retrieveLatest)
  return { number: latest === undefined ? number : undefined }
}

/** The values of the fields 1 to `count`, all of them varints; undefined where there is none. */
function unsignedFields(bytes: Buffer, count: number): (bigint | undefined)[] {
  const values: (bigint | undefined)[] = Array(count).fill(undefined)
  const fields = new FieldReader(bytes, malformed)
  while (fields.next()) {
    if (fields.field <= count) values[fields.field - 1] = BigInt.asUintN(64, fields.int64())
  }
  return values
}

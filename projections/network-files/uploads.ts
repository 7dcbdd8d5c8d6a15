import type { TransactionRecorded } from '#schemas/events/types.ts'
import { entityIdParts } from '#src/domain/entity-id.ts'
import type { FieldReader } from '#src/domain/field-reader.ts'
import { readExchangeRates } from '#src/domain/network-files/exchange-rates.ts'
import { fileFields, isReadable, skipMessage } from '#src/domain/network-files/file-fields.ts'
import { readGasPrices } from '#src/domain/network-files/gas-prices.ts'
import { readSimpleFees } from '#src/domain/network-files/simple-fees.ts'
import { transactionType } from '#src/domain/transaction-types.ts'

/** How each of the files is read, by its number in its shard and realm. */
const readers: ReadonlyMap<bigint, (contents: Uint8Array) => unknown> = new Map([
  [111n, readGasPrices],
  [112n, readExchangeRates],
  [113n, readSimpleFees],
  [123n, assertThrottles],
])

export function isNetworkFile(fileId: bigint): boolean {
  return readers.has(entityIdParts(fileId).number)
}

export function isReadableContents(fileId: bigint, contents: Uint8Array): boolean {
  const read = readers.get(entityIdParts(fileId).number)
  return read !== undefined && isReadable(read, contents)
}

type UploadFacts = Pick<TransactionRecorded, 'type' | 'entityId' | 'fileCreate' | 'fileUpdate' | 'fileAppend'>

interface Upload {
  readonly fileId: bigint
  readonly contents: Uint8Array
  readonly isAppend: boolean
}

/** What a transaction writes to one of the files, should it succeed. */
export function uploadOf(facts: UploadFacts): Upload | undefined {
  const { type, entityId: fileId } = facts
  if (type !== transactionType.fileUpdate && type !== transactionType.fileAppend && type !== transactionType.fileCreate)
    return undefined
  if (fileId === null || !isNetworkFile(fileId)) return undefined
  const { fileCreate, fileUpdate, fileAppend } = facts
  const contents = (fileCreate ?? fileUpdate ?? fileAppend)?.contents
  // An update without contents changes other properties of the file.
  if (contents === undefined || (fileUpdate !== null && contents.length === 0)) return undefined
  return { fileId, contents, isAppend: fileAppend !== null }
}

/** Throws `file_malformed` unless the bytes can be file 123, ThrottleDefinitions. */
function assertThrottles(contents: Uint8Array): void {
  const fields = fileFields(contents)
  while (fields.next()) if (fields.field === 1) assertBucket(fields.message())
}

function assertBucket(fields: FieldReader): void {
  while (fields.next()) if (fields.field === 3) skipMessage(fields.message())
}

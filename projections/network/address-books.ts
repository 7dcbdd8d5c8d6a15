import { renderEndpoints } from '#projections/network/endpoints.ts'
import type { networkSchema } from '#projections/network/schema.ts'
import type { AddressBookNodeEntry, AddressBookSnapshotted, TransactionRecorded } from '#schemas/events/types.ts'
import { type AddressBookNode, parseAddressBook } from '#src/domain/address-book.ts'
import { entityIdParts } from '#src/domain/entity-id.ts'
import { hasSucceeded } from '#src/events/success.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof networkSchema>
type EntryRow = RowOf<typeof networkSchema, 'addressBookEntries'>

interface Book {
  readonly fileId: bigint
  /** ns */
  readonly start: bigint
  /** ns; null while it is in force. */
  readonly end: bigint | null
  readonly nodeCount: number
  readonly entries: readonly Omit<EntryRow, 'fileId' | 'start'>[]
}

const bookNumbers: ReadonlySet<bigint> = new Set([101n, 102n])

type FileFacts = Pick<
  TransactionRecorded,
  'entityId' | 'fileCreate' | 'fileUpdate' | 'fileAppend' | 'successful' | 'result'
>

/** What a transaction writes to an address book file; undefined where it writes none. */
export function bookUpload(facts: FileFacts) {
  const { entityId: fileId, fileCreate, fileUpdate, fileAppend } = facts
  const body = fileCreate ?? fileUpdate ?? fileAppend
  if (body === null || fileId === null || !bookNumbers.has(entityIdParts(fileId).number)) return undefined
  // An update without contents changes other properties of the file.
  if (!hasSucceeded(facts) || (fileCreate === null && body.contents.length === 0)) return undefined
  return { fileId, contents: body.contents, isAppend: fileAppend !== null }
}

/** A file uploaded in parts makes a book with each part after which it can be read; before that there is none, as is usual. */
export function uploadBook(rows: Rows, upload: NonNullable<ReturnType<typeof bookUpload>>, time: bigint): void {
  const { fileId, isAppend } = upload
  const file = rows.get('files', fileId)
  const earlier = file?.contents ?? null
  if (isAppend && earlier === null) return
  const contents = isAppend && earlier ? Buffer.concat([earlier, upload.contents]) : upload.contents
  rows.put('files', { fileId, contents, book: file?.book ?? null })
  const entries = entriesOf(fileId, contents)
  if (entries) putBook(rows, { fileId, start: time + 1n, end: null, nodeCount: entries.length, entries })
}

export function stateBook(rows: Rows, stated: AddressBookSnapshotted): void {
  const { fileId, asOf: start, validTo: end, nodeCount } = stated
  const entries = stated.entries?.map(entryOfSnapshot) ?? entriesOf(fileId, stated.contents)
  if (entries) putBook(rows, { fileId, start, end, nodeCount: nodeCount ?? entries.length, entries })
}

function putBook(rows: Rows, { entries, ...book }: Book): void {
  const { fileId, start } = book
  const file = rows.get('files', fileId)
  const newest = file?.book ?? null
  const before = newest === null ? undefined : rows.get('addressBooks', fileId, newest)
  if (before && before.start < start && before.end === null) rows.put('addressBooks', { ...before, end: start - 1n })
  rows.put('addressBooks', book)
  rows.put('files', { fileId, contents: file?.contents ?? null, book: start })
  for (const { publicKey, certHash, ...entry } of entries)
    rows.put('addressBookEntries', {
      fileId,
      start,
      ...entry,
      publicKey: renderDigits(publicKey),
      certHash: renderDigits(certHash),
    })
}

/** JSON text of hex digits of a book, which has them with or without 0x, or any other text. */
function renderDigits(digits: string): string {
  return JSON.stringify(digits.startsWith('0x') ? digits : `0x${digits}`)
}

/** The file lies in the shard and realm of its network, where its nodes' accounts must lie too. */
function entriesOf(fileId: bigint, contents: Uint8Array): Book['entries'] | undefined {
  return parseAddressBook(contents, entityIdParts(fileId))?.nodes.map(entryOf)
}

function entryOf({ nodeId, accountId, description, memo, publicKey, certHash, endpoints }: AddressBookNode) {
  return { nodeId, accountId, description, memo, publicKey, certHash, endpoints: renderEndpoints(endpoints) }
}

function entryOfSnapshot({ nodeId, nodeAccountId: accountId, description, memo, ...entry }: AddressBookNodeEntry) {
  const endpoints = entry.serviceEndpoints.map(({ ipAddressV4: ip, port, domainName: domain }) => ({
    ip,
    port,
    domain,
  }))
  return {
    nodeId,
    accountId,
    description,
    memo,
    publicKey: entry.publicKey ?? '',
    certHash: entry.nodeCertHash?.toString('utf8') ?? '',
    endpoints: renderEndpoints(endpoints),
  }
}

import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement } from '#test/conformance/state/statement.ts'

/** Tables `address_book`, `address_book_entry` and `address_book_service_endpoint`: a statement for each book. */
export function addressBookStatements(rows: CaseRows): Statement[] {
  const entries = Map.groupBy(rows['address_book_entry'] ?? [], bookOf)
  const endpoints = Map.groupBy(
    rows['address_book_service_endpoint'] ?? [],
    (row) => `${bookOf(row)}/${read.text(row, 'node_id')}`,
  )
  return (rows['address_book'] ?? []).map((book) => {
    const fileId = read.int64(book, 'file_id')
    const asOf = read.int64(book, 'start_consensus_timestamp')
    const nodes = entries.get(asOf.toString()) ?? []
    return statement('AddressBookSnapshotted', `address-book/${fileId}`, {
      fileId,
      contents: read.bytes(book, 'file_data'),
      asOf,
      validTo: read.int64OrNull(book, 'end_consensus_timestamp'),
      nodeCount: read.int32OrNull(book, 'node_count'),
      entries: nodes.map((row) => entryOf(row, endpoints.get(`${asOf}/${read.text(row, 'node_id')}`) ?? [])),
    })
  })
}

/** The book that a row belongs to: its start. */
function bookOf(row: CaseRow): string {
  return read.int64(row, 'consensus_timestamp').toString()
}

function entryOf(row: CaseRow, endpoints: readonly CaseRow[]) {
  return {
    nodeId: read.int64(row, 'node_id'),
    nodeAccountId: read.int64OrNull(row, 'node_account_id'),
    description: read.textOrNull(row, 'description'),
    memo: read.textOrNull(row, 'memo'),
    publicKey: read.textOrNull(row, 'public_key'),
    nodeCertHash: read.bytesOrNull(row, 'node_cert_hash'),
    stake: read.int64OrNull(row, 'stake'),
    serviceEndpoints: endpoints.map((endpoint) => ({
      domainName: read.text(endpoint, 'domain_name'),
      ipAddressV4: read.text(endpoint, 'ip_address_v4'),
      port: read.int32(endpoint, 'port'),
    })),
  }
}

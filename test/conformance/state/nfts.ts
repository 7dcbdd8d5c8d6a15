import { orNull } from '#src/events/ids.ts'
import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

/** Tables `nft` and `nft_allowance` with their histories, and NFTs that transfers name although no row has them. */
export function nftStatements(rows: CaseRows): Statement[] {
  const versions = versionsOf(rows, 'nft')
  const known = new Set(versions.map(nftOf))
  const moved = (rows['transaction'] ?? []).flatMap((row) => read.rowsOf(row, 'nft_transfer'))
  const unknown = new Map(moved.map((row) => [nftOf(row), row] as const).filter(([nft]) => !known.has(nft)))
  return [
    ...versions.map(nftStatement),
    ...[...unknown.values()].map(absence),
    ...versionsOf(rows, 'nft_allowance').map(allowanceStatement),
  ]
}

function nftOf(row: CaseRow): string {
  return `${read.text(row, 'token_id')}/${read.text(row, 'serial_number')}`
}

function nftStatement(row: CaseRow): Statement {
  return statement('NftSnapshotted', `nft/${nftOf(row)}`, {
    ...idsOf(row),
    ...validityOf(row),
    accountId: entityOrNull(row, 'account_id'),
    createdTimestamp: read.int64OrNull(row, 'created_timestamp'),
    deleted: read.flag(row, 'deleted'),
    metadata: read.bytesOrNull(row, 'metadata'),
    spender: entityOrNull(row, 'spender'),
    delegatingSpender: entityOrNull(row, 'delegating_spender'),
  })
}

function absence(row: CaseRow): Statement {
  return statement('NftSnapshotted', `nft/${nftOf(row)}`, { ...idsOf(row), asOf: 0n, validTo: 0n })
}

function idsOf(row: CaseRow): { tokenId: bigint; serialNumber: bigint } {
  return { tokenId: read.int64(row, 'token_id'), serialNumber: read.int64(row, 'serial_number') }
}

function allowanceStatement(row: CaseRow): Statement {
  const parties = {
    ownerId: read.int64(row, 'owner'),
    spenderId: read.int64(row, 'spender'),
    tokenId: read.int64(row, 'token_id'),
  }
  return statement('NftAllowanceSnapshotted', `nft-allowance/${Object.values(parties).join('/')}`, {
    ...parties,
    ...validityOf(row),
    approvedForAll: read.flag(row, 'approved_for_all'),
    payerAccountId: read.int64OrNull(row, 'payer_account_id'),
  })
}

/** 0 stands for none, too. */
function entityOrNull(row: CaseRow, column: string): bigint | null {
  return orNull(read.int64(row, column))
}

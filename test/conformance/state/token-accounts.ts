import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { balanceSeries, presentOf, snapshotsOf } from '#test/conformance/state/balance-series.ts'
import { recordedAt } from '#test/conformance/state/recorded-at.ts'
import { snapshotRows } from '#test/conformance/state/snapshots.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

const pairOf = (account: string, token: string): string => `${account}/${token}`

/** Tables `token_account` and `token_balance`, and what transfers name although no row has it. */
export function tokenAccountStatements(rows: CaseRows): Statement[] {
  const byPair = (row: CaseRow) => pairOf(read.text(row, 'account_id'), read.text(row, 'token_id'))
  const relations = Map.groupBy(versionsOf(rows, 'token_account'), byPair)
  const present = new Map((rows['token_account'] ?? []).map((row) => [byPair(row), row]))
  const snapshots = Map.groupBy(snapshotRows(rows, 'token_balance'), byPair)
  const at = recordedAt(rows)
  const pairs = new Set([...relations.keys(), ...snapshots.keys(), ...movedPairs(rows)])
  return [...pairs].flatMap((pair) => {
    const taken = snapshotsOf(snapshots.get(pair) ?? [])
    const versions = (relations.get(pair) ?? []).map(relationOf)
    const before = impliedRelation(taken[0]?.time, versions[0]?.asOf ?? at)
    const stated = [...before, ...versions]
    const balances = balanceSeries({ snapshots: taken, present: presentOf(present.get(pair)), recordedAt: at })
    return [
      ...(stated.length > 0 ? stated : [nothing]).map((event) => relationStatement(pair, event)),
      ...(balances.length > 0 ? balances : [unknown]).map((event) => balanceStatement(pair, event)),
    ]
  })
}

/** A relation that no row has, though transfers name it, is none; and so is the balance. */
const nothing = { asOf: 0n, validTo: 0n }
const unknown = { asOf: 0n, balance: null, balanceTimestamp: null }

type Facts<T extends 'TokenAccountSnapshotted' | 'TokenBalanceSnapshotted'> = Parameters<typeof statement<T>>[2]

function relationStatement(pair: string, event: Facts<'TokenAccountSnapshotted'>): Statement {
  return statement('TokenAccountSnapshotted', `token-account/${pair}`, { ...idsOf(pair), ...event })
}

function balanceStatement(pair: string, event: Facts<'TokenBalanceSnapshotted'>): Statement {
  return statement('TokenBalanceSnapshotted', `token-balance/${pair}`, { ...idsOf(pair), ...event })
}

function idsOf(pair: string): { accountId: bigint; tokenId: bigint } {
  const [account = '', token = ''] = pair.split('/')
  return { accountId: BigInt(account), tokenId: BigInt(token) }
}

function relationOf(row: CaseRow): Facts<'TokenAccountSnapshotted'> {
  return {
    ...validityOf(row),
    associated: read.flag(row, 'associated'),
    automaticAssociation: read.flag(row, 'automatic_association'),
    createdTimestamp: read.int64OrNull(row, 'created_timestamp'),
    freezeStatus: read.int32OrNull(row, 'freeze_status'),
    kycStatus: read.int32OrNull(row, 'kyc_status'),
  }
}

/** Who was in a snapshot before its first row of a relation held the token all the same. */
function impliedRelation(firstTaken: bigint | undefined, firstStated: bigint): Facts<'TokenAccountSnapshotted'>[] {
  if (firstTaken === undefined || firstTaken >= firstStated) return []
  return [{ asOf: firstTaken, validTo: firstStated, associated: true }]
}

function movedPairs(rows: CaseRows): string[] {
  const fungible = (rows['token_transfer'] ?? []).map((row) =>
    pairOf(read.text(row, 'account_id'), read.text(row, 'token_id')),
  )
  const unique = (rows['transaction'] ?? [])
    .flatMap((row) => read.rowsOf(row, 'nft_transfer'))
    .flatMap((row) =>
      [read.int64(row, 'sender_account_id'), read.int64(row, 'receiver_account_id')]
        .filter((account) => account !== 0n)
        .map((account) => pairOf(account.toString(), read.text(row, 'token_id'))),
    )
  return [...fungible, ...unique]
}

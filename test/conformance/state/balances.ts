import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import {
  balanceSeries,
  type KnownBalances,
  presentOf,
  type StatedBalance,
  snapshotsOf,
} from '#test/conformance/state/balance-series.ts'
import { recordedAt } from '#test/conformance/state/recorded-at.ts'
import { snapshotRows } from '#test/conformance/state/snapshots.ts'
import { type Statement, statement } from '#test/conformance/state/statement.ts'
import { tokenAccountStatements } from '#test/conformance/state/token-accounts.ts'

/** Balances of tables `entity`, `account_balance`, `token_account` and `token_balance`, and the relations to tokens. */
export function balanceStatements(rows: CaseRows): Statement[] {
  return [...accountStatements(rows), ...tokenAccountStatements(rows)]
}

const kindsWithoutBalance = new Set(['FILE', 'TOPIC', 'TOKEN', 'SCHEDULE'])

function accountStatements(rows: CaseRows): Statement[] {
  const snapshots = Map.groupBy(snapshotRows(rows, 'account_balance'), (row) => read.text(row, 'account_id'))
  const holders = (rows['entity'] ?? []).filter(hasBalance)
  const present = new Map(holders.map((row) => [read.text(row, 'id'), row]))
  const earlier = snapshots.size > 0 ? new Map<string, CaseRow[]>() : versionedBalances(rows)
  const at = recordedAt(rows)
  const ids = new Set([...snapshots.keys(), ...earlier.keys(), ...present.keys(), ...movedAccounts(rows)])
  return [...ids].flatMap((id) => {
    const known = { snapshots: snapshotsOf(snapshots.get(id) ?? earlier.get(id) ?? []), recordedAt: at }
    return seriesOf({ ...known, present: presentOf(present.get(id)) }).map((stated) =>
      statement('AccountBalanceSnapshotted', `balance/${id}`, { accountId: BigInt(id), ...stated }),
    )
  })
}

/** Of an account that only transfers name nothing is known: the rows say what they all came to. */
function seriesOf(known: KnownBalances): StatedBalance[] {
  const series = balanceSeries(known)
  return series.length > 0 ? series : [{ asOf: 0n, balance: null, balanceTimestamp: null }]
}

function hasBalance(row: CaseRow): boolean {
  return row['balance'] !== null || !kindsWithoutBalance.has(read.text(row, 'type'))
}

/** Without snapshots the earlier versions of an entity tell its earlier balances. */
function versionedBalances(rows: CaseRows): Map<string, CaseRow[]> {
  const taken = (rows['entity_history'] ?? [])
    .filter((row) => row['balance'] !== null && row['balance_timestamp'] !== null)
    .map((row) => ({ ...row, consensus_timestamp: row['balance_timestamp'] }))
  return Map.groupBy(taken, (row) => read.text(row, 'id'))
}

function movedAccounts(rows: CaseRows): string[] {
  return (rows['crypto_transfer'] ?? []).map((row) => read.text(row, 'entity_id'))
}

import { transactionTypeNames } from '#src/domain/transaction-types.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { extractBody } from '#src/importer/decode/body.ts'
import type { RecordItem } from '#src/importer/record/record-file.ts'

/** How many there are of each kind, the most frequent first. */
export type Counts = Readonly<Record<string, number>>

export function countsOf(names: Iterable<string>): Counts {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))
}

/** Of a record file, by type as the REST API writes it, or the number of one that it has no name for. */
export function countItems(items: readonly RecordItem[]): Counts {
  return countsOf(items.map(({ transaction }) => nameOf(extractBody(transaction).type)))
}

/** Of a block. */
export function countTransactions(transactions: readonly BlockTransaction[]): Counts {
  return countsOf(transactions.map(({ signed, body }) => (signed === undefined ? 'REDACTED' : nameOf(body.type))))
}

function nameOf(type: number): string {
  return transactionTypeNames[type] ?? (type === 0 ? 'UNKNOWN' : `TYPE_${type}`)
}

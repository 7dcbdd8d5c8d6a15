import type { TransactionBody } from '#src/events/decode/messages.ts'

/** May write every file of the network: its treasury and its administrator. */
const superusers: ReadonlySet<bigint> = new Set([2n, 50n])

/** Who else may write a file of the network, by number. */
const administrators: ReadonlyMap<bigint, readonly bigint[]> = new Map([
  [101n, [55n]],
  [102n, [55n]],
  [111n, [56n]],
  [112n, [57n]],
  [113n, [56n]],
  [121n, [55n, 57n]],
  [122n, [55n, 57n]],
  [123n, [55n, 57n]],
  ...Array.from({ length: 10 }, (_, index): [bigint, readonly bigint[]] => [150n + BigInt(index), [58n]]),
])

/**
 * Whether the network does this for nothing: what it is asked to delete or bring back by those who may, and, which the
 * payer's number tells only with the ledger's state at hand, an update of one of its files.
 */
export function hasWaivedFees({ transactionID, ...body }: TransactionBody, withState: boolean): boolean {
  if (body.systemDelete || body.systemUndelete) return true
  const file = body.fileUpdate?.fileID?.fileNum
  const payer = transactionID?.accountID?.accountNum
  if (!withState || file === undefined || payer === undefined || payer === null) return false
  const writers = administrators.get(file)
  return writers !== undefined && (superusers.has(payer) || writers.includes(payer))
}

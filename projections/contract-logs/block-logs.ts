import { type DraftLog, draftKind } from '#projections/contract-logs/draft-log.ts'
import { unpackDrafts } from '#projections/contract-logs/draft-packing.ts'
import type { LogRow, OpenItemRow } from '#projections/contract-logs/schema.ts'

type Draft = Pick<DraftLog, 'kind' | 'contractId'>

/** With whose transaction a log is shown: a recorded one with its own, one that was made with its host. */
export function shownItem({ kind }: Draft, item: OpenItemRow, host: OpenItemRow): OpenItemRow {
  return kind === draftKind.real ? item : host
}

/** The contract that a log is shown with: what was made for a call stands for the contract that was called. */
export function shownContractOf({ kind, contractId }: Draft, item: OpenItemRow, host: OpenItemRow): bigint {
  return kind === draftKind.real || host.place === item.place ? contractId : host.callContract
}

function rootContractOf({ kind, contractId }: Draft, item: OpenItemRow, host: OpenItemRow): bigint | null {
  if (kind === draftKind.real) return item.resultContract
  return host.place === item.place ? contractId : host.receiptContract
}

export interface ClosedBlock {
  readonly items: readonly OpenItemRow[]
  readonly end: bigint
  /** The network logs itself whatever tokens a call moves. */
  readonly callsLogTokens: boolean
}

/** All logs of a block that is complete, numbered without a gap in the order of what gave rise to them. */
export function logsOfBlock({ items, end: blockEnd, callsLogTokens }: ClosedBlock): LogRow[] {
  const rows: LogRow[] = []
  for (const item of items) {
    const host = items[item.hostPlace]!
    unpackDrafts(item.logs).forEach((draft, number) => {
      if (draft.kind === draftKind.madeOfCall && callsLogTokens) return
      const { time: consensusTimestamp, transactionIndex } = shownItem(draft, item, host)
      rows.push({
        time: item.time,
        number,
        consensusTimestamp,
        index: rows.length,
        contractId: shownContractOf(draft, item, host),
        rootContractId: rootContractOf(draft, item, host),
        payer: item.payer,
        digits: draft.digits,
        transactionIndex,
        synthetic: draft.kind === draftKind.real ? 0 : 1,
        blockEnd,
      })
    })
  }
  return rows
}

/** Since version 0.71 calls log whatever tokens they move. Files before version 5 have no version, and are older. */
export function callsLogTokensSince(major: number | null, minor: number | null): boolean {
  return major !== null && minor !== null && (major > 0 || minor >= 71)
}

import { type DraftLog, draftKind } from '#projections/contract-logs/draft-log.ts'
import { type PackedDraft, unpackDrafts } from '#projections/contract-logs/packing/drafts.ts'
import { type LogRow, logKind, type OpenItemRow } from '#projections/contract-logs/schema.ts'

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

export interface BlockLogs {
  /** Numbered without a gap in the order of what gave rise to them. */
  readonly logs: readonly LogRow[]
  /** By place of the item: its number among the transactions that the EVM sees; null of others. */
  readonly transactionIndexes: readonly (number | null)[]
}

/**
 * All logs of a block that is complete. The EVM sees calls, creations and Ethereum transactions that ran, and what is no part
 * of one but has logs that were made for it; parts of a call have its number.
 */
export function logsOfBlock({ items, end: blockEnd, callsLogTokens }: ClosedBlock): BlockLogs {
  const logs: LogRow[] = []
  const transactionIndexes: (number | null)[] = []
  let next = 0
  for (const item of items) {
    const host = items[item.hostPlace]!
    const drafts = unpackDrafts(item.logs)
    const isLeft = ({ kind }: Draft) => !(kind === draftKind.syntheticOfCall && callsLogTokens)
    const leading = drafts.findIndex((draft) => isLeft(draft) && namesWhatMoved(draft))
    const isSeen = item.takesPlace === 1 || leading !== -1
    transactionIndexes.push(host === item ? (isSeen ? next++ : null) : (transactionIndexes[host.place] ?? null))
    const hasRow = host === item && item.resultContract === null
    drafts.forEach((draft, number) => {
      if (!isLeft(draft)) return
      const shown = shownItem(draft, item, host)
      logs.push({
        time: item.time,
        number,
        consensusTimestamp: shown.time,
        index: logs.length,
        contractId: shownContractOf(draft, item, host),
        rootContractId: rootContractOf(draft, item, host),
        payer: item.payer,
        digits: draft.digits,
        transactionIndex: transactionIndexes[shown.place] ?? null,
        kind: kindOf(draft, hasRow && number === leading),
        blockEnd,
      })
    })
  }
  return { logs, transactionIndexes }
}

function namesWhatMoved({ kind }: Draft): boolean {
  return kind === draftKind.synthetic || kind === draftKind.syntheticOfCall
}

function kindOf({ kind }: PackedDraft, isLeading: boolean): number {
  if (kind === draftKind.real) return logKind.recorded
  if (kind === draftKind.syntheticOfAll) return logKind.ofAll
  return isLeading ? logKind.leading : logKind.made
}

/** Since version 0.71 calls log whatever tokens they move. Files before version 5 have no version, and are older. */
export function callsLogTokensSince(major: number | null, minor: number | null): boolean {
  return major !== null && minor !== null && (major > 0 || minor >= 71)
}

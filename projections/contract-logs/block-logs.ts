import { type DraftLog, draftKind } from '#projections/contract-logs/draft-log.ts'
import { decodeDrafts } from '#projections/contract-logs/draft-packing.ts'
import type { LogRow, OpenItemRow } from '#projections/contract-logs/schema.ts'

type Placed = Pick<
  LogRow,
  'consensusTimestamp' | 'contractId' | 'rootContractId' | 'transactionHash' | 'transactionIndex'
>

/** Where a log is shown: a recorded one with its own transaction, one that was made with its host. */
export function placeLog({ kind, contractId }: DraftLog, item: OpenItemRow, host: OpenItemRow): Placed {
  const shownWith = kind === draftKind.real ? item : host
  const { time: consensusTimestamp, transactionHash, transactionIndex } = shownWith
  const place = { consensusTimestamp, transactionHash, transactionIndex }
  if (kind === draftKind.real) return { ...place, contractId, rootContractId: item.resultContract }
  if (host.place === item.place) return { ...place, contractId, rootContractId: contractId }
  return { ...place, contractId: host.callContract, rootContractId: host.receiptContract }
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
    decodeDrafts(item.logs).forEach((draft, number) => {
      const { kind, topics, data, bloom } = draft
      if (kind === draftKind.madeOfCall && callsLogTokens) return
      const [topic0, topic1, topic2, topic3] = topics
      rows.push({
        time: item.time,
        number,
        index: rows.length,
        payer: item.payer,
        ...placeLog(draft, item, host),
        topic0,
        topic1,
        topic2,
        topic3,
        data,
        bloom,
        synthetic: kind === draftKind.real ? 0 : 1,
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

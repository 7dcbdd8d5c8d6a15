import type { DraftKind } from '#projections/contract-logs/draft-log.ts'

/** What the end of the block must know of a log. */
export interface PackedDraft {
  readonly kind: DraftKind
  readonly contractId: bigint
  /** Packed by packDigits. */
  readonly digits: string
}

const between = '\n'
const behindKind = 1

/** Behind each other: kind, contract, digits. */
export function packDrafts(drafts: readonly PackedDraft[]): string {
  let packed = ''
  for (const { kind, contractId, digits } of drafts)
    packed += `${packed === '' ? '' : between}${kind}${contractId},${digits}`
  return packed
}

export function unpackDrafts(packed: string): PackedDraft[] {
  if (packed === '') return []
  return packed.split(between).map((draft) => {
    const end = draft.indexOf(',')
    return {
      kind: Number(draft[0]) as DraftKind,
      contractId: BigInt(draft.slice(behindKind, end)),
      digits: draft.slice(end + 1),
    }
  })
}

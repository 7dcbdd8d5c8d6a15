import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'
import type { LastBlock } from '#src/importer/state/last-block.ts'

export interface BlockNumbering {
  readonly number: bigint
  /** Counted here, since the file carries no number. */
  readonly provisional: boolean
  /** What all earlier provisional numbers are off by; undefined when they are right. */
  readonly shift: bigint | undefined
}

/** Number of the next block. A file's own number counts; before the first of those, blocks are numbered one by one. */
export function numberBlock(own: bigint | undefined, last: LastBlock | undefined, start: bigint): BlockNumbering {
  const expected = last === undefined ? start : last.number + 1n
  if (own === undefined) return { number: expected, provisional: true, shift: undefined }
  const shift = last?.numberProvisional === true && own !== expected ? own - expected : undefined
  return { number: own, provisional: false, shift: shift !== undefined && isInt64(shift) ? shift : undefined }
}

/** A test network's nonsense number may be so far away that no event could say it; then the old numbers stay. */
function isInt64(value: bigint): boolean {
  return value <= maxInt64 && value >= minInt64
}

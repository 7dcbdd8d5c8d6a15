import type { blocksSchema } from '#projections/blocks/schema.ts'
import type { Rows } from '#src/ports/read-store.ts'

/** Blocks whose stored number plus the shift is the true one. */
export interface Numbering {
  /** Its own number, from 0, as the rows name it. */
  readonly epoch: number
  readonly shift: bigint
}

/** More corrections of the numbering than a ledger can have. */
const numberingsMax = 1_000

/** Every numbering, the oldest first. Without corrections there is one, and stored numbers are true. */
export async function readNumberings(blocks: Rows<typeof blocksSchema>): Promise<Numbering[]> {
  const rows = await blocks.find({
    collection: 'numbering',
    index: ['epoch'],
    lower: { value: 0, inclusive: true },
    limit: numberingsMax,
    select: ['epoch', 'shift'],
  })
  return [...rows, { epoch: rows.length, shift: 0n }]
}

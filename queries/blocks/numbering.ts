import type { blocksSchema } from '#projections/blocks/schema.ts'
import type { Rows } from '#src/ports/read-store.ts'

/** Blocks whose stored number plus the shift is the true one. */
export interface Epoch {
  readonly epoch: number
  readonly shift: bigint
}

/** More corrections of the numbering than a ledger can have. */
const epochsMax = 1_000

/** Every epoch, the oldest first. Without corrections there is one, and stored numbers are true. */
export async function readEpochs(blocks: Rows<typeof blocksSchema>): Promise<Epoch[]> {
  const rows = await blocks.find({
    collection: 'numbering',
    index: ['epoch'],
    lower: { value: 0, inclusive: true },
    limit: epochsMax,
    select: ['epoch', 'shift'],
  })
  return [...rows, { epoch: rows.length, shift: 0n }]
}

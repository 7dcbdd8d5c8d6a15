import type { RowReader } from '#src/ports/read-store.ts'

/** Blocks whose stored number plus the shift is the true one. */
export interface Epoch {
  readonly epoch: number
  readonly shift: bigint
}

/** More corrections of the numbering than a ledger can have. */
const epochsMax = 1_000

/** Every epoch, the oldest first. Without corrections there is one, and stored numbers are true. */
export async function readEpochs(reader: RowReader): Promise<Epoch[]> {
  const rows = await reader.find({
    collection: 'numbering',
    index: ['epoch'],
    lower: { value: 0, inclusive: true },
    limit: epochsMax,
    select: ['epoch', 'shift'],
  })
  const shifts = rows.map((row) => ({ epoch: row['epoch'] as number, shift: row['shift'] as bigint }))
  return [...shifts, { epoch: shifts.length, shift: 0n }]
}

import { type CustomFees, unpackFees } from '#projections/custom-fees/fees-packing.ts'
import { type CustomFeeRow, type CustomFeeSchema, customFeeFields } from '#projections/custom-fees/schema.ts'
import { newestAt } from '#queries/common/newest-at.ts'
import { plainRows, type Rows, typedRows } from '#src/ports/read-store.ts'

export interface FoundFees extends CustomFees {
  /** ns; since when they are in force. */
  readonly from: bigint
}

/**
 * The newest fees that had begun at a time (ns). `current`: only those that are still in force. As established clients know
 * it, whoever asks about the past gets them, whether or not they had ended.
 */
export async function findFees<S extends CustomFeeSchema>(
  own: Rows<S>,
  id: bigint,
  { time, current }: { readonly time: bigint; readonly current: boolean },
): Promise<FoundFees | undefined> {
  // Of what else its read model keeps, nothing is asked.
  const rows = typedRows<CustomFeeSchema>(plainRows(own))
  const [newest] = await rows.get('customFees', [[id]], customFeeFields)
  const row = newest === undefined || newest.from <= time ? newest : await findEarlier(rows, id, time)
  if (row === undefined || (current && row.until !== null && row.until <= time)) return undefined
  return { from: row.from, ...unpackFees(row.fees) }
}

async function findEarlier(rows: Rows<CustomFeeSchema>, id: bigint, time: bigint): Promise<CustomFeeRow | undefined> {
  const [row] = await rows.find({
    collection: 'customFeeVersions',
    index: ['id', 'from'],
    prefix: [id],
    ...newestAt(time),
    select: customFeeFields,
  })
  return row
}

import { type CustomFees, unpackFees } from '#projections/custom-fees/fees-packing.ts'
import { type CustomFeeSchema, customFeeFields, customFeesSchema } from '#projections/custom-fees/schema.ts'
import { versionsOf } from '#queries/common/versions-of.ts'
import { plainRows, type Rows, typedRows } from '#src/ports/read-store.ts'

const customFees = versionsOf(customFeesSchema, 'customFees')

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
  const rows = typedRows<typeof customFeesSchema>(plainRows(own))
  const row = await customFees.begunAt(rows, [id], time, customFeeFields)
  if (row === undefined || (current && row.until !== null && row.until <= time)) return undefined
  return { from: row.from, ...unpackFees(row.fees) }
}

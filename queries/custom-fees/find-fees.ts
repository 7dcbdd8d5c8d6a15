import { type CustomFees, unpackFees } from '#projections/custom-fees/packing.ts'
import { type CustomFeeRow, type CustomFeeSchema, customFeeFields } from '#projections/custom-fees/schema.ts'
import type { RowsAt } from '#src/ports/read-store.ts'

type FeeRows = RowsAt<CustomFeeSchema>

export interface FoundFees extends CustomFees {
  /** ns; since when they are in force. */
  readonly from: bigint
}

/** The fees in force. */
export async function findFees(rows: Pick<FeeRows, 'get'>, id: bigint): Promise<FoundFees | undefined> {
  return found(await rows.get('customFees', [[id]], customFeeFields))
}

/** The newest fees that had begun: as established clients know it, whoever asks about the past gets them, whether or not they had ended. */
export async function findBegunFees(rows: Pick<FeeRows, 'begun'>, id: bigint): Promise<FoundFees | undefined> {
  return found(await rows.begun('customFees', [[id]], customFeeFields))
}

function found([row]: readonly (CustomFeeRow | undefined)[]): FoundFees | undefined {
  return row && { from: row.from, ...unpackFees(row.fees) }
}

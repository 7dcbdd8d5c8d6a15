import { invalidParameters } from '#queries/common/errors.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { lastBounds, selectionOf } from '#queries/common/range.ts'
import type { TupleRange } from '#queries/common/tuple-range.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

/** Which airdrops of an account a request wants: by the account on the other side, token and serial number, in this order. */
export interface AirdropSelection {
  /** Of all three columns; without the token's where that has to equal a value. */
  readonly range: TupleRange
  readonly token: bigint | undefined
  /** What the serial number has to equal. */
  readonly serial: bigint | undefined
}

export interface AirdropFilters {
  readonly party: readonly Filter<bigint>[]
  readonly token: readonly Filter<bigint>[]
  readonly serial: readonly Filter<bigint>[]
}

/**
 * A bound of a later column counts at the bound of the one before it alone, and so has no effect without one; a single value
 * counts everywhere. Throws `invalid_parameter` where nothing lies between the bounds of the first column.
 */
export function selectAirdrops(filters: AirdropFilters): AirdropSelection {
  const [party, token, serial] = [boundsOf(filters.party), boundsOf(filters.token), boundsOf(filters.serial)]
  if (party.least > party.upper) throw invalidParameters(['Invalid range provided for account.id'])
  const columns = token.equal === undefined ? [party, token, serial] : [party, serial]
  return {
    range: {
      lower: columns.map(({ lower }) => lower),
      upper: columns.map(({ equal, upper }) => equal ?? upper),
    },
    token: token.equal,
    serial: serial.equal,
  }
}

/** As established clients know it, of values for the same side the last one counts, an equal one is for the lower, and `ne` for none. */
function boundsOf(filters: readonly Filter<bigint>[]) {
  const { from, to } = lastBounds(filters)
  const equal = from?.operator === 'eq' ? from.value : undefined
  const { lower, hasLower, upper } = selectionOf(
    [from, to].filter((each) => each !== undefined),
    minInt64,
  )
  return { equal, lower: equal ?? lower, least: equal ?? (hasLower ? lower : 0n), upper }
}

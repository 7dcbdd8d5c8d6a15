import type { Parameter } from '#queries/common/parameters.ts'
import { allOperators } from '#queries/common/parameters.ts'
import { formatLedgerTime, parseLedgerTime } from '#src/domain/ledger-time.ts'

/** A consensus time in nanoseconds, given as `seconds` or `seconds.fraction`. */
export function timestampParameter(description: string): Parameter<bigint> {
  return {
    name: 'timestamp',
    description,
    schema: { type: 'string', pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,10}(\\.\\d{1,9})?$' },
    example: 'gte:1234567890.000000001',
    operators: allOperators,
    repeatable: true,
    parse: (text) => parseLedgerTime(text),
    write: formatLedgerTime,
  }
}

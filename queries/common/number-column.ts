import type { PagingColumn } from '#queries/common/links.ts'
import { splitBoundOperator } from '#queries/common/parse-bound-query.ts'

/** Paging of family B by a number: the next page begins beyond the last row's. */
export function numberColumn(name: string, last: bigint): PagingColumn {
  return {
    name,
    last: last.toString(),
    numberOf: (value) => {
      const text = splitBoundOperator(value)?.text ?? ''
      return /^\d+$/.test(text) ? BigInt(text) : undefined
    },
  }
}

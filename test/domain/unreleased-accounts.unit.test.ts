import { expect, it } from 'vitest'
import {
  accountRangeOf,
  formatAccountRange,
  parseAccountRange,
  unreleasedRanges,
} from '#src/domain/unreleased-accounts.ts'

it('reads ranges of accounts as they are written', () => {
  expect(unreleasedRanges.map(formatAccountRange).map(accountRangeOf)).toEqual(unreleasedRanges)
  for (const text of ['', 'x', '5-4', '1-', '-1', '0.0.98', '1-10001']) expect(parseAccountRange(text)).toBeUndefined()
})

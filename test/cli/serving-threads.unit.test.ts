import { expect, it } from 'vitest'
import { threadsByDefault } from '#src/cli/serving-threads.ts'

it('takes a thread per core, at most eight', () => {
  expect([1, 2, 6, 8, 64].map((cores) => threadsByDefault(cores))).toEqual([1, 2, 6, 8, 8])
})

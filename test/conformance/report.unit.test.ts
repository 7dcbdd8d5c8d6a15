import { expect, it } from 'vitest'
import { createReport } from '#test/conformance/report.ts'

const request = { method: 'GET', url: '/api/v1/blocks', status: 200 }
const right = { request, differences: [], amendments: [], settings: [] }
const newer = { ...right, amendments: ['a list'] }
const hashes = { ...right, differences: ['body.hash: expected "0xabc", got "0xab"'] }
const wrong = { ...right, differences: ['status: expected 200, got 404'], settings: ['pageSizeMax'] }

it('answers with settings of their own have a figure beside that of their endpoint', () => {
  const none = { matched: 0, amended: 0, explained: 0, failed: 0 }
  const report = createReport()

  report.add('blocks', 'a.json', { outcomes: [right, wrong, newer, hashes], made: 1 })
  report.add('blocks', 'b.json', { outcomes: [{ ...right, settings: ['pageSizeMax'] }], made: 2 })
  report.add('nothing', 'd.json', { outcomes: [], made: 0 })

  expect([...report.byEndpoint]).toEqual([['blocks', { matched: 2, amended: 1, explained: 1, failed: 1 }]])
  expect([...report.bySettings]).toEqual([['pageSizeMax', { ...none, matched: 1, failed: 1 }]])
  expect([...report.byAmendment]).toEqual([['a list', 1]])
  expect([...report.byReason]).toEqual([['a hash with half a byte at its end', 1]])
  expect(report.failures).toEqual([{ file: 'a.json', request, differences: wrong.differences }])
  expect(report.made).toBe(3)
})

import { expect, it } from 'vitest'
import { createReport } from '#test/conformance/report.ts'

const request = { method: 'GET', url: '/api/v1/blocks', status: 200 }
const right = { request, differences: [], settings: [] }
const wrong = { request, differences: ['status: expected 200, got 404'], settings: ['pageSizeMax'] }

it('answers with settings of their own have a figure beside that of their endpoint', () => {
  const report = createReport()

  report.add('blocks', 'a.json', { outcomes: [right, wrong], later: 3, made: 1 })
  report.add('blocks', 'b.json', { outcomes: [{ ...right, settings: ['pageSizeMax'] }], later: 0, made: 2 })
  report.add('tokens', 'c.json', { outcomes: [], later: 4, made: 0 })
  report.add('nothing', 'd.json', { outcomes: [], later: 0, made: 0 })

  expect([...report.byEndpoint]).toEqual([
    ['blocks', { passed: 2, failed: 1, later: 3 }],
    ['tokens', { passed: 0, failed: 0, later: 4 }],
  ])
  expect([...report.bySettings]).toEqual([['pageSizeMax', { passed: 1, failed: 1, later: 0 }]])
  expect(report.failures).toEqual([{ file: 'a.json', request, differences: wrong.differences }])
  expect(report.made).toBe(3)
})

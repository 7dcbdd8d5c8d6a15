import { expect, it } from 'vitest'
import { healthMetricNames } from '#src/domain/status/health-metrics.ts'
import { durationText, figureText } from '#src/domain/status/health-words.ts'

it.each([
  [0, 'less than a second'],
  [0.4, 'less than a second'],
  [1, '1 second'],
  [45.2, '45 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [5_400, '90 minutes'],
  [7_200, '2 hours'],
  [172_800, '2 days'],
  [28_200_004.73, '326 days'],
  [1e15, '11,574,074,074 days'],
])('says of %d seconds: %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

it.each([
  ['importer_lag_seconds', 28_200_004.73, 'the newest transaction is 326 days old'],
  ['importer_lag_seconds', 0, 'all that its source has is imported'],
  ['projection_lag_seconds', 28_200_004.73, '326 days behind the log'],
  ['http_error_ratio', 0.0004, 'less than 0.1 % of requests fail'],
  ['http_slow_ratio', 0.051, '5.1 % of requests take longer than a second'],
  ['decisions_seconds', 0.003, 'the decision store answers within a second'],
  ['import_failures', 1, 'it has stopped and needs a person'],
  ['queue_depth', 1_234_567.5, 'queue depth: 1,234,567.5'],
  ['disk_wait_seconds', 90, 'disk wait: 90 seconds'],
  ['cache_miss_ratio', 0.25, 'cache miss: 25 %'],
  ['queue_depth', null, 'queue depth: not measured'],
  ['__proto__', 7, '  proto  : 7'],
  ['constructor', 7, 'constructor: 7'],
] as const)('says of %s %d: %s', (metric, value, text) => {
  expect(figureText(metric, value)).toBe(text)
})

it('has words for every figure of ours, and repeats none as it was measured', () => {
  for (const metric of healthMetricNames) {
    const value = metric.endsWith('_ratio') ? 0.028_473 : 28_200_004.73
    expect(figureText(metric, value)).not.toMatch(/28\d|_|\.\d\d/)
  }
})

import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { formatMetrics, snapshotOf } from '#src/runtime/watch/metrics.ts'
import { RequestDurations } from '#src/runtime/watch/request-durations.ts'

const blocks = { route: '/api/v1/blocks', method: 'GET', status: 200 }

it('counts requests within each bound, by route, method and status, and adds up those of several threads', async () => {
  const registries = [new Registry(), new Registry()]
  const [one, other] = registries.map((registry) => new RequestDurations(registry))
  one!.note({ ...blocks, seconds: 0.001 })
  one!.note({ ...blocks, seconds: 0.5 })
  one!.note({ ...blocks, status: 503, seconds: 60 })
  one!.note({ ...blocks, method: 'HEAD', seconds: 0.25 })
  other!.note({ ...blocks, seconds: 0.002 })
  const page = await formatMetrics(await Promise.all(registries.map(snapshotOf)))
  const name = 'ledger_http_request_duration_seconds'
  const of = (figure: string, labels: string) =>
    page
      .split('\n')
      .find((line) => line.startsWith(`${name}${figure}`) && line.includes(labels))
      ?.split(' ')
      .at(-1)
  const answered = 'route="/api/v1/blocks",method="GET",status="200"'
  const within = ['0.0005', '0.001', '0.0025', '0.25', '0.5', '10', '+Inf']
  expect(within.map((bound) => of('_bucket', `{le="${bound}",${answered}`))).toEqual([
    '0',
    '1',
    '2',
    '2',
    '3',
    '3',
    '3',
  ])
  expect([of('_count', answered), of('_sum', answered)]).toEqual(['3', '0.503'])
  const refused = 'method="GET",status="503"'
  expect([of('_bucket', `{le="10",route="/api/v1/blocks",${refused}`), of('_count', refused)]).toEqual(['0', '1'])
  expect(of('_count', 'method="HEAD"')).toBe('1')
  expect(page).toContain(`# TYPE ${name} histogram\n`)
})

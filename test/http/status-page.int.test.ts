import { afterEach, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { hostileText, longStory, storyComponents, storyNow } from '#test/queries/status/long-story.ts'
import { componentsCreated, event, pageConfigured } from '#test/queries/status/story.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

let page: StatusPage | undefined
afterEach(() => page?.close())

async function open(options: Parameters<typeof openStatusPage>[0] = {}): Promise<StatusPage> {
  page = await openStatusPage({ now: storyNow, ...options })
  await page.tell(longStory)
  return page
}

it('lets caches keep answers for ten seconds, and knows who has them already', async () => {
  const { app } = await open()
  const first = await app.inject('/api/v2/summary.json')
  expect(first.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=10, stale-while-revalidate=30, stale-if-error=86400',
    etag: expect.stringMatching(/^W\/"/),
  })
  const again = await app.inject({
    url: '/api/v2/summary.json?_=123',
    headers: { 'if-none-match': String(first.headers.etag) },
  })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const head = await app.inject({ method: 'HEAD', url: '/api/v2/summary.json' })
  expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', first.headers.etag])
})

it('sends an answer that it keeps as it was sent at first, over a real connection', async () => {
  const { app, tell } = await open()
  await tell([
    pageConfigured({ id: 'page00000001', name: 'Störung 状態 🚦', url: 'https://status.example.org' }, storyNow),
  ])
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = async (method: string) => {
    const answer = await fetch(`${address}/api/v2/summary.json`, { method })
    const { 'request-id': id, date, connection, 'keep-alive': kept, ...said } = Object.fromEntries(answer.headers)
    return { id, answer: [answer.status, said, await answer.text()] }
  }
  const [first, second, third] = [await ask('GET'), await ask('GET'), await ask('GET')]
  expect(first.answer).toEqual([
    200,
    expect.objectContaining({ 'access-control-allow-origin': '*' }),
    expect.stringContaining('"Störung 状態 🚦"'),
  ])
  expect([second.answer, third.answer]).toEqual([first.answer, first.answer])
  expect(new Set([first.id, second.id, third.id]).size).toBe(3)
  expect((await ask('HEAD')).answer).toEqual([200, first.answer[1], ''])
})

it('refuses other methods and unknown paths', async () => {
  const { app } = await open()
  const post = await app.inject({ method: 'POST', url: '/api/v2/summary.json' })
  expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  for (const path of ['/api/v2/nothing.json', '/api/v2/components/cmp0nonexist/uptime.json', '/incidents/inc0nonexist'])
    expect([path, (await app.inject(path)).statusCode]).toEqual([path, 404])
  const short = await app.inject('/i/inc000000001')
  expect([short.statusCode, short.headers.location]).toEqual([301, '/incidents/inc000000001'])
})

it('answers what it last answered while the store is away', async () => {
  let away = false
  const reader = (own: RowReader): RowReader => ({
    ...own,
    checkpoint: () => (away ? Promise.reject(new LedgerError('store_unavailable', 'away')) : own.checkpoint()),
    get: (...query) => own.get(...query),
    find: (query) => own.find(query),
  })
  const { app } = await open({ reader })
  const { body } = await app.inject('/api/v2/summary.json')
  away = true
  const late = await app.inject('/api/v2/summary.json?_=1')
  expect([late.statusCode, late.body]).toEqual([200, body])
  expect((await app.inject('/api/v2/components.json')).statusCode).toBe(503)
})

it('writes what people typed as text, in the page and in the feeds', async () => {
  const { get } = await open()
  for (const path of ['/', '/history', '/incidents/inc000000002', '/history.atom', '/history.rss']) {
    const body = await get(path)
    expect([path, body.includes(hostileText)]).toEqual([path, false])
    expect([path, /<img|<script>document/.test(body)]).toEqual([path, false])
  }
  expect(await get('/')).toContain('&lt;img src=x')
  expect(await get('/incidents/inc000000001')).toContain('<a href="https://example.org/a?b=c&amp;d=e"')
})

it('does not say that all is well while an incident is open', async () => {
  const { get, json } = await open()
  expect(await json('/api/v2/status.json')).toMatchObject({ status: { indicator: 'none' } })
  const home = await get('/')
  expect(home).toContain('One incident is open')
  expect(home).not.toContain('All Systems Operational')
  expect(home).toMatch(/10 June 2026<\/h3><p><a href="\/incidents\/inc000000002">/)
})

it('counts the uptime of a group while all of its components are up, or as their mean', async () => {
  const { json, tell } = await open()
  const uptime = async (id: string) => (await json(`/api/v2/components/${id}/uptime.json`)) as { uptime: number }
  // An hour of a major and two of a partial outage in ninety days, less the half of today that is not over.
  const minutes = 89.5 * 1440
  const down = 60 + 0.3 * 120
  expect((await uptime('grp0000reads')).uptime).toBeCloseTo(100 - (100 * down) / minutes, 3)
  await tell([
    event('PageConfigured', {
      page_id: 'page00000001',
      name: 'Ledger',
      url: 'https://status.example.org',
      time_zone: 'Etc/UTC',
      maintenance_indicator: 'maintenance',
      incident_floor: false,
      automation: 'propose',
      group_uptime: 'mean',
      at: storyNow,
    }),
  ])
  expect((await uptime('grp0000reads')).uptime).toBeCloseTo(100 - (50 * down) / minutes, 3)
})

it('keeps positions dense when components come, move and go', async () => {
  page = await openStatusPage({ now: storyNow })
  const at = storyNow
  const [first, second, third] = ['cmp000000005', 'cmp000000006', 'cmp000000007']
  const made = [first, second, third].map((id) => ({ ...storyComponents[6]!, id: id!, name: id! }))
  const order = async () =>
    (
      (await page!.json('/api/v2/components.json')) as { components: { id: string; position: number }[] }
    ).components.map(({ id, position }) => `${position} ${id}`)
  await page.tell(componentsCreated(made))
  await page.tell([event('ComponentMoved', { component_id: third!, group_id: null, position: 1, at })])
  expect(await order()).toEqual([`1 ${third}`, `2 ${first}`, `3 ${second}`])
  await page.tell([event('ComponentRemoved', { component_id: first!, at })])
  expect(await order()).toEqual([`1 ${third}`, `2 ${second}`])
})

it('shows the worst of all sources, and what is left when one is gone', async () => {
  page = await openStatusPage({ now: storyNow })
  await page.tell(componentsCreated([{ ...storyComponents[6]!, id: 'cmp000000005' }]))
  const component_id = 'cmp000000005'
  const at = storyNow
  const shown = async () =>
    ((await page!.json('/api/v2/components.json')) as { components: { status: string }[] }).components[0]!.status
  const imposed = (source_id: string, status: 'partial_outage' | 'major_outage') =>
    event('ComponentStatusImposed', { component_id, source: 'incident', source_id, status, mask_health: false, at })
  const released = (source_id: string) =>
    event('ComponentStatusReleased', { component_id, source: 'incident', source_id, at })
  await page.tell([imposed('inc00000000a', 'major_outage'), imposed('inc00000000b', 'partial_outage')])
  expect(await shown()).toBe('major_outage')
  await page.tell([released('inc00000000a')])
  expect(await shown()).toBe('partial_outage')
  await page.tell([released('inc00000000b')])
  expect(await shown()).toBe('operational')
})

it('answers the same, however many events are folded at once', async () => {
  const whole = await open()
  const paths = [
    '/api/v2/summary.json',
    '/api/v2/incidents.json',
    '/api/v2/components/grp0000reads/uptime.json',
    '/history.atom',
  ]
  const expected = await Promise.all(paths.map(whole.get))
  await whole.close()
  page = await openStatusPage({ now: storyNow })
  for (const each of longStory) await page.tell([each])
  expect(await Promise.all(paths.map(page.get))).toEqual(expected)
})

it('counts every one of more outages than it reads at once', async () => {
  page = await openStatusPage({ now: storyNow })
  const [component_id, outages, minuteMs] = ['cmp000000005', 1_200, 60_000]
  const first = Date.parse('2026-06-01T00:00:00.000Z')
  const at = (minute: number): string => new Date(first + minute * minuteMs).toISOString()
  const told = Array.from({ length: outages }, (_, index) => [
    event('ComponentStatusSet', { component_id, status: 'major_outage', at: at(2 * index) }),
    event('ComponentStatusCleared', { component_id, at: at(2 * index + 1) }),
  ])
  await page.tell([...componentsCreated([{ ...storyComponents[6]!, id: component_id }]), ...told.flat()])
  const { days } = (await page.json(`/api/v2/components/${component_id}/uptime.json`)) as {
    days: { major_outage_minutes: number }[]
  }
  expect(days.reduce((sum, day) => sum + day.major_outage_minutes, 0)).toBe(outages)
})

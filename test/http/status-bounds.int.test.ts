import { afterEach, expect, it } from 'vitest'
import type { CommandOf } from '#commands/status/commands.ts'
import { statusProjection } from '#projections/status/projection.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'
import { openStatusPage, type StatusPage, type StatusPageOptions } from '#test/support/status-page.ts'

const mebibyte = 2 ** 20
const begin = Date.parse('2026-02-01T00:00:00.000Z')
const hourMs = 3_600_000
const addresses = [
  '/',
  '/history',
  '/uptime',
  '/history.atom',
  '/history.rss',
  '/api/v2/summary.json',
  '/api/v2/incidents.json',
]

let page: StatusPage | undefined
afterEach(() => page?.close())

async function open(fixture: ServiceFixture, options: StatusPageOptions = {}): Promise<StatusPage> {
  page = await openStatusPage({ decisions: fixture.store, now: () => fixture.time, ...options })
  return page
}

/** 240 KB of text in ten updates, as long as one command may be, that begins and ends in one of many hours. */
function pastIncident(index: number, text: (update: number) => string): Omit<CommandOf<'RecordPastIncident'>, 'type'> {
  const updates = Array.from({ length: 10 }, (_, update) => ({
    status: update === 9 ? 'resolved' : 'investigating',
    body: text(update),
    display_at: new Date(begin + index * hourMs + update * 60_000).toISOString(),
  }))
  return { incident_id: `inc0000000${String(index).padStart(2, '0')}`, name: `Outage ${index}`, updates }
}

const filled = (piece: string, characters: number): string => piece.repeat(Math.floor(characters / piece.length))

/** Every incident that is told on the page and on those that its links lead to. */
async function toldFrom(address: string): Promise<string[]> {
  const told: string[] = []
  for (let next: string | undefined = address; next !== undefined; ) {
    const body = await page!.get(next)
    expect([next, Buffer.byteLength(body) < 1.1 * mebibyte]).toEqual([next, true])
    told.push(...[...body.matchAll(/<h3><a href="\/incidents\/(\w+)">/g)].map(([, id]) => id!))
    next = /<a rel="next" href="(\/history\/from\/\w+)">/.exec(body)?.[1]
  }
  return told
}

it('answers every address within a bound of bytes, whatever has happened, and has the rest behind links', async () => {
  const fixture = new ServiceFixture()
  await open(fixture)
  const long = (update: number): string => filled(`**${update}** [a](https://example.org) & < `, 24_000)
  for (let index = 0; index < 60; index++) await fixture.do('RecordPastIncident', pastIncident(index, long))
  await fixture.do('OpenIncident', { incident_id: 'inc0000000zz', name: 'Now', body: long(0) })
  await page!.fold()
  for (const address of addresses) {
    const bytes = Buffer.byteLength(await page!.get(address))
    expect([address, bytes < 2.1 * mebibyte]).toEqual([address, true])
  }
  const told = await toldFrom('/history')
  expect([told.length, new Set(told).size]).toEqual([61, 61])
})

it('has every update of a long incident behind links, newest first', async () => {
  const fixture = new ServiceFixture()
  await open(fixture)
  const incident_id = 'inc000000001'
  await fixture.do('OpenIncident', { incident_id, name: 'Long', body: filled('0 & ', 20_000) })
  // Some at the same instant.
  for (let update = 1; update < 80; update++) {
    if (update % 3 === 0) fixture.time += 1_000
    await fixture.do('PostIncidentUpdate', { incident_id, body: `${update} ${filled('& ', 20_000)}` })
  }
  await page!.fold()
  const numbers: number[] = []
  for (let next: string | undefined = `/incidents/${incident_id}`; next !== undefined; ) {
    const body = await page!.get(next)
    expect(Buffer.byteLength(body)).toBeLessThan(1.1 * mebibyte)
    numbers.push(...[...body.matchAll(/<span dir="auto">(\d+) /g)].map(([, number]) => Number(number)))
    next = /<a rel="next" href="([^"]+)">/.exec(body)?.[1]
  }
  expect(numbers).toEqual(Array.from({ length: 80 }, (_, index) => 79 - index))
  expect((await page!.app.inject(`/incidents/${incident_id}/from/upd00000000x`)).statusCode).toBe(404)
})

it('shows incidents that begin at one instant each once, however many they are', async () => {
  const fixture = new ServiceFixture()
  await open(fixture)
  const updates = [{ status: 'resolved', body: 'x', display_at: '2026-02-01T00:00:00Z' }]
  for (let index = 0; index < 120; index++) await fixture.do('RecordPastIncident', { name: `Notice ${index}`, updates })
  await page!.fold()
  const told = await toldFrom('/history')
  expect([told.length, new Set(told).size]).toEqual([120, 120])
})

it('shows as many components as it has room for, and leads to the others', async () => {
  const fixture = new ServiceFixture()
  await open(fixture)
  const description = filled('"&" ', 1_000)
  for (let index = 0; index < 500; index++)
    await fixture.do('CreateComponent', { name: `Component ${index}`, description })
  await page!.fold()
  const home = await page!.get('/')
  expect(Buffer.byteLength(home)).toBeLessThan(0.6 * mebibyte)
  expect(home).toMatch(/<a href="\/uptime\/from\/\w+">More components<\/a>/)
  const told = new Set<string>()
  for (let next: string | undefined = '/uptime'; next !== undefined; ) {
    const body = await page!.get(next)
    expect(Buffer.byteLength(body)).toBeLessThan(1.1 * mebibyte)
    for (const [, id] of body.matchAll(/<section id="(\w+)">/g)) told.add(id!)
    next = /<a rel="next" href="([^"]+)">/.exec(body)?.[1]
  }
  expect(told.size).toBe(500)
})

it('lets others be answered while it puts a page together', async () => {
  const fixture = new ServiceFixture()
  await open(fixture)
  for (let index = 0; index < 24; index++)
    await fixture.do(
      'RecordPastIncident',
      pastIncident(index, () => filled('[', 24_000)),
    )
  await page!.fold()
  const address = await page!.app.listen({ port: 0, host: '127.0.0.1' })
  await (await fetch(`${address}/history`)).text()
  let reading = true
  const readers = Array.from({ length: 6 }, async (_, reader) => {
    // Another address each time, so that none is answered from what is kept.
    for (let count = 0; count < 5; count++)
      await (await fetch(`${address}/history?before=20${50 + reader}-01-0${count + 1}`)).text()
  })
  const read = Promise.all(readers).then(() => (reading = false))
  const waited: number[] = []
  while (reading) {
    const started = performance.now()
    await (await fetch(`${address}/health/liveness`)).text()
    waited.push(performance.now() - started)
  }
  await read
  waited.sort((a, b) => a - b)
  console.log(`liveness beside six readers: ${waited.length} times, at most ${waited.at(-1)!.toFixed(0)} ms`)
  expect(waited.length).toBeGreaterThan(5)
  expect(waited.at(-1)).toBeLessThan(1_000)
})

it('a page that cannot be made is one 503, or the page as it was, and the next one is answered', async () => {
  const fixture = new ServiceFixture()
  let broken = false
  const reader = (own: RowReader): RowReader => ({
    ...own,
    checkpoint: () => own.checkpoint(),
    parkedCount: () => own.parkedCount(),
    get: (...query) => own.get(...query),
    find: async (query) => {
      const rows = await own.find(query)
      return broken && query.collection === 'incidents' ? rows.map((row) => ({ ...row, components: 'no JSON' })) : rows
    },
  })
  await open(fixture, { reader })
  await fixture.do('OpenIncident', { name: 'Slow' })
  await page!.fold()
  const { app } = page!
  const before = await page!.get('/')
  broken = true
  await fixture.do('OpenIncident', { name: 'Slower' })
  await page!.fold()
  const answers = [await app.inject('/'), await app.inject('/api/v2/incidents.json'), await app.inject('/history.atom')]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 503, 200])
  expect(answers[0]!.body === before).toBe(true)
  expect(answers[1]!.body).not.toContain('JSON')
  broken = false
  expect((await app.inject('/api/v2/incidents.json')).statusCode).toBe(200)
})

it('keeps texts as they are shown, of an update that is edited as well', async () => {
  const fixture = new ServiceFixture()
  await open(fixture)
  const { id } = await fixture.do('OpenIncident', { name: 'Slow', body: '**Slow** & steady' })
  await page!.fold()
  expect(await page!.get(`/incidents/${id}`)).toContain('<strong>Slow</strong> &amp; steady')
  const [event] = await fixture.all()
  const { update_id } = (event!.data as { update: { update_id: string } }).update
  await fixture.do('EditIncidentUpdate', { incident_id: id, update_id, body: '`fast`' })
  await page!.fold()
  expect(await page!.get(`/incidents/${id}`)).toContain('<code>fast</code>')
  expect(statusProjection.schema.collections.updates.fields.html).toBe('text')
})

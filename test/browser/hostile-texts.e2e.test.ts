import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseCommand } from '#commands/status/parse-command.ts'
import { Prng } from '#src/simulator/prng.ts'
import { chromium, withoutChromium } from '#test/browser/chromium.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'
import { seed } from '#test/drill/random.ts'
import { hostileText } from '#test/support/hostile-texts.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

/** All of them with LEDGER_TEST_HOSTILE_TEXTS=10000; a failing run is repeated with LEDGER_TEST_SEED. */
const texts = Number(process.env['LEDGER_TEST_HOSTILE_TEXTS'] ?? 1_000)
const screenshots = join(import.meta.dirname, '../../test-artefacts/status-page')
const linesMax = 255

if (chromium === undefined) console.log(`Hostile texts in a browser: ${withoutChromium}`)

let browser: Browser
beforeAll(async () => {
  if (chromium === undefined) return
  browser = await playwright.launch({ executablePath: chromium, args: ['--no-sandbox'] })
  await mkdir(screenshots, { recursive: true })
})
afterAll(() => browser?.close())

/** What was typed into a page, by where it is to be seen. */
interface Typed {
  page: string
  readonly components: { readonly name: string; readonly description: string }[]
  readonly metrics: string[]
  readonly incidents: { readonly id: string; readonly name: string; readonly bodies: readonly string[] }[]
  count: number
}

/** A page of which every text is hostile, told by commands as anybody may send them. */
async function typePage(prng: Prng, fixture: ServiceFixture): Promise<Typed> {
  const typed: Typed = { page: '', components: [], metrics: [], incidents: [], count: 0 }
  const line = (max = linesMax): string => {
    typed.count += 1
    return hostileText(prng, max).trim()
  }
  const text = (max: number): string => {
    typed.count += 1
    return hostileText(prng, max, { lines: true })
  }
  const send = async (input: object): Promise<string> => {
    const { command, ...request } = parseCommand(input)
    const role = command.type === 'RecordComponentHealth' ? 'automation' : 'operator'
    fixture.time += 1_000
    return (await fixture.service.execute(command, { actor: 'alice', role, ...request })).id
  }
  typed.page = line()
  await send({ type: 'ConfigurePage', name: typed.page, url: 'https://status.example.org' })
  const ids: string[] = []
  for (let index = 0; index < 30; index++) {
    const component = { name: line(), description: text(1_000) }
    const isGroup = index < 3
    const group_id = index >= 3 && index % 3 === 0 ? ids[index % 3]! : null
    ids.push(await send({ type: 'CreateComponent', ...component, group: isGroup, group_id }))
    typed.components.push(component)
    if (isGroup) continue
    const metric = line(100)
    const times = { since: '2026-02-03T14:00:00.000Z', checked_at: null }
    const evidence = { metric, value: 7, reason: 'level', ...times, position: null, caused_by: null }
    await send({ type: 'RecordComponentHealth', id: ids[index], status: 'degraded_performance', evidence })
    typed.metrics.push(metric)
  }
  for (let index = 0; index < 40; index++) {
    const name = line()
    const bodies = [text(400), text(400)]
    const components = { [ids[3 + (index % 20)]!]: 'partial_outage' }
    const id = await send({ type: 'OpenIncident', name, body: bodies[0], components })
    await send({ type: 'ResolveIncident', incident_id: id, body: bodies[1] })
    typed.incidents.push({ id, name, bodies })
  }
  for (let index = 0; index < 5; index++) {
    const [name, body] = [line(), text(400)]
    const planned = { scheduled_for: '2026-12-01T00:00:00Z', scheduled_until: '2026-12-02T00:00:00Z' }
    const id = await send({ type: 'ScheduleMaintenance', name, body, components: [ids[5]], ...planned })
    typed.incidents.push({ id, name, bodies: [body] })
  }
  return typed
}

/** Without the marks that became elements; lines are as good as spaces. */
const words = (text: string): string => text.replace(/[*`[\]()]|\s+/g, '')

interface Seen {
  readonly title: string
  readonly names: readonly string[]
  readonly body: string
  readonly foreign: readonly string[]
}

/** Runs in the browser: what a reader sees, and what there is that no page of ours has. */
function look(): Seen {
  const all = [...document.querySelectorAll('*')]
  const foreign = all.flatMap((element) => {
    const isForeign = /^(img|iframe|object|embed|form|input|base|x|foreignobject)$/i.test(element.tagName)
    const handlers = [...element.attributes].filter(({ name }) => name.startsWith('on'))
    const href = element.getAttribute('href') ?? ''
    const isOdd = element.tagName === 'A' && !/^(\/|#|https?:\/\/|mailto:)/.test(href)
    return isForeign || handlers.length > 0 || isOdd ? [element.outerHTML.slice(0, 200)] : []
  })
  if (document.scripts.length !== 1) foreign.push(`${document.scripts.length} scripts`)
  const names = [...document.querySelectorAll('bdi')].map((element) => element.textContent ?? '')
  return { title: document.title, names, body: document.body.textContent ?? '', foreign }
}

async function seenAt(page: Page, address: string, typed: Typed): Promise<Seen> {
  const answer = await page.goto(address)
  if (answer?.status() !== 200) throw new Error(`${address} answers ${answer?.status()}: ${await answer?.text()}`)
  const seen = await page.evaluate(look)
  expect({ address, foreign: seen.foreign }).toEqual({ address, foreign: [] })
  const squeeze = (text: string): string => text.replace(/[\t\n\f\r ]+/g, ' ').trim()
  expect(seen.title.endsWith(`- ${squeeze(typed.page)} Status`) || seen.title.includes(' - ')).toBe(true)
  expect(/^\d$/.test(seen.title)).toBe(false)
  return seen
}

interface Entry {
  readonly title: string
  readonly text: string
  readonly odd: number
}

/** Runs in the browser: a feed as a reader of feeds takes it, its contents as HTML. */
async function readFeed(address: string): Promise<{ error: string | null; name: string; entries: Entry[] }> {
  const text = await (await fetch(address)).text()
  const feed = new DOMParser().parseFromString(text, 'application/xml')
  const error = feed.querySelector('parsererror')?.textContent ?? null
  const entries = [...feed.querySelectorAll('entry, item')].map((entry) => {
    const html = entry.querySelector('content, description')?.textContent ?? ''
    const content = new DOMParser().parseFromString(html, 'text/html')
    const odd = content.querySelectorAll(
      'script,img,svg,iframe,[onerror],[onload],a:not([href^="http"]):not([href^="mailto:"])',
    )
    return {
      title: entry.querySelector('title')?.textContent ?? '',
      text: content.body.textContent ?? '',
      odd: odd.length,
    }
  })
  return { error, name: feed.querySelector('title')?.textContent ?? '', entries }
}

async function assertSeen(page: Page, address: string, typed: Typed, status: StatusPage): Promise<void> {
  const home = await seenAt(page, `${address}/`, typed)
  for (const { name, description } of typed.components) {
    expect(home.names).toContain(name)
    expect(words(home.body)).toContain(words(description))
  }
  for (const metric of typed.metrics)
    expect(words(home.body).toLowerCase()).toContain(
      words(metric.replace(/_(?:seconds|ratio)$/, '').replaceAll('_', ' ')).toLowerCase(),
    )
  await seenAt(page, `${address}/uptime`, typed)
  const history = await seenAt(page, `${address}/history`, typed)
  for (const { name } of typed.incidents) expect(history.names).toContain(name)
  for (const { bodies } of typed.incidents)
    for (const body of bodies.filter((each) => !each.includes(']('))) expect(words(history.body)).toContain(words(body))
  const [{ id, name } = { id: '', name: '' }] = typed.incidents
  expect((await seenAt(page, `${address}/incidents/${id}`, typed)).names).toContain(name)

  for (const path of ['/history.atom', '/history.rss']) {
    const feed = await page.evaluate(readFeed, path)
    expect([path, feed.error, feed.name]).toEqual([path, null, `${typed.page} Status - Incident History`])
    expect(new Set(feed.entries.map(({ title }) => title))).toEqual(new Set(typed.incidents.map((each) => each.name)))
    expect(feed.entries.reduce((sum, { odd }) => sum + odd, 0)).toBe(0)
  }
  const { incidents } = (await status.json('/api/v2/incidents.json')) as {
    incidents: { id: string; name: string; incident_updates: { body: string }[] }[]
  }
  for (const incident of incidents) {
    const known = typed.incidents.find((each) => each.id === incident.id)!
    expect(incident.name).toBe(known.name)
    expect(incident.incident_updates.map(({ body }) => body)).toEqual(known.bodies.toReversed())
  }
}

it.skipIf(chromium === undefined)(
  `${texts} hostile texts in every field are seen as they were typed, in a browser, feeds and JSON, seed ${seed} (${withoutChromium})`,
  async () => {
    const prng = new Prng(`hostile texts ${seed}`)
    const problems: string[] = []
    let typedTexts = 0
    for (let pages = 0; typedTexts < texts; pages++) {
      const fixture = new ServiceFixture().at('2026-06-10T10:00:00.000Z')
      const typed = await typePage(prng, fixture)
      const status = await openStatusPage({ decisions: fixture.store, now: () => fixture.time })
      try {
        await status.fold()
        const address = await status.app.listen({ port: 0, host: '127.0.0.1' })
        const context = await browser.newContext({ viewport: { width: pages % 2 === 0 ? 320 : 1280, height: 900 } })
        const page = await context.newPage()
        page.on('pageerror', (error) => problems.push(error.message))
        page.on('dialog', (dialog) => void dialog.dismiss().then(() => problems.push(dialog.message())))
        page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
        await assertSeen(page, address, typed, status)
        if (pages < 2) {
          await page.goto(address)
          const width = await page.evaluate(() => document.documentElement.scrollWidth)
          expect(width).toBeLessThanOrEqual(pages === 0 ? 320 : 1280)
          await page.screenshot({ path: join(screenshots, `hostile-${pages}.png`), fullPage: true })
        }
        await context.close()
      } finally {
        await status.close()
      }
      typedTexts += typed.count
    }
    expect(problems).toEqual([])
    console.log(`${typedTexts} texts were seen`)
  },
  Math.max(120_000, texts * 60),
)

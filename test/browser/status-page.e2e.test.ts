import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, withoutChromium } from '#test/browser/chromium.ts'
import { hostileText, longStory, storyNow } from '#test/queries/status/long-story.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

const screenshots = join(import.meta.dirname, '../../test-artefacts/status-page')
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const addresses = ['/', '/history', '/uptime', '/incidents/inc000000001', '/incidents/inc000000002']

if (chromium === undefined) console.log(`The status page in a browser: ${withoutChromium}`)

describe.skipIf(chromium === undefined)(`the status page in a browser (${withoutChromium})`, () => {
  let status: StatusPage
  let browser: Browser
  let address: string
  const problems: string[] = []

  beforeAll(async () => {
    status = await openStatusPage({ now: storyNow })
    await status.tell(longStory)
    address = await status.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] })
    await mkdir(screenshots, { recursive: true })
  })
  afterAll(async () => {
    await browser?.close()
    await status?.close()
  })

  interface Opening {
    readonly width?: number
    readonly dark?: boolean
    readonly scripts?: boolean
  }

  async function open(path: string, { width = 1280, dark = false, scripts = true }: Opening = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
      javaScriptEnabled: scripts,
      timezoneId: 'America/Chicago',
      locale: 'en-US',
    })
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`))
    page.on('console', (message) => message.type() === 'error' && problems.push(`${path}: ${message.text()}`))
    await page.goto(address + path)
    return page
  }

  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(await readFile(axePath, 'utf8'))
    const found = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } }
      return (await axe.run()).violations
    })
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }
  interface AxeViolation {
    readonly id: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }

  // Colours differ by the scheme, the layout by the width: each is seen with one of the other.
  it.each([
    { width: 320, dark: false },
    { width: 1280, dark: true },
  ])('breaks no rule of accessibility and needs no sideways scrolling: $width px, dark: $dark', async (opening) => {
    const page = await open('/', opening)
    for (const path of addresses) {
      if (path !== '/') await page.goto(address + path)
      expect({ path, found: await violations(page) }).toEqual({ path, found: [] })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(opening.width)
      const name = `${path.replaceAll('/', '_')}-${opening.width}-${opening.dark ? 'dark' : 'light'}.png`
      await page.screenshot({ path: join(screenshots, name), fullPage: true })
    }
    await page.context().close()
  })

  it('says the same without scripts, and is some tens of kilobytes', async () => {
    const page = await open('/', { scripts: false })
    const text = await page.textContent('body')
    for (const said of [
      'One incident is open',
      'Files are late',
      'Upgrade of the store',
      'Disk exchange',
      'no incidents.',
    ])
      expect(text).toContain(said)
    expect(await page.locator('.bar svg').count()).toBeGreaterThan(2)
    await page.context().close()
    expect((await status.get('/')).length).toBeLessThan(60_000)
  })

  it('shows the texts of updates as they were typed, and runs nothing of them', async () => {
    for (const path of ['/', '/incidents/inc000000002']) {
      const page = await open(path)
      expect(await page.textContent('main')).toContain(hostileText)
      expect(await page.title()).not.toMatch(/^[12]$/)
      await page.context().close()
    }
  })

  it('is gone through by the keyboard: the skip link, the groups, one stop per bar with arrows inside', async () => {
    const page = await open('/')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
    const strip = page.locator('.days').first()
    const names = await strip.locator('button').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
    expect(names).toHaveLength(90)
    expect(names.at(-1)).toBe('10 June 2026: 100 % uptime, no incidents')
    expect(names).toContainEqual(expect.stringMatching(/^1 May 2026: 93\.\d+ % uptime, major outage, 1 incident$/))
    expect(await strip.locator('button[tabindex="0"]').count()).toBe(1)
    await strip.locator('button[tabindex="0"]').focus()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    for (const [key, expected] of [
      ['ArrowLeft', '9 June 2026'],
      ['PageUp', '2 June 2026'],
      ['Home', '13 March 2026'],
      ['End', '10 June 2026'],
    ] as const) {
      await page.keyboard.press(key)
      expect(await focused()).toMatch(new RegExp(`^${expected}:`))
    }
    await page.keyboard.press('Enter')
    expect(await page.locator('.detail').first().textContent()).toContain('10 June 2026')
    // What is too narrow to be hit by a finger has buttons that are not.
    await page.locator('.detail button', { hasText: 'Earlier' }).first().click()
    expect(await page.locator('.detail').first().textContent()).toContain('9 June 2026')
    const summary = page.locator('summary').first()
    await summary.focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('details').first().getAttribute('open')).not.toBeNull()
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it("writes the reader's own time beside that of the page", async () => {
    const page = await open('/')
    expect(await page.locator('main').textContent()).toMatch(/Jun 10, 11:00 UTC \(Jun 10, 2026, 6:00\sAM your time\)/)
    await page.context().close()
  })

  it('prints', async () => {
    const page = await open('/')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('header nav').isVisible()).toBe(false)
    await page.screenshot({ path: join(screenshots, 'print.png'), fullPage: true })
    await page.context().close()
  })

  it('met no error of a script', () => {
    expect(problems).toEqual([])
  })
})

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockRoutes } from '#queries/blocks/routes.ts'
import { transactionRoutes } from '#queries/transactions/routes.ts'
import { chromium, withoutChromium } from '#test/browser/chromium.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'

const screenshots = join(import.meta.dirname, '../../test-artefacts/api-page')
const start = 1_700_000_000_000_000_000n

if (chromium === undefined) console.log(`The page of the API in a browser: ${withoutChromium}`)

describe.skipIf(chromium === undefined)(`the page of the API in a browser (${withoutChromium})`, () => {
  let ledger: TestLedger
  let app: ReturnType<TestLedger['app']>
  let browser: Browser
  let address: string
  const problems: string[] = []

  beforeAll(async () => {
    ledger = await openTestLedger([...transactionRoutes, ...blockRoutes])
    const block = { number: 7n, hash: Buffer.alloc(48, 0xab), consensusEnd: start }
    await ledger.record([
      recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: start })),
      recordOf('BlockRecorded', block),
    ])
    app = ledger.app({ docs: true })
    address = await app.listen({ port: 0, host: '127.0.0.1' })
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] })
    await mkdir(screenshots, { recursive: true })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await app?.close()
    await ledger?.close()
  })

  /** As a phone has it where it is narrow: what says nothing of its width is laid out for a desk there. */
  async function open(width: number): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, isMobile: width < 640 })
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(`${address}/api/v1/docs/`)
    await page.locator('.opblock').first().waitFor()
    return page
  }

  const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

  it.each([320, 1280])(
    'has our name, begins with the ledger, and lets a request be tried, without sideways scrolling: %i px',
    { timeout: 60_000 },
    async (width) => {
      const page = await open(width)
      expect(await page.title()).toBe('Ledger history API')
      expect(await page.locator('.topbar img').getAttribute('src')).toContain('data:image/svg+xml')
      const names = await page.locator('.opblock-tag').evaluateAll((all) => all.map((each) => each.dataset['tag']))
      expect([names[0], names.at(-1)]).toEqual(['transactions', 'health'])
      expect(await widthOf(page)).toBeLessThanOrEqual(width)
      await page.screenshot({ path: join(screenshots, `closed-${width}.png`) })

      const operation = page.locator('#operations-transactions-getTransactions')
      await operation.locator('.opblock-summary-control').click()
      expect(await operation.locator('.opblock-description').textContent()).toContain('in any combination')
      const example = operation.locator('.response[data-code="200"] .example')
      expect(await example.textContent()).toContain('"consensus_timestamp"')
      await operation.locator('.try-out__btn').click()
      await operation.locator('.execute').click()
      const answer = operation.locator('.live-responses-table .response-col_description .microlight').first()
      expect(await answer.textContent()).toContain('1700000000.000000000')
      expect(await operation.locator('.request-url').textContent()).toContain('?limit=25&order=desc')
      expect(await widthOf(page)).toBeLessThanOrEqual(width)
      await operation.screenshot({ path: join(screenshots, `tried-${width}.png`) })
      await page.context().close()
    },
  )

  it('met no error of a script', () => {
    expect(problems).toEqual([])
  })
})

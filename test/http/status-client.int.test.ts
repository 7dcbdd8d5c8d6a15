import { Statuspage } from 'statuspage.io'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { longStory, storyNow } from '#test/queries/status/long-story.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

let page: StatusPage
let client: Statuspage

beforeAll(async () => {
  page = await openStatusPage({ now: storyNow })
  await page.tell(longStory)
  const address = await page.app.listen({ port: 0, host: '127.0.0.1' })
  client = new Statuspage('any')
  // The client makes the address of the hosted product from the id of a page: ours is elsewhere.
  client.setApiUrl(address)
})
afterAll(() => page?.close())

it('is read by a client of the hosted product that knows nothing of us', async () => {
  const summary = await client.api.getSummary()
  expect(summary.page.name).toBe('Ledger')
  expect(summary.status).toEqual({ indicator: 'none', description: 'All Systems Operational' })
  expect(summary.components.map(({ name }) => name)).toContain('Verification')
  expect((await client.api.getStatus()).status).toEqual(summary.status)
  expect((await client.api.getComponents()).components).toHaveLength(8)
  const { incidents } = await client.api.incidents.getAll()
  expect(incidents.map(({ status, impact }) => [status, impact])).toEqual([
    ['monitoring', 'minor'],
    ['postmortem', 'critical'],
  ])
  expect((await client.api.incidents.getUnresolved()).incidents.map(({ id }) => id)).toEqual(['inc000000002'])
  const { scheduled_maintenances: planned } = await client.api.scheduledMaintenances.getUpcoming()
  expect(planned.map(({ scheduled_for }) => scheduled_for)).toEqual(['2026-06-13T12:00:00.000Z'])
})

import { expect, it } from 'vitest'
import { writeDefaultPage } from '#commands/status/default-page.ts'
import { ServiceFixture } from './service-fixture.ts'

it('the page of a deployment, then its made-up history, are written once, on whichever day they are asked for again', async () => {
  const fixture = new ServiceFixture()
  const write = (withHistory: boolean) =>
    writeDefaultPage(fixture.newService(), { actor: 'alice', now: fixture.time, withHistory })
  expect(await write(false)).toBe(5)
  const startDates = async () =>
    [...(await fixture.service.settled()).components.values()].map((each) => each.start_date)
  expect(new Set(await startDates())).toEqual(new Set(['2026-02-03']))
  // What is made up counts for the uptime, so its days begin earlier.
  expect(await write(true)).toBe(8)
  expect(new Set(await startDates())).toEqual(new Set(['2025-11-06']))
  const before = await fixture.all()
  fixture.at('2026-02-05T01:00:00Z')
  expect([await write(true), await write(false)]).toEqual([0, 0])
  expect(await fixture.all()).toEqual(before)
  const { components, incidents } = await fixture.service.settled()
  expect([...incidents.values()].map(({ status, impact }) => [status, impact])).toEqual([
    ['resolved', 'minor'],
    ['resolved', 'major'],
    ['resolved', 'critical'],
    ['resolved', 'minor'],
  ])
  expect([...components.values()].flatMap(({ imposed }) => [...imposed])).toEqual([])
})

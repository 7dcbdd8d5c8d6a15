import { afterEach, expect, it } from 'vitest'
import { openEventStoreDecisions } from '#src/adapters/eventstoredb/decision-store.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { decision, describeDecisionStore } from '#test/contract/decision-store.contract.ts'
import { EventStoreServer } from '#test/support/event-store-server.ts'

async function startFixture() {
  const server = new EventStoreServer()
  await server.start()
  const opened: DecisionStore[] = []
  const open = async (): Promise<DecisionStore> => {
    const parts = { uri: server.uri, credentials: undefined, caFile: undefined, timeoutMs: 2_000, logger: silentLogger }
    const store = openEventStoreDecisions(parts)
    opened.push(store)
    return store
  }
  const dispose = async (): Promise<void> => {
    await Promise.all(opened.map((store) => store.close()))
    server.stop()
  }
  return { server, open, dispose }
}

describeDecisionStore('EventStoreDB (its protocol, by a small server of our own)', startFixture)

let dispose: (() => Promise<void>) | undefined
afterEach(async () => dispose?.())

it('asks again while the server goes away, and appends nothing twice', async () => {
  const fixture = await startFixture()
  dispose = fixture.dispose
  const store = await fixture.open()
  fixture.server.refusals = 2
  expect(await store.append('incident-x', 'none', [decision('IncidentOpened')])).toBe(0)
  fixture.server.refusals = 2
  expect(await store.readStream('incident-x')).toHaveLength(1)
})

it('gives up after some attempts with an error that says to try later, and is of use again after the server is back', async () => {
  const fixture = await startFixture()
  dispose = fixture.dispose
  const store = await fixture.open()
  await store.append('incident-x', 'none', [decision('IncidentOpened')])
  const following = store.readAll({ after: 0, countMax: 10, follow: true })[Symbol.asyncIterator]()
  expect((await following.next()).value.events).toHaveLength(1)
  const next = following.next()
  fixture.server.stop()
  await expect(next).rejects.toMatchObject({ code: 'decisions_unavailable' })
  await expect(store.newest()).rejects.toMatchObject({ code: 'decisions_unavailable' })
  await fixture.server.start()
  expect(await store.append('incident-x', 0, [decision('IncidentUpdated')])).toBe(1)
})

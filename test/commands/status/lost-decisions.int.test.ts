import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { statusProjection } from '#projections/status/projection.ts'
import { openEventStoreDecisions } from '#src/adapters/eventstoredb/decision-store.ts'
import { openSqliteContentStore } from '#src/adapters/sqlite/content-store.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { plannedDecision } from '#src/cli/shown-decision.ts'
import { seenOf } from '#src/events/decisions.ts'
import { adopt } from '#src/operations/decide.ts'
import { changePlan } from '#src/operations/plan-store.ts'
import { DeploymentDecisions, giveUpLostDecisions } from '#src/operations/seen-decisions.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { decisionLog } from '#src/runtime/fold/decision-log.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'
import { EventStoreServer } from '#test/support/event-store-server.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** A decision store that can be restored from copies, and swapped for another one, under those who have it open. */
interface Ground {
  open(): DecisionStore
  /** Keeps a copy of it as it is. */
  copy(name: string): Promise<void>
  /** What was copied is what is there now. */
  restore(name: string): Promise<void>
  /** Takes the event of a stream at a revision out of it. */
  lose(stream: string, revision: number): Promise<void>
  dispose(): Promise<void>
}

async function sqliteGround(): Promise<Ground> {
  const folder = await temporaryFolder()
  const live = join(folder.path, 'live')
  const opened: DecisionStore[] = []
  return {
    open: () => {
      const store = openSqliteDecisionStore({ folder: live, pollMs: 1 })
      opened.push(store)
      return store
    },
    copy: async (name) => {
      mkdirSync(live, { recursive: true })
      const database = new DatabaseSync(join(live, 'decisions.sqlite'))
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
      cpSync(live, join(folder.path, name), { recursive: true })
    },
    restore: async (name) => {
      rmSync(live, { recursive: true, force: true })
      cpSync(join(folder.path, name), live, { recursive: true })
    },
    lose: async (stream, revision) => {
      const database = new DatabaseSync(join(live, 'decisions.sqlite'))
      database.prepare('DELETE FROM decision WHERE stream = ? AND revision = ?').run(stream, revision)
      database.close()
    },
    dispose: async () => {
      for (const store of opened) await store.close()
      await folder.remove()
    },
  }
}

async function eventStoreGround(): Promise<Ground> {
  const server = new EventStoreServer()
  await server.start()
  const copies = new Map<string, EventStoreServer>()
  const opened: DecisionStore[] = []
  return {
    open: () => {
      const { uri } = server
      const parts = { uri, credentials: undefined, caFile: undefined, timeoutMs: 2_000, logger: silentLogger }
      const store = openEventStoreDecisions(parts)
      opened.push(store)
      return store
    },
    copy: async (name) => {
      const copied = new EventStoreServer()
      copied.becomes(server)
      copies.set(name, copied)
    },
    restore: async (name) => server.becomes(copies.get(name)!),
    lose: async (stream, revision) => server.lose(stream, revision),
    dispose: async () => {
      await Promise.all(opened.map((store) => store.close()))
      server.stop()
    },
  }
}

describe.each([
  ['SQLite', sqliteGround],
  ["the event store's protocol", eventStoreGround],
])('decisions in %s that are not what was seen of them', (_name, groundOf) => {
  let ground: Ground
  let control: ControlStore
  let readStore: ReadStore
  afterEach(async () => {
    await ground.dispose()
    await control.close()
    await readStore.close()
  })

  async function begin(): Promise<ServiceFixture> {
    ground = await groundOf()
    control = openSqliteControlStore({ folder: ':memory:' })
    readStore = openSqliteReadStore({ folder: ':memory:' })
    const { name, version } = statusProjection.schema
    await changePlan(control, (plan) =>
      adopt(plan, [{ name, version, source: 'decisions' }], '2026-02-03T14:05:10.250Z'),
    )
    return process()
  }

  /** Another process of the same deployment, which begins now. */
  function process(): ServiceFixture {
    const contentStore = openSqliteContentStore({ folder: ':memory:' })
    const stores = { readStore, controlStore: control, contentStore, close: async () => undefined }
    const seen = new DeploymentDecisions({
      control: () => control,
      shown: () => plannedDecision(stores),
      logger: silentLogger,
    })
    return new ServiceFixture(ground.open(), seen)
  }

  const create = (fixture: ServiceFixture, count: number, from = 0): Promise<unknown> =>
    Array.from({ length: count }, (_, index) => `Component ${from + index}`).reduce<Promise<unknown>>(
      (before, name) => before.then(() => fixture.do('CreateComponent', { name })),
      Promise.resolve(),
    )

  async function fold(fixture: ServiceFixture): Promise<void> {
    const log = decisionLog(fixture.store)
    await runProjections({ log, store: readStore, projections: [statusProjection], follow: false })
  }

  const lost = (reason: RegExp | string) => ({ code: 'decisions_lost', message: expect.stringMatching(reason) })

  it('takes commands as long as everything is there, from any number of processes', async () => {
    const first = await begin()
    await create(first, 3)
    await create(process(), 3, 3)
    await create(first, 3, 6)
    expect((await process().service.settled()).components.size).toBe(9)
  })

  it('refuses every command where the store was restored from an older copy, and appends nothing, until it is back', async () => {
    const running = await begin()
    await create(running, 4)
    await ground.copy('old')
    await create(running, 16, 4)
    await ground.copy('whole')
    await ground.restore('old')

    const restarted = process()
    const ends = /was seen at position \d+, and the store ends at position \d+; nothing is written until/
    // As often as it takes to use up all numbers that were lost.
    for (let attempt = 0; attempt < 20; attempt++) {
      const fixture = attempt % 2 === 0 ? restarted : process()
      await expect(fixture.do('CreateComponent', { name: `New ${attempt}` })).rejects.toMatchObject(lost(ends))
    }
    // The first may meet the file as it was opened.
    await running.do('CreateComponent', { name: 'New' }).catch(() => undefined)
    await expect(running.do('CreateComponent', { name: 'New' })).rejects.toMatchObject(lost(ends))
    await expect(running.service.settled()).rejects.toMatchObject(lost(ends))

    await ground.restore('whole')
    await running.service.settled().catch(() => undefined)
    for (const fixture of [running, process()]) expect((await fixture.service.settled()).components.size).toBe(20)
    await create(running, 1, 20)
    expect((await process().service.settled()).components.size).toBe(21)
  })

  it('refuses where another store is in its place, however much that has', async () => {
    const running = await begin()
    await ground.copy('empty')
    await create(running, 2)
    await ground.copy('ours')
    await ground.restore('empty')
    const other = new ServiceFixture(ground.open())
    await other.service.settled().catch(() => undefined)
    await create(other, 5, 100)

    const isOther = /was seen at position \d+, and the store has something else there/
    await running.service.settled().catch(() => undefined)
    for (const fixture of [running, process()])
      await expect(fixture.do('CreateComponent', { name: 'New' })).rejects.toMatchObject(lost(isOther))
    await ground.restore('ours')
    await running.service.settled().catch(() => undefined)
    await create(running, 1, 2)
  })

  it('refuses where the store is empty, also to those who would make a page of it', async () => {
    const running = await begin()
    await ground.copy('empty')
    await create(running, 2)
    await ground.restore('empty')
    await expect(process().do('CreateComponent', { name: 'New' })).rejects.toMatchObject(lost('and the store is empty'))
    await expect(process().service.settled()).rejects.toMatchObject(lost('and the store is empty'))
  })

  it('is told by the read model, too, where what was remembered beside it is lost', async () => {
    const running = await begin()
    await create(running, 2)
    await ground.copy('old')
    await create(running, 2, 2)
    await fold(running)
    await ground.restore('old')
    await control.remove('decisions')
    await expect(process().do('CreateComponent', { name: 'New' })).rejects.toMatchObject(lost('was seen at position'))
  })

  it('refuses where an event is missing between others', async () => {
    const running = await begin()
    await create(running, 1)
    const { id } = await running.do('OpenIncident', { name: 'Slow' })
    await running.do('PostIncidentUpdate', { incident_id: id, body: 'x' })
    await running.do('PostIncidentUpdate', { incident_id: id, body: 'y' })
    await ground.lose(`incident-${id}`, 1)
    const attempt = process().do('CreateComponent', { name: 'New' })
    await expect(attempt).rejects.toSatisfy(({ code }) => code === 'decisions_lost' || code === 'decisions_damaged')
  })

  it('goes on without them once somebody has given them up', async () => {
    const running = await begin()
    await create(running, 2)
    await ground.copy('old')
    await create(running, 2, 2)
    await ground.restore('old')
    const restarted = process()
    await expect(restarted.do('CreateComponent', { name: 'New' })).rejects.toMatchObject({ code: 'decisions_lost' })
    await giveUpLostDecisions(control, seenOf((await restarted.store.newest())!))
    await running.service.settled().catch(() => undefined)
    for (const fixture of [running, restarted, process()])
      expect((await fixture.service.settled()).components.size).toBe(2)
    await create(running, 1, 9)
  })
})

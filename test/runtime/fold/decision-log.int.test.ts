import { afterEach, expect, it } from 'vitest'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { decisionLog } from '#src/runtime/fold/decision-log.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { decision } from '#test/contract/decision-store.contract.ts'

const schema = {
  name: 'cleared',
  version: 1,
  orderedBy: 'position',
  collections: {
    cleared: { kind: 'state', fields: { id: 'text', actor: 'text', stream: 'text', revision: 'int32' }, key: ['id'] },
  },
} as const

const cleared = defineProjection(schema).on('ComponentStatusCleared', {
  reads: ['component_id', 'actor', 'stream', 'revision'],
  apply: ({ component_id: id, actor, stream, revision }, rows) => rows.put('cleared', { id, actor, stream, revision }),
})

let opened: (DecisionStore | ReadStore)[] = []
afterEach(async () => {
  for (const each of opened) await each.close()
  opened = []
})

/** A store whose positions have gaps, as those of an event store that counts bytes. */
function withGaps(store: DecisionStore): DecisionStore {
  const far = 1_000
  return {
    append: (...parts) => store.append(...parts),
    readStream: (...parts) => store.readStream(...parts),
    identity: () => store.identity(),
    close: () => store.close(),
    async newest() {
      const newest = await store.newest()
      return newest && { ...newest, position: newest.position * far }
    },
    async *readAll({ after, ...options }) {
      for await (const { events, head } of store.readAll({ ...options, after: after / far }))
        yield { events: events.map((each) => ({ ...each, position: each.position * far })), head: head * far }
    },
  }
}

it('folds decisions whose positions have gaps, and goes on where it stopped', async () => {
  const decisions = withGaps(openSqliteDecisionStore({ folder: ':memory:' }))
  const store = openSqliteReadStore({ folder: ':memory:' })
  opened = [decisions, store]
  const fold = () => runProjections({ log: decisionLog(decisions), store, projections: [cleared], follow: false })
  const clear = (id: string) => decision('ComponentStatusCleared', { component_id: id, at: '2026-02-03T14:05:10.250Z' })

  await decisions.append('component-a', 'none', [decision('ComponentCreated'), clear('a')])
  await fold()
  await decisions.append('component-b', 'none', [clear('b')])
  await fold()

  const reader = await store.openReader(schema)
  expect(await reader.scan('cleared', undefined, 10)).toEqual([
    { id: 'a', actor: 'alice', stream: 'component-a', revision: 1 },
    { id: 'b', actor: 'alice', stream: 'component-b', revision: 0 },
  ])
})

it('refuses a projection of decisions that reads an event of the ledger', () => {
  const handler = { reads: [], apply: () => undefined }
  expect(() => defineProjection(schema).on('BlockRecorded', handler)).toThrow(
    'reads decisions, where no BlockRecorded is',
  )
  const { orderedBy: _, ...ofLedger } = schema
  expect(() => defineProjection(ofLedger).on('IncidentOpened', handler)).toThrow('reads ledger')
})

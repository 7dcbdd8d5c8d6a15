import { afterEach, expect, it, vi } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { type AnyProjection, defineProjection } from '#src/runtime/fold/projection.ts'
import { ProjectionGroups } from '#src/runtime/fold/projection-groups.ts'
import { openRun } from '#src/runtime/fold/projection-open.ts'
import type { ProjectionRun } from '#src/runtime/fold/projection-run.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { defaultProjectorLimits } from '#src/runtime/fold/projector-limits.ts'
import { RowMemory } from '#src/runtime/fold/row-memory.ts'
import { publish, recordOf, transactionRecorded } from '#test/support/events.ts'

/** Events that were decoded. */
const counted = vi.hoisted(() => ({ decoded: 0 }))

vi.mock('#src/events/codec.ts', async (original) => {
  const actual = await original<typeof import('#src/events/codec.ts')>()
  const createLazyEventReader: typeof actual.createLazyEventReader = (type, fields) => {
    const read = actual.createLazyEventReader(type, fields)
    return (value) => {
      counted.decoded += 1
      return read(value)
    }
  }
  return { ...actual, createLazyEventReader }
})

const eventCount = 300
const limits = { ...defaultProjectorLimits, readCountMax: 50, sharedLagMax: 100 }

let log: MessageLog
let store: ReadStore
afterEach(async () => {
  await store.close()
  await log.close()
})

function counting(name: string): AnyProjection {
  const collections = { counts: { kind: 'state', fields: { id: 'int32', count: 'int32' }, key: ['id'] } } as const
  return defineProjection({ name, version: 1, collections }).on('TransactionRecorded', {
    reads: ['consensusTimestamp'],
    apply: (_event, rows) => rows.put('counts', { id: 0, count: (rows.get('counts', 0)?.count ?? 0) + 1 }),
  })
}

async function begin(): Promise<void> {
  log = openSqliteLog({ folder: ':memory:', pollMs: 1 })
  store = openSqliteReadStore({ folder: ':memory:' })
  const times = Array.from({ length: eventCount }, (_, index) => BigInt(index + 1))
  await publish(
    log,
    times.map((consensusTimestamp) => recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp }))),
  )
}

it('decodes each event once for twelve read models that begin at 0, beside one that is at the head', async () => {
  await begin()
  const atHead = counting('at-head')
  await runProjections({ log, store, projections: [atHead], follow: false })
  counted.decoded = 0
  const shared = { log, limits, logger: silentLogger }
  const groups = new ProjectionGroups({ ...shared, follow: true })
  const memory = new RowMemory(1 << 20)
  const stop = new AbortController()
  const projections = [atHead, ...Array.from({ length: 12 }, (_, index) => counting(`new-${index}`))]
  const arrived = projections.map(() => groups.expectMember())
  const runs: ProjectionRun[] = []
  for (const projection of projections) runs.push(await openRun({ ...shared, store, memory, projection }))
  const ended = runs.map((run) => groups.keep(run, stop.signal))
  for (const arrive of arrived) setImmediate(arrive)
  await vi.waitFor(() =>
    expect(runs.map(({ position, uncommitted }) => [position, uncommitted])).toEqual(runs.map(() => [eventCount, 0])),
  )
  stop.abort()
  await Promise.all(ended)
  await groups.closed()
  for (const run of runs) await run.close()
  for (const { schema } of projections) {
    const [row] = await (await store.openReader(schema)).scan('counts', undefined, 1)
    expect(row).toEqual({ id: 0, count: eventCount })
  }
  expect(counted.decoded).toBe(eventCount)
})

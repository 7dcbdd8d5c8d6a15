import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '#src/ports/logger.ts'
import { defineProjection, projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { listParked, retryParked, skipParked } from '#src/runtime/replay/parked.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { timesProjection } from '#test/support/sample-projections.ts'

const refusing = timesProjection()
/** The same fold after its repair. */
const repaired = timesProjection({ refuses: 'nothing' })
const { schema } = refusing

describe('parked events', () => {
  let deployment: TestDeployment
  beforeEach(async () => {
    deployment = new TestDeployment()
    const memos: (string | undefined)[] = Array.from({ length: 18 }, () => undefined)
    for (const sequence of [2, 9, 12, 17]) memos[sequence - 1] = 'poison'
    await deployment.publish(memos)
    const { store } = deployment
    await runProjections({ log: deployment.log(), store, projections: [refusing], follow: false })
  })
  afterEach(() => deployment.close())

  const sequences = async () =>
    (await listParked(deployment.store, schema, 0, 99)).events.map(({ sequence }) => sequence)
  const retry = (options: object = {}) => {
    const { store } = deployment
    return retryParked({ log: deployment.log(), store, projection: repaired, logger: silentLogger, ...options })
  }

  it('are listed in order, page by page', async () => {
    expect(await listParked(deployment.store, schema, 2, 2)).toEqual({
      events: [
        { sequence: 9, error: 'cannot fold poison' },
        { sequence: 12, error: 'cannot fold poison' },
      ],
      total: 4,
    })
  })

  it('give the rows as if they had never been parked, when they are retried with a fold that takes them', async () => {
    const clean = projectionOfInstance(repaired, { build: 2 })
    const { store } = deployment
    await runProjections({ log: deployment.log(), store, projections: [clean], follow: false, strict: true })
    expect(await deployment.digestOf(schema)).not.toEqual(await deployment.digestOf(clean.schema))
    expect(await retry()).toEqual({ folded: [2, 9, 12, 17], refused: [] })
    expect(await deployment.digestOf(schema)).toEqual(await deployment.digestOf(clean.schema))
    expect(await sequences()).toEqual([])
    expect(await deployment.positionOf(schema)).toBe(18)
    // And it goes on as if nothing had been.
    await deployment.publish([undefined, undefined, undefined])
    await runProjections({ log: deployment.log(), store, projections: [repaired, clean], follow: false })
    expect(await deployment.digestOf(schema)).toEqual(await deployment.digestOf(clean.schema))
  })

  it('can be retried one by one', async () => {
    expect(await retry({ sequences: [9] })).toEqual({ folded: [9], refused: [] })
    expect(await sequences()).toEqual([2, 12, 17])
    const reader = await deployment.store.openReader(schema)
    const rows = await reader.get('events', [[2_000n], [9_000n]], ['sequence'])
    expect(rows.map((row) => row?.['sequence'])).toEqual([undefined, 9n])
    expect(await retry()).toEqual({ folded: [2, 12, 17], refused: [] })
  })

  it('stay parked, with what the fold says, as long as it refuses them', async () => {
    const before = await deployment.digestOf(schema)
    const { refused, folded } = await retry({ projection: refusing })
    expect(folded).toEqual([])
    expect(refused.map(({ sequence }) => sequence)).toEqual([2, 9, 12, 17])
    expect(await sequences()).toEqual([2, 9, 12, 17])
    expect(await deployment.digestOf(schema)).toEqual(before)
  })

  it('are forgotten when they are given up', async () => {
    expect(await skipParked({ store: deployment.store, schema, sequences: [12] })).toEqual([12])
    expect(await sequences()).toEqual([2, 9, 17])
    expect(await skipParked({ store: deployment.store, schema })).toEqual([2, 9, 17])
    expect(await sequences()).toEqual([])
  })

  it('stay parked where rows depend on others, which are not what they were when it was their turn', async () => {
    const counts = { kind: 'state', fields: { id: 'int32', count: 'int32' }, key: ['id'] } as const
    const collections = { ...schema.collections, counts }
    const counting = defineProjection({ ...schema, collections }, { orderFree: true }).on('TransactionRecorded', {
      reads: [],
      apply: (_event, rows) => rows.put('counts', { id: 0, count: (rows.get('counts', 0)?.count ?? 0) + 1 }),
    })
    await expect(retry({ projection: counting })).rejects.toMatchObject({
      code: 'operation_refused',
      message: expect.stringMatching(/^Projection times v1 depends on the order of events/),
    })
    expect(await sequences()).toEqual([2, 9, 12, 17])
  })

  it('are left alone by what names one that is not parked, which is told', async () => {
    const { store } = deployment
    const label = `${schema.name} v${schema.version}`
    const message = (what: string) =>
      expect.stringMatching(new RegExp(`^${what} parked in ${label}; nothing was changed, .*parked list`))
    const refused = (what: string) => ({ code: 'operation_refused', message: message(what) })
    await expect(skipParked({ store, schema, sequences: [12, 13, 14] })).rejects.toMatchObject(
      refused('Event 13, 14 is not'),
    )
    await expect(retry({ sequences: [9, 4] })).rejects.toMatchObject(refused('Event 4 is not'))
    expect(await sequences()).toEqual([2, 9, 12, 17])
    await skipParked({ store, schema })
    await expect(retry()).rejects.toMatchObject(refused('No event is'))
    await expect(skipParked({ store, schema })).rejects.toMatchObject(refused('No event is'))
  })
})

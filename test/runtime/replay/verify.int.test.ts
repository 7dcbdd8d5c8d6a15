import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { DeleteRow, PutRow, ReadStore, RowReader } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { type VerifyOptions, verifyRows } from '#src/runtime/replay/verify.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { balancesProjection, timesProjection } from '#test/support/sample-projections.ts'

const times = timesProjection()
const balances = balancesProjection()
const plain = (count: number): undefined[] => Array.from({ length: count }, () => undefined)

describe('verifyRows', () => {
  let deployment: TestDeployment
  let scratch: ReadStore
  beforeEach(async () => {
    deployment = new TestDeployment()
    scratch = openSqliteReadStore({ folder: ':memory:' })
    await deployment.publish(plain(103))
    await runProjections({
      log: deployment.log(),
      store: deployment.store,
      projections: [times, balances],
      follow: false,
    })
  })
  afterEach(async () => {
    await scratch.close()
    await deployment.close()
  })

  const verify = (projection: AnyProjection, options: Partial<VerifyOptions> = {}) => {
    const { store } = deployment
    return verifyRows({
      log: deployment.log(),
      store,
      projection,
      scratch,
      rangeRows: 10,
      logger: silentLogger,
      ...options,
    })
  }
  const tamper = async (projection: AnyProjection, puts: readonly PutRow[], deletes: readonly DeleteRow[] = []) => {
    const writer = await deployment.store.openWriter(projection.schema)
    const { checkpoint } = writer
    if (!checkpoint) throw new Error('not built')
    await writer.commit({ from: checkpoint.position, to: checkpoint, puts, deletes })
    await writer.close()
  }

  it('finds rows that are as the log says, also where the log has gone on', async () => {
    await deployment.publish(plain(20))
    expect(await verify(times)).toEqual({
      position: 103,
      ranges: 11 + 11,
      rows: 103 + 103,
      difference: undefined,
      parked: 0,
    })
    expect(await verify(balances)).toMatchObject({ position: 103, difference: undefined })
  })

  it('says how far it is', async () => {
    const stages: string[] = []
    await verify(times, { onProgress: ({ stage, position, head }) => stages.push(`${stage} ${position}/${head}`) })
    expect(stages[0]).toBe('fold 103/103')
    expect(stages.at(-1)).toBe('compare 206/undefined')
  })

  it('names the first row and field that differ, with both values', async () => {
    const wrong = { sequence: 17, memo: 'tampered' }
    await tamper(times, [
      { collection: 'memos', row: wrong },
      { collection: 'memos', row: { ...wrong, sequence: 20 } },
    ])
    expect((await verify(times)).difference).toEqual({
      kind: 'different',
      collection: 'memos',
      key: { sequence: 17 },
      field: 'memo',
      stored: 'tampered',
      expected: 'none',
    })
  })

  it.each([1_000n, 50_000n, 103_000n])('names the missing row %s', async (time) => {
    await tamper(times, [], [{ collection: 'events', key: [time] }])
    expect((await verify(times)).difference).toEqual({ kind: 'missing', collection: 'events', key: { time } })
  })

  it.each([5n, 50_500n, 999_000n])('names the extra row %s', async (time) => {
    await tamper(times, [{ collection: 'events', row: { time, sequence: 1n } }])
    expect((await verify(times)).difference).toEqual({ kind: 'extra', collection: 'events', key: { time } })
  })

  it('takes a value of another kind for a difference, even where it looks the same', async () => {
    const { store } = deployment
    const reader = await store.openReader(times.schema)
    const scan: RowReader['scan'] = async (...page) =>
      (await reader.scan(...page)).map((row) =>
        'sequence' in row ? { ...row, sequence: Number(row['sequence']) } : row,
      )
    const openReader = async (): Promise<RowReader> => ({
      checkpoint: () => reader.checkpoint(),
      parkedCount: () => reader.parkedCount(),
      get: (...keys) => reader.get(...keys),
      find: (query) => reader.find(query),
      parked: (...page) => reader.parked(...page),
      close: () => reader.close(),
      scan,
    })
    const stored = { ...store, openReader } as ReadStore
    expect((await verify(times, { store: stored })).difference).toEqual({
      kind: 'different',
      collection: 'events',
      key: { time: 1_000n },
      field: 'sequence',
      stored: 1,
      expected: 1n,
    })
  })

  it('refuses an instance that has no rows to compare, instead of finding all of none equal', async () => {
    await deployment.store.remove(times.schema)
    await expect(verify(times)).rejects.toMatchObject({
      code: 'operation_refused',
      message: expect.stringMatching(/^Projection times v\d+ was never built here/),
    })
  })

  it('finds no difference in what was parked here and there', async () => {
    await deployment.publish(['poison', undefined])
    await runProjections({ log: deployment.log(), store: deployment.store, projections: [times], follow: false })
    expect(await verify(times)).toMatchObject({ position: 105, difference: undefined, parked: 1 })
  })

  it('refuses to judge an instance that moves meanwhile', async () => {
    const moving: ReadStore = {
      openWriter: (schema) => scratch.openWriter(schema),
      remove: (schema) => scratch.remove(schema),
      close: () => scratch.close(),
      // Opened once the log is folded anew.
      openReader: async (schema) => {
        await deployment.publish(plain(1))
        const { store } = deployment
        await runProjections({ log: deployment.log(), store, projections: [times], follow: false })
        return scratch.openReader(schema)
      },
    }
    await expect(verify(times, { scratch: moving })).rejects.toMatchObject({ code: 'operation_refused' })
  })
})

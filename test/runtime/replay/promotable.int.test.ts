import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { adopt, markBuilt, planRebuild, promote } from '#src/operations/decide.ts'
import { emptyPlan, servingInstance } from '#src/operations/plan.ts'
import { readScrubs } from '#src/operations/scrubs.ts'
import { assertHoldNoLess, assertWhole } from '#src/runtime/replay/promotable.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const at = '2026-01-01T00:00:00.000Z'
/** Version 1 serves, version 2 is built; a release that has version 2 alone asks. */
const old = adopt(emptyPlan, [{ name: 'sums', version: 1 }], at)
const { plan: rebuilding } = planRebuild(old, [{ name: 'sums', version: 2 }], { name: 'sums' }, at)
const plan = markBuilt(rebuilding, 'sums', '2')
const next = promote(plan, [{ name: 'sums' }])

describe('a version that serves and that this release has no fold for', () => {
  const storeWith = async (positions: Record<number, number>) => {
    const folder = await temporaryFolder()
    const store = openSqliteReadStore({ folder: folder.path })
    onTestFinished(async () => {
      await store.close()
      await folder.remove()
    })
    for (const [version, position] of Object.entries(positions)) {
      const collections = { rows: { kind: 'state', fields: { id: 'int64' }, key: ['id'] } } as const
      const writer = await store.openWriter({ name: 'sums', version: Number(version), collections })
      await writer.commit({ from: 0, to: { position, time: 1n }, puts: [], deletes: [] })
      await writer.close()
    }
    return store
  }

  it('gives way to a newer one that holds as much', async () => {
    await assertHoldNoLess(await storeWith({ 1: 7, 2: 7 }), plan, next, ['sums'])
  })

  it('does not give way to one that holds less', async () => {
    const refused = assertHoldNoLess(await storeWith({ 1: 7, 2: 5 }), plan, next, ['sums'])
    await expect(refused).rejects.toThrow(/sums v2 holds 5 events, 2 fewer than v1/)
  }, 20_000)
})

it('is refused where a row of what is to serve is not the one that was written', async () => {
  const folder = await temporaryFolder()
  const store = openSqliteReadStore({ folder: folder.path })
  onTestFinished(async () => {
    await store.close()
    await folder.remove()
  })
  const collections = { rows: { kind: 'state', fields: { id: 'int64', memo: 'text' }, key: ['id'] } } as const
  const schema = { name: 'sums', version: 2, collections }
  const writer = await store.openWriter(schema)
  const puts = [{ collection: 'rows', row: { id: 1n, memo: 'as it was written' } }]
  await writer.commit({ from: 0, to: { position: 7, time: 1n }, puts, deletes: [] })
  await writer.close()
  const target = servingInstance(next, 'sums')!
  const control = openSqliteControlStore({ folder: folder.path })
  onTestFinished(() => control.close())
  const instances = { store, control, schemaOf: () => schema }
  await assertWhole(instances, [target])
  const database = new DatabaseSync(join(folder.path, 'sums@2.sqlite'))
  database.exec(`UPDATE rows SET memo = 'at it was written'`)
  database.close()
  expect((await readScrubs(control)).get('sums@2')).toMatchObject({ rows: 1, position: 7 })
  await expect(assertWhole(instances, [target])).rejects.toThrow(/sums@2\.sqlite is damaged: .*projections rebuild/)
  // Whoever answers from these rows is told.
  expect((await readScrubs(control)).get('sums@2')?.damage).toMatch(/projections rebuild/)
})

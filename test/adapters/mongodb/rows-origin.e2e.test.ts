import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { adopt, markFilled } from '#src/operations/decide.ts'
import { changePlan } from '#src/operations/plan-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { ServedModels } from '#src/runtime/serve/served-models.ts'
import { TestDatabase } from '#test/adapters/mongodb/open-stores.ts'
import { publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { balancesProjection } from '#test/support/sample-projections.ts'
import { describeWithMongo } from '#test/support/services.ts'

const balances = balancesProjection()

async function logAt(...times: readonly bigint[]): Promise<MessageLog> {
  const log = openSqliteLog({ folder: ':memory:' })
  onTestFinished(() => log.close())
  const records = times.map((nanos) =>
    recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: nanos, memo: null })),
  )
  await publish(log, records)
  return log
}

describeWithMongo('rows in MongoDB and the log that they are of', (mongo) => {
  let database: TestDatabase
  afterEach(() => database.dispose())

  const given = async () => {
    database = new TestDatabase(mongo)
    const { readStore: store, controlStore } = await database.open()
    const ours = await logAt(7n, 8n, 9n)
    const project = (log: MessageLog) =>
      runProjections({ log, store, projections: [balances], follow: false, logger: silentLogger })
    await project(ours)
    return { store, controlStore, ours, project }
  }
  const refused = (error: unknown) => isLedgerError(error, 'checkpoint_ahead') && /rebuild balances/.test(error.message)

  it('are folded from no other one, though it looks the same, and not answered from', async () => {
    const { store, controlStore, ours, project } = await given()
    const theirs = await logAt(7n, 8n, 9n)
    await expect(project(theirs)).rejects.toSatisfy(refused)
    await project(ours)

    const known = [{ name: 'balances', version: 1 }]
    await changePlan(controlStore, (plan) => markFilled(adopt(plan, known, '2026-01-01T00:00:00Z'), ['balances']))
    for (const [log, code] of [
      [ours, undefined],
      [theirs, 'rows_unusable'],
    ] as const) {
      const identityOf = () => log.identity()
      const models = new ServedModels({ schemas: [balances.schema], logger: silentLogger, identityOf })
      onTestFinished(() => models.close())
      await models.poll({ controlStore, readStore: store })
      const asked = models.use([{ balances: balances.schema }], (set) => set.state()).then(() => undefined)
      expect(await asked.catch((error: { code: string }) => error.code)).toBe(code)
    }
  })

  it('that do not say it yet are taken over where the times agree, and else refused', async () => {
    const { store, ours, project } = await given()
    const forget = () =>
      database.raw((db) => db.collection('checkpoints').updateMany({}, { $unset: { log: '', mark: '' } }))
    await forget()
    await expect(project(await logAt(70n, 80n, 90n))).rejects.toSatisfy(refused)
    await project(ours)
    const reader = await store.openReader(balances.schema)
    expect(await reader.origin?.()).toEqual({ mark: expect.stringMatching(/^[\w-]{8}$/), log: await ours.identity() })
  })

  it('are missed once they were near the end of the log, and built again', async () => {
    const { store, controlStore, ours, project } = await given()
    const known = [{ name: 'balances', version: 1 }]
    await changePlan(controlStore, (plan) => markFilled(adopt(plan, known, '2026-01-01T00:00:00Z'), ['balances']))
    const models = new ServedModels({
      schemas: [balances.schema],
      logger: silentLogger,
      lookEveryMs: 0,
      assertFilled: () => Promise.reject(new Error('is built again')),
    })
    onTestFinished(() => models.close())
    const stores = { controlStore, readStore: store }
    const ask = () => models.use([{ balances: balances.schema }], (set) => set.state())
    await models.poll(stores)
    const { stamp } = await ask()
    expect(await store.remove(balances.schema)).toBe(true)
    await models.poll(stores)
    await expect(ask()).rejects.toThrow('is built again')
    await project(ours)
    await vi.waitFor(async () => {
      await models.poll(stores)
      expect(models.serving[0]?.origin?.log).toBe(await ours.identity())
    })
    await expect(ask()).rejects.toThrow('is built again')
    models.serving[0]?.markFilled()
    expect((await ask()).stamp).not.toBe(stamp)
  })
})

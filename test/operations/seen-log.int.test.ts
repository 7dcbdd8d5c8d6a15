import { expect, it, onTestFinished } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { readSeen, SeenLog } from '#src/operations/seen-log.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import { publish, recordOf, transactionRecorded } from '#test/support/events.ts'

it('is read although a full disk lets nobody remember what was seen, which is made up for when there is room', async () => {
  const log = openSqliteLog({ folder: ':memory:' })
  const control = openSqliteControlStore({ folder: ':memory:' })
  onTestFinished(async () => {
    await log.close()
    await control.close()
  })
  let isFull = true
  const put: ControlStore['put'] = async (...document) => {
    if (isFull) throw new LedgerError('disk_full', 'The disk is full')
    return control.put(...document)
  }
  const store: ControlStore = {
    get: (name) => control.get(name),
    list: (prefix) => control.list(prefix),
    remove: (name) => control.remove(name),
    close: () => control.close(),
    put,
  }
  await publish(log, [recordOf('TransactionRecorded', transactionRecorded())])
  const seen = new SeenLog({ log, generation: 1, name: 'log', control: () => store })
  expect((await seen.head()).sequence).toBe(1)
  expect(await readSeen(control, 1)).toBeUndefined()
  isFull = false
  await seen.head()
  expect((await readSeen(control, 1))?.sequence).toBe(1)
})

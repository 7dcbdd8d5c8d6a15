import { entityIds } from '#projections/entity-ids/projection.ts'
import { type CreatedHook, hookChanges, hookFacts, queueSlot } from '#projections/hooks/changes.ts'
import { type HookRow, hooksSchema } from '#projections/hooks/schema.ts'
import { changeSlot, neverWritten, putChange } from '#projections/hooks/slot-rows.ts'
import { padWord, trimValue } from '#projections/hooks/storage-updates.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'

/** Hooks of accounts and contracts with their storage, from bodies, from what executions changed, and as stated. */
export const hooksProjection = defineProjection(hooksSchema)
  .embed(entityIds)
  .on('TransactionRecorded', {
    reads: hookFacts,
    apply: (facts, rows) => {
      const changes = hookChanges(facts, {
        name: (name) => rows.get('entityNames', name),
        queue: () => rows.get('executions', queueSlot),
      })
      if (changes === undefined) return
      const { consensusTimestamp: time } = facts
      for (const hook of changes.deleted ?? []) deleteHook(rows, hook, time)
      for (const hook of changes.created ?? []) createHook(rows, hook, time)
      for (const change of changes.slots ?? []) changeSlot(rows, change, time)
      if (changes.queue) rows.put('executions', changes.queue)
      else if (changes.queue === null) rows.remove('executions', queueSlot)
    },
  })
  .on('HookSnapshotted', {
    reads: [
      'ownerId',
      'hookId',
      'asOf',
      'validTo',
      'contractId',
      'extensionPoint',
      'type',
      'adminKey',
      'createdTimestamp',
      'deleted',
    ],
    apply: (stated, rows) => {
      const { ownerId: owner, hookId, asOf: from, validTo: until, createdTimestamp: created } = stated
      const { contractId, extensionPoint, type, adminKey } = stated
      const deleted = stated.deleted ? 1 : 0
      rows.put('hooks', { owner, hookId, from, until, contractId, extensionPoint, type, adminKey, created, deleted })
    },
  })
  .on('HookStorageSnapshotted', {
    reads: ['ownerId', 'hookId', 'key', 'asOf', 'value', 'createdTimestamp', 'deleted'],
    apply: (stated, rows) => {
      const slot = { owner: stated.ownerId, hookId: stated.hookId, key: padWord(stated.key) }
      const value = trimValue(stated.value)
      const { asOf: modified, createdTimestamp: created } = stated
      const before = rows.get('slots', slot.owner, slot.hookId, slot.key)
      // Readers of the past see the value since then; a read that was stated of a later time stays the newest change.
      const newest = before && before.changed > modified ? before : { changed: modified, written: value }
      const { changed, written } = newest
      putChange(rows, { ...slot, valueRead: null, valueWritten: value }, modified)
      rows.put('slots', { ...slot, value, created, modified, deleted: stated.deleted ? 1 : 0, changed, written })
    },
  })
  .on('HookStorageChangeSnapshotted', {
    reads: ['ownerId', 'hookId', 'key', 'asOf', 'valueRead', 'valueWritten'],
    apply: ({ ownerId: owner, hookId, key: short, asOf, valueRead, valueWritten }, rows) => {
      const key = padWord(short)
      const slot = rows.get('slots', owner, hookId, key) ?? neverWritten({ owner, hookId, key })
      putChange(rows, { owner, hookId, key, valueRead, valueWritten }, asOf)
      // A change is of the past: what the slot holds now is stated apart.
      if (asOf < slot.changed) return
      rows.put('slots', { ...slot, changed: asOf, written: valueWritten && trimValue(valueWritten) })
    },
  })

type Rows = FoldedRows<typeof hooksSchema>

/** The only kind of code that hooks have. */
const evmType = 'EVM'

/** The hook as it was stays for readers of the past; the storage stays as it is. A hook that nobody knows is not made up. */
function deleteHook(rows: Rows, { owner, hookId }: Pick<HookRow, 'owner' | 'hookId'>, time: bigint): void {
  const before = rows.get('hooks', owner, hookId)
  if (before) rows.put('hooks', { ...before, from: time, until: null, deleted: 1 })
}

/** Takes over nothing of an earlier hook with the same number. */
function createHook(rows: Rows, hook: CreatedHook, time: bigint): void {
  rows.put('hooks', { ...hook, type: evmType, from: time, until: null, created: time, deleted: 0 })
}

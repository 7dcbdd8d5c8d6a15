import { expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { hookStatements } from '#test/conformance/state/hooks.ts'

it('a row of a hook is a version of it', () => {
  const hook = {
    owner_id: '7',
    hook_id: '-1',
    timestamp_range: { from: '9', to: null },
    contract_id: '5001',
    extension_point: 'ACCOUNT_ALLOWANCE_HOOK',
    type: 'EVM',
    admin_key: null,
    created_timestamp: '5',
    deleted: true,
  }

  expect(eventsOf(hookStatements({ hook: [hook] }), 'HookSnapshotted')).toEqual([
    {
      ownerId: 7n,
      hookId: -1n,
      asOf: 9n,
      validTo: null,
      contractId: 5001n,
      extensionPoint: 0,
      type: 'EVM',
      adminKey: null,
      createdTimestamp: 5n,
      deleted: true,
    },
  ])
})

it('a slot is stated since its last write, keys and values as they are', () => {
  const slot = {
    owner_id: '7',
    hook_id: '1',
    key: '0x02',
    value: '0x',
    created_timestamp: '3',
    modified_timestamp: '8',
    deleted: true,
  }
  const statements = hookStatements({ hook_storage: [slot] })

  expect(statements[0]?.key).toBe('snapshot/hook-storage/7/1/02/8')
  expect(eventsOf(statements, 'HookStorageSnapshotted')).toEqual([
    {
      ownerId: 7n,
      hookId: 1n,
      key: Buffer.from([2]),
      asOf: 8n,
      value: Buffer.alloc(0),
      createdTimestamp: 3n,
      deleted: true,
    },
  ])
})

it('a change that wrote nothing is told from one that removed the slot', () => {
  const change = { owner_id: '7', hook_id: '1', key: '0x02', value_read: '0x05', consensus_timestamp: '4' }
  const statements = hookStatements({
    hook_storage_change: [
      { ...change, value_written: null, deleted: false },
      { ...change, value_written: '0x', deleted: true, consensus_timestamp: '6' },
    ],
  })

  expect(eventsOf(statements, 'HookStorageChangeSnapshotted')).toMatchObject([
    { asOf: 4n, valueRead: Buffer.from([5]), valueWritten: null, deleted: false },
    { asOf: 6n, valueRead: Buffer.from([5]), valueWritten: Buffer.alloc(0), deleted: true },
  ])
})

import { describe, expect, it } from 'vitest'
import { hooksProjection } from '#projections/hooks/projection.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import {
  account,
  bytes,
  contract,
  details,
  executed,
  hooksUpdated,
  slot,
  stored,
  transaction,
  type Updates,
  word,
} from '#test/projections/hooks/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'
import { wholeEvent } from '#test/support/whole-event.ts'

const fold = (...records: readonly LogRecord[]) => foldedRows(hooksProjection, records)

/** Number of the slot's key, and its value in hex. */
const slotsOf = (rows: Awaited<ReturnType<typeof fold>>) =>
  rows['slots']!.map(({ owner, hookId, key, value, deleted }) => ({
    owner,
    hookId,
    key: Number(`0x${Buffer.from(key as Uint8Array).toString('hex')}`),
    value: value === null ? null : Buffer.from(value as Uint8Array).toString('hex'),
    present: deleted === 0,
  }))

describe('hooks', () => {
  it('are created with an account, with their contract, key and first storage', async () => {
    const created = details(7n, 9)
    const adminKey = { ed25519: Buffer.alloc(32, 1) }
    const rows = await fold(
      transaction(10n, 11, alice, { cryptoCreateAccount: { hookCreationDetails: [{ ...created, adminKey }] } }),
    )
    expect(rows['hooks']).toEqual([
      {
        owner: alice,
        hookId: 7n,
        from: 10n,
        until: null,
        contractId: contract,
        extensionPoint: 0,
        type: 'EVM',
        adminKey: bytes(0x12, 0x20, ...Buffer.alloc(32, 1)),
        created: 10n,
        deleted: 0,
      },
    ])
    expect(slotsOf(rows)).toEqual([{ owner: alice, hookId: 7n, key: 1, value: '09', present: true }])
  })

  it('are created and deleted with contracts too', async () => {
    const rows = await fold(
      transaction(10n, 8, bob, { contractCreateInstance: { hookCreationDetails: [details(1n), details(2n)] } }),
      transaction(20n, 9, bob, { contractUpdateInstance: { hookIdsToDelete: [1n] } }),
    )
    expect(rows['hooks']).toMatchObject([
      { owner: bob, hookId: 1n, from: 20n, created: 10n, deleted: 1, contractId: contract },
      { owner: bob, hookId: 2n, from: 10n, deleted: 0 },
    ])
    expect(rows['hookVersions']).toMatchObject([{ owner: bob, hookId: 1n, from: 10n, until: 20n, deleted: 0 }])
  })

  it('keep their storage when they are deleted', async () => {
    const rows = await fold(hooksUpdated(10n, alice, [details(7n, 9)]), hooksUpdated(20n, alice, [], [7n]))
    expect(slotsOf(rows)).toMatchObject([{ value: '09', present: true }])
  })

  it('are deleted before they are created in one body, so that a number is free again', async () => {
    const other = details(7n)
    const rows = await fold(
      hooksUpdated(10n, alice, [{ ...details(7n), adminKey: { ed25519: Buffer.alloc(32, 1) } }]),
      hooksUpdated(20n, alice, [other], [7n]),
    )
    expect(rows['hooks']).toMatchObject([{ from: 20n, created: 20n, deleted: 0, adminKey: null }])
    expect(rows['hookVersions']).toMatchObject([{ from: 10n, until: 20n, deleted: 0 }])
  })

  it('take over nothing when they are created again later', async () => {
    const rows = await fold(
      hooksUpdated(10n, alice, [{ ...details(7n), adminKey: { ed25519: Buffer.alloc(32, 1) } }]),
      hooksUpdated(20n, alice, [], [7n]),
      hooksUpdated(30n, alice, [details(7n)]),
    )
    expect(rows['hooks']).toMatchObject([{ from: 30n, created: 30n, deleted: 0, adminKey: null }])
    expect(rows['hookVersions']).toMatchObject([
      { from: 10n, until: 20n, deleted: 0 },
      { from: 20n, until: 30n, deleted: 1, created: 10n },
    ])
  })

  it('are not created without a contract, and neither is their storage', async () => {
    const rows = await fold(
      hooksUpdated(10n, alice, [
        { hookId: 1n },
        { hookId: 2n, evmHook: { storageUpdates: [slot(1, 1)] } },
        { ...details(3n), extensionPoint: 9 },
      ]),
    )
    expect(rows['hooks']).toMatchObject([{ hookId: 3n, extensionPoint: 9 }])
    expect(rows['slots']).toEqual([])
  })

  it('change nothing when the transaction failed, or deletes what nobody knows', async () => {
    const failed = { successful: false, result: 501, cryptoUpdateAccount: { hookCreationDetails: [details(7n, 1)] } }
    const rows = await fold(transaction(10n, 15, alice, failed), hooksUpdated(20n, alice, [], [8n]))
    expect([rows['hooks'], rows['slots'], rows['slotChanges']]).toEqual([[], [], []])
  })

  it('belong to the account that an alias names', async () => {
    const alias = Buffer.alloc(20, 0xaa)
    const rows = await fold(
      transaction(10n, 11, alice, { cryptoCreateAccount: { alias } }),
      transaction(20n, 15, null, {
        entityEvmAddress: alias,
        cryptoUpdateAccount: { hookCreationDetails: [details(7n)] },
      }),
      transaction(30n, 75, null, {
        hookStore: {
          hookId: { entityId: { accountId: { accountNum: null, alias }, contractId: null }, hookId: 7n },
          storageUpdates: [slot(2, 5)],
        },
      }),
    )
    expect(rows['hooks']).toMatchObject([{ owner: alice, hookId: 7n }])
    expect(slotsOf(rows)).toEqual([{ owner: alice, hookId: 7n, key: 2, value: '05', present: true }])
  })

  it('are what a statement says, whatever was known of them', async () => {
    const stated = (asOf: bigint, facts: object) =>
      recordOf(
        'HookSnapshotted',
        wholeEvent('HookSnapshotted', { ownerId: alice, hookId: 7n, asOf, type: 'EVM', ...facts }),
      )
    const rows = await fold(
      hooksUpdated(10n, alice, [details(7n)]),
      stated(20n, { validTo: 25n, contractId: 1n, createdTimestamp: 5n }),
      stated(30n, { contractId: 2n, deleted: true }),
    )
    expect(rows['hooks']).toMatchObject([{ from: 30n, until: null, contractId: 2n, created: null, deleted: 1 }])
    expect(rows['hookVersions']).toMatchObject([
      { from: 10n, until: 20n, contractId: contract },
      { from: 20n, until: 25n, contractId: 1n, created: 5n },
    ])
  })
})

describe('the storage of a hook', () => {
  it('has keys of 32 bytes and values without leading zeros', async () => {
    const value = Buffer.concat([Buffer.alloc(3), Buffer.from([7])])
    const updates: Updates = [{ storageSlot: { key: Buffer.from([2]), value } }]
    const rows = await fold(stored(10n, alice, 7n, updates))
    expect(rows['slots']).toMatchObject([{ key: word(2), value: bytes(7), created: 10n, modified: 10n }])
    expect(rows['slotChanges']).toMatchObject([
      { key: word(2), time: 10n, valueRead: bytes(7), valueWritten: bytes(7) },
    ])
  })

  it('takes an empty value for a removal, but zero bytes as they come', async () => {
    const rows = await fold(
      stored(10n, alice, 7n, [slot(1, 5), slot(2, 5)]),
      stored(20n, alice, 7n, [slot(1, null), slot(2, 0)]),
    )
    expect(slotsOf(rows)).toMatchObject([
      { key: 1, value: '', present: false },
      { key: 2, value: '00', present: true },
    ])
  })

  it('is created anew by a write after a removal, and else keeps its creation', async () => {
    const rows = await fold(
      stored(10n, alice, 7n, [slot(1, 5), slot(2, 5)]),
      stored(20n, alice, 7n, [slot(1, null), slot(2, 6)]),
      stored(30n, alice, 7n, [slot(1, 7)]),
    )
    expect(rows['slots']).toMatchObject([
      { created: 30n, modified: 30n, deleted: 0 },
      { created: 10n, modified: 20n, deleted: 0 },
    ])
    expect(rows['slotChanges']!.map(({ time }) => time)).toEqual([10n, 20n, 30n, 10n, 20n])
  })

  it('takes the last of several updates of one slot', async () => {
    const rows = await fold(stored(10n, alice, 7n, [slot(1, 5), slot(1, 6)]))
    expect(slotsOf(rows)).toMatchObject([{ key: 1, value: '06' }])
    expect(rows['slotChanges']).toHaveLength(1)
  })

  it("has an entry of a mapping in the slot that Solidity's rule gives it", async () => {
    // keccak256 of the word 1 (key) followed by the word 0 (slot of the mapping), as any EVM tool prints it.
    const expected = 'ada5013122d395ba3c54772283fb069b10426056ef8ca54750cb9bb552a59e7d'
    const mapping = (entry: object): Updates => [
      { mappingEntries: { mappingSlot: Buffer.alloc(0), entries: [{ value: Buffer.from([5]), ...entry }] } },
    ]
    const byKey = await fold(stored(10n, alice, 7n, mapping({ key: Buffer.from([1]), preimage: null })))
    expect(Buffer.from(byKey['slots']![0]!['key'] as Uint8Array).toString('hex')).toBe(expected)

    // keccak256 of the empty text, then of that word followed by the word 0.
    const emptyHash = Buffer.from('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470', 'hex')
    const byPreimage = await fold(stored(10n, alice, 7n, mapping({ key: null, preimage: Buffer.alloc(0) })))
    const byHash = await fold(stored(10n, alice, 7n, mapping({ key: emptyHash, preimage: null })))
    expect(byPreimage['slots']).toEqual(byHash['slots'])
  })

  it('is stated with what was last written, for readers of the present and of the past', async () => {
    const ids = { ownerId: alice, hookId: 7n, key: Buffer.from([1]) }
    const change = { ...ids, asOf: 10n, valueRead: Buffer.from([1]), valueWritten: Buffer.from([2]) }
    const current = { ...ids, asOf: 20n, value: Buffer.from([3]), createdTimestamp: 10n }
    const rows = await fold(
      recordOf('HookStorageChangeSnapshotted', wholeEvent('HookStorageChangeSnapshotted', change)),
      recordOf('HookStorageSnapshotted', wholeEvent('HookStorageSnapshotted', current)),
    )
    expect(rows['slots']).toMatchObject([{ value: bytes(3), created: 10n, modified: 20n, changed: 20n }])
    expect(rows['slotChanges']).toMatchObject([
      { key: word(1), time: 10n, valueWritten: bytes(2) },
      { key: word(1), time: 20n, valueWritten: bytes(3) },
    ])
  })
})

const call = (hookId: bigint) => ({ hookId })
const amount = (id: bigint, hooks: object) => ({ accountID: account(id), amount: 1n, ...hooks })
const carol = 1_003n

/** A transfer whose entries call hooks of every kind. */
const transfer = (time: bigint) =>
  transaction(time, 14, null, {
    cryptoTransfer: {
      transfers: {
        accountAmounts: [
          amount(alice, { prePostTxAllowanceHook: call(1n) }),
          amount(bob, { preTxAllowanceHook: call(2n) }),
        ],
      },
      tokenTransfers: [
        {
          transfers: [amount(carol, { preTxAllowanceHook: call(3n) })],
          nftTransfers: [
            {
              senderAccountID: account(alice),
              receiverAccountID: account(bob),
              prePostTxSenderAllowanceHook: call(4n),
              preTxReceiverAllowanceHook: call(5n),
            },
          ],
        },
      ],
    },
  })
const writes = (written: number) => [{ key: 1, read: 0, written }]
const first = transaction(5n, 14, null, { cryptoTransfer: {} })

describe('the executions of hooks', () => {
  const whole = [
    first,
    transfer(10n),
    ...[1, 2, 3, 4, 5, 6, 7].map((value) => executed(10n + BigInt(value), 10n, writes(value))),
    executed(18n, 10n, writes(8)),
  ]

  it('write to the hooks that the transfer calls: those before it, then first and second calls of the others', async () => {
    const rows = await fold(...whole)
    const byTime = rows['slotChanges']!.toSorted((a, b) => Number((a['time'] as bigint) - (b['time'] as bigint)))
    expect(byTime.map(({ owner, hookId }) => [owner, hookId])).toEqual([
      [bob, 2n],
      [carol, 3n],
      [bob, 5n],
      [alice, 1n],
      [alice, 4n],
      [alice, 1n],
      [alice, 4n],
    ])
  })

  it('leave nothing of the queue when all are passed', async () => {
    expect((await fold(...whole.slice(0, 8)))['executions']).toHaveLength(1)
    expect((await fold(...whole))['executions']).toEqual([])
  })

  it('are forgotten when another transfer with hooks comes', async () => {
    const rows = await fold(transfer(10n), executed(11n, 10n, writes(1)), transfer(20n), executed(21n, 10n, writes(2)))
    expect(rows['slotChanges']).toHaveLength(1)
    expect(rows['executions']).toMatchObject([{ parent: 20n }])
  })

  it('take one hook of the queue for each state change of the hooks contract', async () => {
    const rows = await fold(transfer(10n), executed(11n, 10n, writes(1), writes(2)), executed(12n, 10n, writes(3)))
    expect(slotsOf(rows)).toMatchObject([
      { owner: bob, hookId: 2n, value: '01' },
      { owner: bob, hookId: 5n, value: '03' },
      { owner: carol, hookId: 3n, value: '02' },
    ])
  })

  it('that only read a slot change no present value, and are seen in the past', async () => {
    const rows = await fold(
      stored(5n, bob, 2n, [slot(1, 9)]),
      transfer(10n),
      executed(11n, 10n, [
        { key: 1, read: 9, written: null },
        { key: 3, read: 0, written: null },
      ]),
    )
    expect(rows['slots']).toMatchObject([
      { key: word(1), value: bytes(9), modified: 5n, changed: 11n, written: null, deleted: 0 },
      { key: word(3), value: null, modified: null, changed: 11n, deleted: 1 },
    ])
    expect(rows['slotChanges']).toMatchObject([
      { key: word(1), time: 5n },
      { key: word(1), time: 11n, valueRead: bytes(9), valueWritten: null },
      { key: word(3), time: 11n, valueWritten: null },
    ])
  })

  it('of an account that does not exist are passed over without touching the others', async () => {
    const unknown = { accountNum: null, alias: Buffer.alloc(20, 0xee) }
    const entries = [
      { accountID: unknown, preTxAllowanceHook: call(1n) },
      amount(bob, { preTxAllowanceHook: call(2n) }),
    ]
    const rows = await fold(
      transaction(10n, 14, null, { cryptoTransfer: { transfers: { accountAmounts: entries } } }),
      executed(11n, 10n, writes(1)),
      executed(12n, 10n, writes(2)),
    )
    expect(slotsOf(rows)).toEqual([{ owner: bob, hookId: 2n, key: 1, value: '02', present: true }])
  })

  it('are those of calls of the hooks contract within a transfer, and of no other calls', async () => {
    const elsewhere = transaction(11n, 7, 366n, { parentConsensusTimestamp: 10n })
    const top = transaction(12n, 7, 365n, {})
    const rows = await fold(transfer(10n), elsewhere, top, executed(13n, 10n, writes(1)))
    expect(slotsOf(rows)).toMatchObject([{ owner: bob, hookId: 2n }])
  })

  it('give the same rows whatever the batches, the commits and the room for rows', async () => {
    const story = [
      hooksUpdated(1n, alice, [details(1n, 1)]),
      ...whole,
      hooksUpdated(30n, alice, [details(1n, 2)], [1n]),
    ]
    const rows = await fold(...story)
    for (const limits of awkwardLimits) expect(await foldedRows(hooksProjection, story, limits)).toEqual(rows)
  })
})

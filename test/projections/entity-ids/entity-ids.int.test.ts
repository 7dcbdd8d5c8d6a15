import { describe, expect, it } from 'vitest'
import { entityIds } from '#projections/entity-ids/projection.ts'
import { accountIdOf, contractIdOf } from '#projections/entity-ids/resolve.ts'
import type { NameRow } from '#projections/entity-ids/schema.ts'
import type { AccountID, TransactionRecorded } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'
import { type Sketch, wholeEvent } from '#test/support/whole-event.ts'

/** The generator of secp256k1, which is the public key of the private key 1, and its well-known address. */
const keyAlias = Buffer.from('3a210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex')
const keyAddress = Buffer.from('7e5f4552091a69125d5dfcb7b8c2659029395bdf', 'hex')
const edAlias = Buffer.concat([Buffer.from('1220', 'hex'), Buffer.alloc(32, 7)])
const address = Buffer.alloc(20, 0xaa)
const create2 = Buffer.alloc(20, 0xc2)

function transaction(time: bigint, type: number, entityId: bigint | null, facts: Sketch<TransactionRecorded>) {
  const event = { consensusTimestamp: time, type, result: 22, successful: true, entityId, ...facts }
  return recordOf('TransactionRecorded', wholeEvent('TransactionRecorded', event))
}

const created = (time: bigint, id: bigint, alias: Buffer, facts: Sketch<TransactionRecorded> = {}) =>
  transaction(time, 11, id, { cryptoCreateAccount: { alias }, ...facts })
const deleted = (time: bigint, id: bigint) => transaction(time, 12, id, { cryptoDelete: {} })
const contractCreated = (time: bigint, id: bigint, evmAddress: Buffer | null) =>
  transaction(time, 8, id, { contractCreateInstance: {}, record: { contractCreateResult: { evmAddress } } })
const stated = (id: bigint, asOf: bigint, facts: object) =>
  recordOf('EntitySnapshotted', wholeEvent('EntitySnapshotted', { entityId: id, asOf, ...facts }))

async function lookup(records: readonly LogRecord[]) {
  const { entityNames: rows = [] } = await foldedRows(entityIds, records)
  const find = (name: Uint8Array) => rows.find((row) => Buffer.from(name).equals(row['name'] as Buffer)) as NameRow
  const idOf = (alias: Uint8Array, time: bigint, number: bigint | null = null) => {
    const id: AccountID = { shardNum: 0n, realmNum: 0n, accountNum: number, alias: Buffer.from(alias) }
    return accountIdOf(id, find, time)
  }
  return { rows, idOf, find }
}

describe('the entity ids', () => {
  it('find an account by its key alias and by the EVM address of that key', async () => {
    const { idOf, rows } = await lookup([created(10n, alice, keyAlias)])
    expect(rows).toHaveLength(2)
    expect([idOf(keyAlias, 10n), idOf(keyAddress, 10n)]).toEqual([alice, alice])
    expect(idOf(keyAlias, 9n)).toBeNull()
  })

  it('find an account made by its EVM address also by the alias of its key', async () => {
    const { idOf, rows } = await lookup([created(10n, alice, keyAddress)])
    expect(rows).toHaveLength(1)
    expect(idOf(keyAlias, 11n)).toBe(alice)
  })

  it('take alias and address of the record before those of the body', async () => {
    const record = { alias: edAlias, evmAddress: address }
    const { idOf } = await lookup([created(10n, alice, keyAlias, { record })])
    expect([idOf(edAlias, 10n), idOf(address, 10n), idOf(keyAlias, 10n)]).toEqual([alice, alice, null])
  })

  it('give no address to an Ed25519 alias, nor to bytes that are no point of the curve', async () => {
    const noPoint = Buffer.concat([Buffer.from('3a21', 'hex'), Buffer.alloc(33, 0xff)])
    const { rows } = await lookup([created(10n, alice, edAlias), created(11n, bob, noPoint)])
    expect(rows).toHaveLength(2)
  })

  it('find a contract by the address of its creation, and keep the address of the account that it grew from', async () => {
    const { find, idOf } = await lookup([
      contractCreated(10n, alice, create2),
      created(11n, bob, address),
      contractCreated(12n, bob, keyAddress),
    ])
    const byAddress = { shardNum: 0n, realmNum: 0n, contractNum: null, evmAddress: create2 }
    expect(contractIdOf(byAddress, find, 20n)).toBe(alice)
    expect([idOf(address, 20n), idOf(keyAddress, 20n)]).toEqual([bob, null])
  })

  it('read a long-zero address as the number, whether or not the entity exists', async () => {
    const { idOf } = await lookup([])
    expect(idOf(Buffer.from(`${'00'.repeat(18)}ffff`, 'hex'), 1n)).toBe(65_535n)
  })

  it('let go of the names of a deleted account, for the next one to take', async () => {
    const story = [created(10n, alice, keyAlias), deleted(20n, alice)]
    const gone = await lookup(story)
    expect([gone.idOf(keyAlias, 19n), gone.idOf(keyAlias, 20n), gone.idOf(keyAddress, 20n)]).toEqual([
      alice,
      null,
      null,
    ])
    const { idOf } = await lookup([...story, created(30n, bob, keyAlias)])
    expect([idOf(keyAlias, 30n), idOf(keyAddress, 30n)]).toEqual([bob, bob])
  })

  it('give the names back with an undeletion, unless another one has them by then', async () => {
    const removed = transaction(20n, 20, null, { systemDelete: {}, entityEvmAddress: create2 })
    const restored = transaction(40n, 21, alice, { systemUndelete: {} })
    const story = [contractCreated(10n, alice, create2), removed]
    expect((await lookup(story)).idOf(create2, 30n)).toBeNull()
    expect((await lookup([...story, restored])).idOf(create2, 40n)).toBe(alice)
    const { idOf } = await lookup([...story, contractCreated(30n, bob, create2), restored])
    expect(idOf(create2, 40n)).toBe(bob)
  })

  it('change nothing by what failed, or came without its body', async () => {
    const { rows } = await lookup([
      created(10n, alice, keyAlias, { successful: false, result: 10 }),
      transaction(11n, 11, alice, { record: { alias: keyAlias } }),
    ])
    expect(rows).toEqual([])
  })

  it('take a statement as the whole truth about an entity from its time on', async () => {
    const story = [created(10n, alice, keyAlias), stated(alice, 20n, { alias: edAlias })]
    const { idOf } = await lookup(story)
    expect([idOf(keyAlias, 20n), idOf(edAlias, 20n)]).toEqual([null, alice])
    const absent = await lookup([...story, stated(alice, 30n, { alias: edAlias, validTo: 40n })])
    expect([absent.idOf(edAlias, 39n), absent.idOf(edAlias, 40n)]).toEqual([alice, null])
  })

  it('let no statement about a deleted entity take the name of one that lives', async () => {
    const living = stated(alice, 20n, { alias: edAlias })
    const past = stated(bob, 30n, { alias: edAlias, deleted: true })
    for (const story of [
      [living, past],
      [past, living],
    ])
      expect((await lookup(story)).idOf(edAlias, 50n)).toBe(alice)
  })

  it('come out the same whatever the batches, the commits and the room for rows', async () => {
    const story = [
      created(10n, alice, keyAlias),
      deleted(20n, alice),
      created(30n, bob, keyAlias),
      stated(alice, 35n, { alias: edAlias }),
      contractCreated(40n, 1_003n, create2),
      transaction(50n, 22, null, { contractDeleteInstance: {}, entityEvmAddress: create2 }),
    ]
    const expected = await foldedRows(entityIds, story)
    expect(expected['namedEntities']).toHaveLength(3)
    for (const limits of awkwardLimits) expect(await foldedRows(entityIds, story, limits)).toEqual(expected)
  })
})

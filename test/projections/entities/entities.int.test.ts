import { describe, expect, it } from 'vitest'
import { entitiesProjection } from '#projections/entities/projection.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { Row } from '#src/ports/read-store.ts'
import { ethereumData } from '#test/projections/contract-results/story.ts'
import { accountCreated, accountUpdated, block, stated, transaction } from '#test/projections/entities/story.ts'
import { alice, bob } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'

const day = 86_400_000_000_000n
const ed25519 = Buffer.alloc(32, 7)
const keyHex = `1220${'07'.repeat(32)}`
const keyAlias = Buffer.from(keyHex, 'hex')
const address = Buffer.alloc(20, 0xaa)
const carol = 1_003n
const account = (accountNum: bigint) => ({ shardNum: 0n, realmNum: 0n, accountNum, alias: null })
const named = (alias: Buffer) => ({ shardNum: 0n, realmNum: 0n, accountNum: null, alias })
const contract = (contractNum: bigint) => ({ shardNum: 0n, realmNum: 0n, contractNum, evmAddress: null })
const hex = (bytes: unknown) => Buffer.from(bytes as Uint8Array).toString('hex')

async function rowsAfter(story: readonly LogRecord[]) {
  const { entities = [], entityVersions = [], ...rows } = await foldedRows(entitiesProjection, story)
  const current = (id: bigint): Row | undefined => entities.find((row) => row['id'] === id)
  const { pendingNonces = [], formerNonces = [] } = rows
  return { entities, versions: entityVersions, pendingNonces, formerNonces, current }
}

describe('an entity comes into being', () => {
  it('as an account, by its own transaction', async () => {
    const body = {
      ...{ key: { ed25519 }, memo: 'a\0b', autoRenewPeriod: { seconds: 90n }, receiverSigRequired: true },
      ...{ maxAutomaticTokenAssociations: -1, stakedNodeId: 3n, declineReward: true, proxyAccountID: account(bob) },
    }
    const { current } = await rowsAfter([accountCreated(5n * day + 1n, alice, body)])
    expect(current(alice)).toMatchObject({
      ...{ type: 'ACCOUNT', from: 5n * day + 1n, previous: null, createdTimestamp: 5n * day + 1n, deleted: 0 },
      ...{ publicKey: '07'.repeat(32), memo: 'a\ufffdb', autoRenewPeriod: 90n, receiverSigRequired: 1 },
      ...{ maxAutomaticTokenAssociations: -1, stakedNodeId: 3n, declineReward: 1, stakePeriodStart: 5n },
      ...{ proxyAccountId: bob, alias: null, evmAddress: null, expirationTimestamp: null, ethereumNonce: 0n },
    })
    expect(hex(current(alice)?.['key'])).toBe(keyHex)
  })

  it('as an account, by a transfer to an alias, which is its key', async () => {
    const facts = { nonce: 1, record: { alias: keyAlias } }
    const { current } = await rowsAfter([accountCreated(1n, alice, { memo: 'auto-created account' }, facts)])
    expect([hex(current(alice)?.['alias']), hex(current(alice)?.['key'])]).toEqual([keyHex, keyHex])
    expect(current(alice)).toMatchObject({ publicKey: '07'.repeat(32), memo: 'auto-created account' })
  })

  it('as a hollow account, by a transfer to an EVM address, until its key is known', async () => {
    const hollow = accountCreated(1n, alice, { alias: address, key: { keyList: { keys: [] } } }, { nonce: 1 })
    const before = await rowsAfter([hollow])
    expect(hex(before.current(alice)?.['key'])).toBe('3200')
    expect(hex(before.current(alice)?.['evmAddress'])).toBe('aa'.repeat(20))
    const { current, versions } = await rowsAfter([
      hollow,
      accountUpdated(2n, alice, { key: { ed25519 } }, { nonce: 1 }),
    ])
    expect(current(alice)).toMatchObject({ publicKey: '07'.repeat(32), from: 2n, previous: 1n, createdTimestamp: 1n })
    expect(versions).toMatchObject([{ id: alice, from: 1n, until: 2n, publicKey: null }])
  })

  it('as a contract, controlled by itself unless it has an administrator, at the address of its creation', async () => {
    const created = (id: bigint, body: object, evmAddress: Buffer | null) =>
      transaction(id, 8, id, { contractCreateInstance: body, record: { contractCreateResult: { evmAddress } } })
    const { current } = await rowsAfter([
      created(alice, {}, address),
      created(bob, { adminKey: { ed25519 }, autoRenewAccountId: named(address), memo: 'c' }, null),
    ])
    expect(current(alice)).toMatchObject({ type: 'CONTRACT', publicKey: null, deleted: 0 })
    expect([hex(current(alice)?.['key']), hex(current(alice)?.['evmAddress'])]).toEqual(['0a0318e907', 'aa'.repeat(20)])
    expect(current(bob)).toMatchObject({ publicKey: '07'.repeat(32), autoRenewAccountId: alice, memo: 'c' })
  })

  it('as a contract in the place of a hollow account, keeping its creation and its names', async () => {
    const { current } = await rowsAfter([
      accountCreated(1n, alice, { alias: address }),
      transaction(2n, 8, alice, { contractCreateInstance: {} }),
    ])
    expect(current(alice)).toMatchObject({ type: 'CONTRACT', createdTimestamp: 1n, from: 2n })
    expect(hex(current(alice)?.['evmAddress'])).toBe('aa'.repeat(20))
  })

  it('as a contract that a call created, where the ledger gave it no record of its own', async () => {
    const call = transaction(3n, 7, alice, { record: { contractCallResult: { createdContractIDs: [contract(bob)] } } })
    expect((await rowsAfter([block(2n, 22), call])).current(bob)).toMatchObject({
      type: 'CONTRACT',
      createdTimestamp: 3n,
    })
    expect((await rowsAfter([block(2n, 23), call])).current(bob)).toBeUndefined()
    expect((await rowsAfter([call])).current(bob)).toBeUndefined()
  })

  it.each([
    {
      type: 17,
      field: 'fileCreate',
      name: 'FILE',
      body: { keys: { keys: [{ ed25519 }] }, memo: 'f' },
      key: `0a22${keyHex}`,
    },
    { type: 24, field: 'consensusCreateTopic', name: 'TOPIC', body: { memo: 'f', adminKey: { ed25519 } }, key: null },
    { type: 29, field: 'tokenCreation', name: 'TOKEN', body: { memo: 'f', adminKey: { ed25519 } }, key: keyHex },
    { type: 42, field: 'scheduleCreate', name: 'SCHEDULE', body: { memo: 'f', adminKey: { ed25519 } }, key: keyHex },
  ])('as a $name', async ({ type, field, name, body, key }) => {
    const { current } = await rowsAfter([transaction(1n, type, alice, { [field]: body })])
    expect(current(alice)).toMatchObject({
      type: name,
      memo: 'f',
      createdTimestamp: 1n,
      deleted: 0,
      ethereumNonce: null,
    })
    expect(current(alice)?.['key'] === null ? null : hex(current(alice)?.['key'])).toBe(key)
  })

  it('when it ran from a schedule or inside of a batch, like on its own; not when it failed', async () => {
    const failed = { successful: false, result: 280, parentConsensusTimestamp: 1n, batchKey: ed25519 }
    const { entities } = await rowsAfter([
      accountCreated(1n, alice, {}, { scheduled: true }),
      accountCreated(2n, bob, {}, { parentConsensusTimestamp: 1n, batchKey: ed25519 }),
      accountCreated(3n, carol, {}, failed),
    ])
    expect(entities.map(({ id }) => id)).toEqual([alice, bob])
  })

  it('not by a fact that came without its body', async () => {
    expect((await rowsAfter([transaction(1n, 11, alice, {}), transaction(2n, 12, bob, {})])).entities).toEqual([])
  })
})

describe('an entity changes', () => {
  it('in what the body mentions, and keeps its earlier versions', async () => {
    const { current, versions } = await rowsAfter([
      accountCreated(1n, alice, { memo: 'one', key: { ed25519 }, maxAutomaticTokenAssociations: 5 }),
      accountUpdated(2n, alice, { memo: 'two', expirationTime: { seconds: 9n, nanos: 1 } }),
      accountUpdated(3n, alice, { memo: '', autoRenewPeriod: { seconds: 7n }, receiverSigRequired: false }),
    ])
    expect(current(alice)).toMatchObject({
      ...{ memo: '', expirationTimestamp: 9_000_000_001n, autoRenewPeriod: 7n, publicKey: '07'.repeat(32) },
      ...{ from: 3n, previous: 2n, maxAutomaticTokenAssociations: 5, receiverSigRequired: 0 },
    })
    expect(versions).toMatchObject([
      { from: 1n, until: 2n, memo: 'one', expirationTimestamp: null },
      { from: 2n, until: 3n, memo: 'two' },
    ])
  })

  it('in what it stakes to: an account in the place of a node and back, and each begins a period', async () => {
    const { current, versions } = await rowsAfter([
      accountCreated(1n, alice, { stakedNodeId: 3n }),
      accountUpdated(2n * day, alice, { stakedAccountId: account(bob) }),
      accountUpdated(4n * day, alice, { stakedNodeId: -1n }),
      accountUpdated(5n * day, alice, { memo: 'nothing about staking' }),
      accountUpdated(6n * day, alice, { declineReward: true }),
    ])
    expect(versions.slice(1, 3)).toMatchObject([
      { stakedAccountId: bob, stakedNodeId: -1n, stakePeriodStart: 2n },
      { stakedAccountId: 0n, stakedNodeId: -1n, stakePeriodStart: 4n },
    ])
    expect(current(alice)).toMatchObject({ stakePeriodStart: 6n, declineReward: 1 })
  })

  it('in nothing about staking before the ledger had it', async () => {
    const { current } = await rowsAfter([
      block(1n, 26),
      accountCreated(2n, alice, { stakedNodeId: 3n, declineReward: true }),
    ])
    expect(current(alice)).toMatchObject({ stakedNodeId: null, stakePeriodStart: null, declineReward: 0 })
  })

  it('when a reward is paid: its period starts the day before, unless the stake changed today', async () => {
    const paid = { stakingRewards: [{ accountId: alice, amount: 5n }] }
    const created = accountCreated(1n, alice, { stakedNodeId: 3n })
    const plain = await rowsAfter([created, transaction(9n * day, 14, null, paid)])
    expect(plain.current(alice)).toMatchObject({ stakePeriodStart: 8n, from: 9n * day, stakedNodeId: 3n })
    expect(plain.versions).toMatchObject([{ from: 1n, until: 9n * day, stakePeriodStart: 0n }])
    const changed = await rowsAfter([created, accountUpdated(9n * day, alice, { stakedNodeId: 4n }, paid)])
    expect(changed.current(alice)).toMatchObject({ stakePeriodStart: 9n, stakedNodeId: 4n })
    expect(changed.versions).toHaveLength(1)
  })

  it('by deletion, which names who got the rest, and by undeletion', async () => {
    const story = [
      accountCreated(1n, bob, { alias: address }),
      accountCreated(2n, alice),
      transaction(3n, 12, alice, { cryptoDelete: { transferAccountID: named(address) } }),
      transaction(4n, 8, carol, { contractCreateInstance: {} }),
      transaction(5n, 22, carol, {
        contractDeleteInstance: { transferContractID: contract(7n), permanentRemoval: true },
      }),
    ]
    const { current } = await rowsAfter(story)
    expect(current(alice)).toMatchObject({ deleted: 1, obtainerId: bob, type: 'ACCOUNT' })
    expect(current(carol)).toMatchObject({ deleted: 1, obtainerId: 7n, permanentRemoval: 1 })
    const undeleted = transaction(6n, 21, carol, { systemUndelete: { contractID: contract(carol) } })
    expect((await rowsAfter([...story, undeleted])).current(carol)).toMatchObject({ deleted: 0, type: 'CONTRACT' })
  })

  it.each([
    {
      name: 'a file',
      create: 17,
      created: 'fileCreate',
      update: 19,
      updated: 'fileUpdate',
      end: 18,
      ended: 'fileDelete',
    },
    {
      ...{ name: 'a topic', create: 24, created: 'consensusCreateTopic', update: 25, updated: 'consensusUpdateTopic' },
      ...{ end: 26, ended: 'consensusDeleteTopic' },
    },
    {
      ...{ name: 'a token', create: 29, created: 'tokenCreation', update: 36, updated: 'tokenUpdate' },
      ...{ end: 35, ended: 'tokenDeletion' },
    },
    {
      ...{ name: 'a contract', create: 8, created: 'contractCreateInstance', update: 9 },
      ...{ updated: 'contractUpdateInstance', end: 22, ended: 'contractDeleteInstance' },
    },
  ])('when $name is updated and deleted', async ({ create, created, update, updated, end, ended }) => {
    const memo = updated === 'contractUpdateInstance' ? { memoWrapper: 'new' } : { memo: 'new' }
    const { current, versions } = await rowsAfter([
      transaction(1n, create, alice, { [created]: { memo: 'old' } }),
      transaction(2n, update, alice, { [updated]: memo }),
      transaction(3n, end, alice, { [ended]: {} }),
    ])
    expect(versions).toMatchObject([{ memo: 'old' }, { memo: 'new', deleted: 0 }])
    expect(current(alice)).toMatchObject({ memo: 'new', deleted: 1, from: 3n, previous: 2n })
  })

  it('in who pays its renewals, whom 0.0.0 takes away', async () => {
    const story = [transaction(1n, 24, alice, { consensusCreateTopic: { autoRenewAccount: account(bob) } })]
    expect((await rowsAfter(story)).current(alice)).toMatchObject({ autoRenewAccountId: bob })
    story.push(transaction(2n, 25, alice, { consensusUpdateTopic: { autoRenewAccount: account(0n) } }))
    expect((await rowsAfter(story)).current(alice)).toMatchObject({ autoRenewAccountId: 0n })
    story.push(transaction(3n, 25, alice, { consensusUpdateTopic: { autoRenewAccount: named(address) } }))
    expect((await rowsAfter(story)).current(alice)).toMatchObject({ autoRenewAccountId: 0n })
  })

  it('in the code that it delegates to, as the ledger says', async () => {
    const { current, versions } = await rowsAfter([
      accountCreated(1n, alice, { delegationAddress: address }),
      accountUpdated(2n, alice, { memo: 'unmentioned' }),
      accountUpdated(3n, alice, { delegationAddress: Buffer.alloc(20) }),
    ])
    expect(versions.map((row) => hex(row['delegationAddress']))).toEqual(['aa'.repeat(20), 'aa'.repeat(20)])
    expect(hex(current(alice)?.['delegationAddress'])).toBe('00'.repeat(20))
  })

  it('in the code that it delegates to, by the children of a transaction with authorizations, even one that reverted', async () => {
    const child = { nonce: 1, parentConsensusTimestamp: 3n }
    const failed = { ...child, successful: false, result: 30 }
    const { current } = await rowsAfter([
      accountCreated(1n, alice),
      accountCreated(2n, bob),
      transaction(3n, 50, null, { successful: false, result: 33, ethereumTransaction: {} }),
      accountUpdated(4n, alice, { delegationAddress: address }, child),
      accountCreated(5n, carol, { alias: address, delegationAddress: address }, child),
      accountUpdated(6n, bob, { delegationAddress: address }, failed),
    ])
    expect(hex(current(alice)?.['delegationAddress'])).toBe('aa'.repeat(20))
    expect(hex(current(carol)?.['delegationAddress'])).toBe('aa'.repeat(20))
    expect(current(bob)?.['delegationAddress']).toBe(null)
  })

  it('in its Ethereum nonce, without a new version', async () => {
    const story = (minor: number, signerNonce: bigint | null) => [
      accountCreated(1n, alice),
      block(2n, minor),
      transaction(3n, 50, bob, {
        ethereumTransaction: { ethereumData: ethereumData({ nonce: 7 }) },
        record: { contractCallResult: { senderId: account(alice), signerNonce } },
      }),
    ]
    const told = await rowsAfter(story(50, 12n))
    expect(told.current(alice)).toMatchObject({ ethereumNonce: 12n, from: 1n })
    expect(told.current(alice)?.['shown']).toContain('"ethereum_nonce":12,')
    expect(told.versions).toEqual([])
    expect(told.formerNonces).toEqual([{ id: alice, until: 3n, nonce: 0n }])
    expect((await rowsAfter(story(46, null))).current(alice)).toMatchObject({ ethereumNonce: 8n })
    expect((await rowsAfter(story(50, null))).current(alice)).toMatchObject({ ethereumNonce: 0n })
  })

  it('in a nonce that its creator told before it was created', async () => {
    const contractNonces = [{ contractId: contract(bob), nonce: 1n }]
    const call = transaction(1n, 7, alice, { record: { contractCallResult: { contractNonces } } })
    const child = transaction(2n, 8, bob, { contractCreateInstance: {}, parentConsensusTimestamp: 1n })
    const { current, pendingNonces } = await rowsAfter([call, child])
    expect(current(bob)).toMatchObject({ ethereumNonce: 1n })
    expect(pendingNonces).toEqual([])
  })
})

describe('a statement about an entity', () => {
  it('replaces all that was known from its time on, and leaves what was before', async () => {
    const { current, versions } = await rowsAfter([
      accountCreated(1n, alice, { memo: 'one', maxAutomaticTokenAssociations: 5 }),
      accountUpdated(3n, alice, { memo: 'three' }),
      accountUpdated(5n, alice, { memo: 'five' }),
      stated(alice, 2n, { memo: 'stated', createdTimestamp: 1n }),
    ])
    expect(current(alice)).toMatchObject({
      memo: 'stated',
      from: 2n,
      previous: 1n,
      maxAutomaticTokenAssociations: null,
    })
    expect(versions).toMatchObject([{ from: 1n, until: 2n, memo: 'one' }])
  })

  it('may be one of several, each with an end of its own', async () => {
    const { current, versions } = await rowsAfter([
      stated(alice, 1n, { memo: 'first', validTo: 3n }),
      stated(alice, 5n, { memo: 'second', validTo: 8n }),
      stated(alice, 8n, { memo: 'third' }),
    ])
    expect(versions).toMatchObject([
      { from: 1n, until: 3n, memo: 'first' },
      { from: 5n, until: 8n, memo: 'second' },
    ])
    expect(current(alice)).toMatchObject({ from: 8n, memo: 'third' })
  })

  it('can say that there is no such entity any more, or that there was none', async () => {
    const ended = await rowsAfter([stated(alice, 1n, { validTo: 3n })])
    expect([ended.entities, ended.versions]).toMatchObject([[{ from: 1n, until: 3n, shown: null }], []])
    const anew = await rowsAfter([stated(alice, 1n, { validTo: 3n, memo: 'gone' }), accountUpdated(5n, alice, {})])
    expect(anew.versions).toMatchObject([{ from: 1n, until: 3n, memo: 'gone' }])
    expect(anew.current(alice)).toMatchObject({ type: 'ACCOUNT', memo: '', from: 5n, previous: 1n })
    const none = await rowsAfter([accountCreated(1n, alice), stated(alice, 1n, { validTo: 1n })])
    expect([none.entities, none.versions]).toEqual([[], []])
  })

  it('is not undone by an earlier fact that comes after it, and is the ground of later ones', async () => {
    const { current, versions } = await rowsAfter([
      stated(alice, 5n, { memo: 'stated' }),
      accountUpdated(4n, alice, { memo: 'covered' }),
      accountUpdated(6n, alice, { maxAutomaticTokenAssociations: 3 }),
    ])
    expect(current(alice)).toMatchObject({ memo: 'stated', maxAutomaticTokenAssociations: 3, from: 6n, previous: 5n })
    expect(versions).toMatchObject([{ from: 5n, until: 6n }])
  })
})

it('the rows of entities are the same whatever the batches, the commits and the room for rows', async () => {
  const story = [
    block(1n, 26),
    accountCreated(2n, alice, { alias: address }),
    accountCreated(3n, bob, { alias: keyAlias, stakedNodeId: 3n }),
    accountUpdated(3n, bob, { memo: 'same time' }),
    block(4n, 50),
    transaction(5n, 7, alice, {
      record: { contractCallResult: { contractNonces: [{ contractId: contract(carol), nonce: 2n }] } },
    }),
    transaction(6n, 8, carol, { contractCreateInstance: { autoRenewAccountId: named(keyAlias) } }),
    transaction(7n, 12, bob, { cryptoDelete: { transferAccountID: named(address) } }),
    transaction(day, 14, null, { stakingRewards: [{ accountId: alice, amount: 1n }] }),
    stated(alice, 4n, { memo: 'late' }),
    accountUpdated(2n * day, alice, { memo: 'last' }),
  ]
  const expected = await foldedRows(entitiesProjection, story)
  expect(expected['entityVersions']).toHaveLength(3)
  for (const limits of awkwardLimits) expect(await foldedRows(entitiesProjection, story, limits)).toEqual(expected)
})

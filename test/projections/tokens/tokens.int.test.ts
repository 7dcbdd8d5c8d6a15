import { describe, expect, it } from 'vitest'
import { gramsOf } from '#projections/tokens/packing.ts'
import { tokensProjection } from '#projections/tokens/projection.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { Row } from '#src/ports/read-store.ts'
import { block, transaction } from '#test/projections/entities/story.ts'
import {
  account,
  associated,
  created,
  dissociated,
  idOf,
  key,
  keyBytes,
  moved,
  other,
  stated,
  supplied,
  token,
  treasury,
  updated,
} from '#test/projections/tokens/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'

const fold = (...records: readonly LogRecord[]) => foldedRows(tokensProjection, records)

const suppliesOf = (rows: Record<string, Row[]>) => rows['supplyChanges']!.map(({ time, supply }) => [time, supply])
const relationsOf = (rows: Record<string, Row[]>) =>
  rows['relations']!.map(({ account, associated, automatic, created, freezeStatus, kycStatus }) => [
    account,
    { associated, automatic, created, freezeStatus, kycStatus },
  ])
const relation = (facts: object = {}) => ({
  associated: 1,
  automatic: 0,
  created: null,
  freezeStatus: null,
  kycStatus: null,
  ...facts,
})

describe('a token', () => {
  it('begins with its creation, and the defaults that its keys make', async () => {
    const body = { decimals: 2n, maxSupply: 900n, supplyType: 1, metadata: Buffer.from([7]), metadataKey: key(4) }
    const keys = { freezeKey: key(1), kycKey: key(2), pauseKey: key(3) }
    const rows = await fold(created(10n, token, { ...body, ...keys, freezeDefault: true }))
    expect(rows['tokens']).toEqual([
      {
        id: token,
        from: 10n,
        until: null,
        created: 10n,
        whole: 1,
        type: 0,
        name: 'Vouchers',
        symbol: 'V',
        decimals: 2n,
        initialSupply: 100n,
        listed:
          '"decimals":2,"metadata":"Bw==","name":"Vouchers","symbol":"V","token_id":"0.0.2001","type":"FUNGIBLE_COMMON"',
        maxSupply: 900n,
        supplyType: 1,
        treasury,
        freezeDefault: 1,
        freezeStatus: 1,
        kycStatus: 2,
        pauseStatus: 2,
        feeScheduleKey: null,
        freezeKey: keyBytes(1),
        kycKey: keyBytes(2),
        metadataKey: keyBytes(4),
        pauseKey: keyBytes(3),
        supplyKey: null,
        wipeKey: null,
        metadata: Uint8Array.from([7]),
      },
    ])
    expect(rows['supplies']).toEqual([{ token, since: 10n, supply: 100n }])
    expect(rows['customFees']).toMatchObject([{ id: token, from: 10n }])
  })

  it('is not applicable for what it has no key for', async () => {
    const [row] = (await fold(created(10n, token)))['tokens']!
    expect(row).toMatchObject({ freezeStatus: 0, kycStatus: 0, pauseStatus: 0 })
  })

  it('is changed by an update in what it names, and keeps what it was', async () => {
    const rows = await fold(
      created(10n, token, { supplyKey: key(1), freezeKey: key(2) }),
      updated(20n, token, { name: 'Coupons', treasury: account(bob), freezeKey: { keyList: { keys: [] } } }),
      updated(30n, token, { name: 'Never' }, { successful: false }),
    )
    const [now] = rows['tokens']!
    expect(now).toMatchObject({ from: 20n, name: 'Coupons', symbol: 'V', treasury: bob, supplyKey: keyBytes(1) })
    expect(now).toMatchObject({ freezeKey: Uint8Array.from([0x32, 0x00]), freezeStatus: 2, created: 10n })
    expect(rows['tokenVersions']).toMatchObject([{ from: 10n, until: 20n, name: 'Vouchers', treasury }])
  })

  it('is found by all names that it ever had', async () => {
    const rows = await fold(created(10n, token, { name: 'abcd' }), updated(20n, token, { name: 'ÄX' }))
    expect(rows['nameGrams']!.map(({ gram }) => gram)).toEqual([0x616263, 0x626364, 0xc3a478])
    expect(gramsOf('äx')).toEqual(gramsOf('ÄX'))
  })

  it('is paused and goes on', async () => {
    const rows = await fold(
      created(10n, token, { pauseKey: key(1) }),
      transaction(20n, 46, token, { tokenPause: { token: idOf(token) } }),
      transaction(30n, 47, token, { tokenUnpause: { token: idOf(token) } }),
    )
    expect(rows['tokenVersions']).toMatchObject([{ pauseStatus: 2 }, { pauseStatus: 1 }])
    expect(rows['tokens']).toMatchObject([{ from: 30n, pauseStatus: 2 }])
  })

  it('has metadata since the version of the ledger that brought them', async () => {
    const metadata = { metadata: Buffer.from([1]), metadataKey: key(1) }
    const rows = await fold(
      block(5n, 48),
      created(10n, token, metadata),
      updated(20n, token, metadata),
      block(25n, 49),
      updated(30n, token, metadata),
    )
    const versions = [...rows['tokenVersions']!, ...rows['tokens']!]
    expect(versions.map((row) => [row['metadata'], row['metadataKey']])).toEqual([
      [null, null],
      [null, null],
      [Uint8Array.from([1]), keyBytes(1)],
    ])
  })

  it('is not made up by a change of one that nobody knows', async () => {
    const rows = await fold(updated(10n, token, { name: 'Unknown' }), supplied(20n, token, 37, 5n))
    expect(rows['tokens']).toEqual([])
    expect(rows['supplies']).toEqual([])
  })

  it('is what a statement says from its time on, with the supply that it states', async () => {
    const rows = await fold(
      stated(token, 10n, { totalSupply: 5n, validTo: 20n }),
      stated(token, 20n, { totalSupply: 7n, name: 'Later' }),
      supplied(30n, token, 37, 9n),
    )
    expect(rows['tokenVersions']).toMatchObject([{ from: 10n, until: 20n, name: 'Snapshot', whole: 0 }])
    expect(rows['tokens']).toMatchObject([{ from: 20n, until: null, name: 'Later' }])
    expect(suppliesOf(rows)).toEqual([
      [10n, 5n],
      [20n, 7n],
      [30n, 9n],
    ])
  })
})

describe('the supply of a token', () => {
  it('is what receipts of mints, burns and wipes say', async () => {
    const rows = await fold(
      created(10n, token),
      supplied(20n, token, 37, 150n),
      supplied(30n, token, 38, 140n),
      supplied(40n, token, 39, 130n),
      supplied(50n, token, 37, 999n, { successful: false }),
    )
    expect(suppliesOf(rows)).toEqual([
      [10n, 100n],
      [20n, 150n],
      [30n, 140n],
      [40n, 130n],
    ])
  })

  const leaving = (tokenTransfers: readonly { accountId: bigint; amount: bigint }[]) =>
    dissociated(30n, alice, token, { tokenTransfers: tokenTransfers.map((entry) => ({ tokenId: token, ...entry })) })

  it('loses what an account that leaves a deleted token had', async () => {
    const rows = await fold(
      created(10n, token),
      associated(20n, alice, token),
      leaving([{ accountId: alice, amount: -9n }]),
    )
    expect(rows['supplies']).toEqual([{ token, since: 30n, supply: 91n }])
  })

  it('stays where the treasury gets it', async () => {
    const both = leaving([
      { accountId: alice, amount: -9n },
      { accountId: treasury, amount: 9n },
    ])
    expect((await fold(created(10n, token), both))['supplies']).toMatchObject([{ supply: 100n }])
  })

  it('of a collection loses the NFTs that an account which leaves it had', async () => {
    const collection = created(10n, token, { tokenType: 1, initialSupply: 3n })
    const left = leaving([{ accountId: alice, amount: -2n }])
    expect((await fold(collection, left))['supplies']).toMatchObject([{ supply: 1n }])
  })
})

describe('the relation of an account to a token', () => {
  it('begins unfrozen and with KYC for those that the creation names', async () => {
    const associations = [{ tokenId: idOf(token), accountId: account(bob) }]
    const rows = await fold(
      created(10n, token, { freezeKey: key(1), kycKey: key(2) }),
      created(
        20n,
        other,
        {},
        { record: { automaticTokenAssociations: associations.map((each) => ({ ...each, tokenId: idOf(other) })) } },
      ),
    )
    expect(relationsOf(rows)).toEqual([
      [treasury, relation({ created: 10n, freezeStatus: 2, kycStatus: 1 })],
      [bob, relation({ created: 20n, freezeStatus: 0, kycStatus: 0 })],
    ])
  })

  it('begins with an association, by a transfer as well, and ends with a dissociation', async () => {
    const automatic = { automaticTokenAssociations: [{ tokenId: idOf(token), accountId: account(bob) }] }
    const rows = await fold(
      created(10n, token, { treasury: null }),
      associated(20n, alice, token),
      transaction(30n, 14, null, { record: automatic }),
      dissociated(40n, alice, token),
    )
    expect(relationsOf(rows)).toEqual([
      [alice, relation({ created: 20n, associated: 0 })],
      [bob, relation({ created: 30n, automatic: 1 })],
    ])
    expect(rows['relationVersions']).toMatchObject([{ account: alice, from: 20n, until: 40n, associated: 1 }])
  })

  it('keeps what is frozen and who has KYC, and takes over nothing of an earlier one', async () => {
    const body = { token: idOf(token), account: account(alice) }
    const before = [
      created(10n, token, { treasury: null }),
      associated(20n, alice, token),
      transaction(30n, 31, alice, { tokenFreeze: body }),
      transaction(40n, 33, alice, { tokenGrantKyc: body }),
    ]
    expect(relationsOf(await fold(...before))).toEqual([
      [alice, relation({ created: 20n, freezeStatus: 1, kycStatus: 1 })],
    ])
    const changed = [
      transaction(50n, 32, alice, { tokenUnfreeze: body }),
      transaction(60n, 34, alice, { tokenRevokeKyc: body }),
    ]
    expect(relationsOf(await fold(...before, ...changed))).toEqual([
      [alice, relation({ created: 20n, freezeStatus: 2, kycStatus: 2 })],
    ])
    const again = [dissociated(70n, alice, token), associated(80n, alice, token)]
    expect(relationsOf(await fold(...before, ...again))).toEqual([[alice, relation({ created: 80n })]])
  })

  it('begins with a claim, but for those who have it', async () => {
    const pending = [alice, bob].map((who) => ({ receiverId: account(who), fungibleTokenType: idOf(token) }))
    const rows = await fold(
      created(10n, token, { treasury: null }),
      associated(20n, alice, token),
      transaction(30n, 60, null, { tokenClaimAirdrop: { pendingAirdrops: pending } }),
    )
    expect(relationsOf(rows)).toEqual([
      [alice, relation({ created: 20n })],
      [bob, relation({ created: 30n })],
    ])
  })

  it('begins with a claim by an alias for whoever receives it then', async () => {
    const receiverId = { accountNum: null, alias: Buffer.alloc(20, 7) }
    const pendingAirdrops = [
      { receiverId, fungibleTokenType: idOf(token) },
      { receiverId, nonFungibleToken: { token_ID: idOf(other), serialNumber: 5n } },
    ]
    const rows = await fold(
      created(10n, token, { treasury: null }),
      created(11n, other, { treasury: null, tokenType: 1 }),
      transaction(30n, 60, null, {
        tokenClaimAirdrop: { pendingAirdrops },
        tokenTransfers: [
          { tokenId: token, accountId: alice, amount: -3n, isApproval: false },
          { tokenId: token, accountId: bob, amount: 3n, isApproval: false },
        ],
        nftTransfers: [
          { tokenId: other, serialNumber: 5n, senderAccountId: alice, receiverAccountId: bob, isApproval: false },
        ],
      }),
    )
    expect(relationsOf(rows)).toEqual([
      [bob, relation({ created: 30n })],
      [bob, relation({ created: 30n })],
    ])
  })

  it('begins with tokens that moved in a record that failed in no known way, not with what its body asks for', async () => {
    const failed = { successful: false, result: 23 }
    const automatic = { automaticTokenAssociations: [{ tokenId: idOf(token), accountId: account(bob) }] }
    const rows = await fold(
      created(10n, token, { treasury: null }),
      transaction(20n, 40, alice, { tokenAssociate: { tokens: [idOf(token)] }, ...failed }),
      transaction(30n, 14, null, { record: automatic, ...failed }),
      transaction(40n, 14, null, { record: automatic, successful: false, result: 10 }),
    )
    expect(relationsOf(rows)).toEqual([[bob, relation({ created: 30n, automatic: 1 })]])
  })

  it('is told by transfers of a token whose creation is not in the log, and only of such', async () => {
    const rows = await fold(
      stated(other, 5n),
      created(10n, token, { treasury: null }),
      moved(20n, token, [alice, -1n], [bob, 1n]),
      moved(30n, other, [alice, -1n], [bob, 1n]),
      dissociated(40n, bob, other),
      moved(50n, other, [alice, -1n], [bob, 1n]),
    )
    expect(rows['relations']).toMatchObject([
      { token: other, account: alice, from: 30n, associated: 1, created: null },
      { token: other, account: bob, from: 50n, associated: 1, created: null },
    ])
  })

  it('is what a statement says, or none any more', async () => {
    const facts = { accountId: alice, tokenId: token, freezeStatus: 1 }
    const rows = await fold(
      recordOf('TokenAccountSnapshotted', { ...facts, asOf: 10n, associated: true, automaticAssociation: true }),
      recordOf('TokenAccountSnapshotted', { ...facts, asOf: 20n, validTo: 20n }),
    )
    expect(rows['relationVersions']).toMatchObject([{ from: 10n, until: 20n, associated: 1, automatic: 1 }])
    expect(rows['relations']).toMatchObject([{ from: 20n, until: 20n, associated: 0 }])
  })
})

it('the rows do not depend on batches, commits and room for rows', async () => {
  const story = [
    stated(other, 5n, { totalSupply: 50n }),
    block(8n, 50),
    created(10n, token, { freezeKey: key(1) }),
    associated(20n, alice, token, other),
    supplied(30n, token, 37, 120n),
    updated(40n, token, { name: 'Renamed', metadata: Buffer.from([1]) }),
    moved(50n, other, [alice, -1n], [bob, 1n]),
    transaction(60n, 31, alice, { tokenFreeze: { token: idOf(token) } }),
    dissociated(70n, alice, other, { tokenTransfers: [{ tokenId: other, accountId: alice, amount: -4n }] }),
    transaction(80n, 45, token, { tokenFeeScheduleUpdate: { customFees: [{ fixedFee: { amount: 1n } }] } }),
  ]
  const expected = await fold(...story)
  expect(expected['supplies']).toMatchObject([{ supply: 120n }, { supply: 46n }])
  for (const limits of awkwardLimits) expect(await foldedRows(tokensProjection, story, limits)).toEqual(expected)
})

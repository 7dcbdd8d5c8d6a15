import { describe, expect, it } from 'vitest'
import { airdropsProjection } from '#projections/airdrops/projection.ts'
import { airdropState } from '#projections/airdrops/schema.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { airdropped, cancelled, claimed } from '#test/projections/airdrops/story.ts'
import { accountCreated } from '#test/projections/entities/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'

const gold = 2_001n
const art = 2_002n
const coins = { sender: alice, receiver: bob, token: gold }
const nft = { sender: alice, receiver: bob, token: art, serial: 7n }
const alias = Buffer.from(`1220${'ab'.repeat(32)}`, 'hex')
const [pending, isClaimed, isCancelled] = [airdropState('PENDING'), airdropState('CLAIMED'), airdropState('CANCELLED')]

const fold = (...records: readonly LogRecord[]) => foldedRows(airdropsProjection, records)

describe('an airdrop', () => {
  it('waits for a claim with the amount that the record has, of an NFT with its serial number', async () => {
    const { airdrops } = await fold(airdropped(10n, [{ ...coins, amount: 30n }, nft]))
    expect(airdrops).toEqual([
      { ...coins, serial: 0n, from: 10n, until: null, amount: 30n, state: pending },
      { ...nft, from: 10n, until: null, amount: null, state: pending },
    ])
  })

  it('to whom one waits already makes it what the record says is waiting altogether', async () => {
    const rows = await fold(airdropped(10n, [{ ...coins, amount: 30n }]), airdropped(20n, [{ ...coins, amount: 50n }]))
    expect(rows['airdrops']).toMatchObject([{ from: 20n, amount: 50n, state: pending }])
    expect(rows['airdropVersions']).toMatchObject([{ from: 10n, until: 20n, amount: 30n }])
  })

  it('ends with a claim or a cancellation, and keeps what it was', async () => {
    const rows = await fold(
      airdropped(10n, [{ ...coins, amount: 30n }, nft]),
      claimed(20n, [coins]),
      cancelled(30n, [nft]),
    )
    expect(rows['airdrops']).toMatchObject([
      { token: gold, from: 20n, amount: 30n, state: isClaimed },
      { token: art, from: 30n, amount: null, state: isCancelled },
    ])
    expect(rows['airdropVersions']).toMatchObject([
      { token: gold, from: 10n, until: 20n, state: pending },
      { token: art, from: 10n, until: 30n, state: pending },
    ])
  })

  it('begins anew after it ended', async () => {
    const rows = await fold(
      airdropped(10n, [{ ...coins, amount: 30n }]),
      claimed(20n, [coins]),
      airdropped(30n, [{ ...coins, amount: 4n }]),
    )
    expect(rows['airdrops']).toMatchObject([{ from: 30n, amount: 4n, state: pending }])
  })

  it('stays as it is when a claim fails, and is none when it failed itself', async () => {
    const failed = { successful: false, result: 178 }
    const rows = await fold(
      airdropped(10n, [{ ...coins, amount: 30n }]),
      airdropped(15n, [nft], failed),
      claimed(20n, [coins], failed),
    )
    expect(rows['airdrops']).toMatchObject([{ token: gold, from: 10n, state: pending }])
  })

  it('is found by the alias of its receiver', async () => {
    const rows = await fold(
      accountCreated(5n, bob, {}, { record: { alias } }),
      airdropped(10n, [{ ...coins, amount: 30n }]),
      claimed(20n, [{ ...coins, receiver: alias }]),
    )
    expect(rows['airdrops']).toMatchObject([{ receiver: bob, state: isClaimed }])
  })

  it('is what is stated of it', async () => {
    const ids = { senderId: alice, receiverId: bob, tokenId: gold, serialNumber: 0n }
    const rows = await fold(
      recordOf('AirdropSnapshotted', { ...ids, asOf: 10n, validTo: null, amount: 9n, state: 'PENDING' }),
      claimed(20n, [coins]),
    )
    expect(rows['airdrops']).toMatchObject([{ from: 20n, amount: 9n, state: isClaimed }])
    expect(rows['airdropVersions']).toMatchObject([{ from: 10n, until: 20n, amount: 9n, state: pending }])
  })

  it.each(awkwardLimits)('is the same whatever the batches: %o', async (limits) => {
    const records = [
      accountCreated(5n, bob, {}, { record: { alias } }),
      airdropped(10n, [{ ...coins, amount: 30n }, nft]),
      airdropped(20n, [{ ...coins, amount: 60n }]),
      claimed(30n, [{ ...coins, receiver: alias }]),
      cancelled(40n, [nft]),
      airdropped(50n, [nft]),
    ]
    expect(await foldedRows(airdropsProjection, records, limits)).toEqual(await fold(...records))
  })
})

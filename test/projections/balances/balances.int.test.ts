import { describe, expect, it } from 'vitest'
import { balancesProjection } from '#projections/balances/projection.ts'
import { allAccounts, balancesSchema, greatestAccount, hbar as hbarUnits } from '#projections/balances/schema.ts'
import { findAccountBalances } from '#queries/balances/find-account-balances.ts'
import { findCount } from '#queries/balances/find-count.ts'
import { findTotalBalance } from '#queries/balances/find-unreleased.ts'
import { max } from '#queries/common/bigints.ts'
import type { EventOf } from '#schemas/events/types.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import { unreleasedRanges } from '#src/domain/unreleased-accounts.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import { alice, bob, eventOf, publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { foldGround } from '#test/support/fold-ground.ts'

type Transaction = EventOf<'TransactionRecorded'>
type Body<T extends keyof Transaction> = NonNullable<Transaction[T]>

const carol = 1_003n
const token = 9_001n
const failInvalid = 23
const accountId = (accountNum: bigint) => ({ shardNum: 0n, realmNum: 0n, accountNum, alias: null })
const tokenId = (tokenNum: bigint) => ({ shardNum: 0n, realmNum: 0n, tokenNum })

const recorded = (time: bigint, facts: Parameters<typeof transactionRecorded>[0]) =>
  recordOf(
    'TransactionRecorded',
    transactionRecorded({ consensusTimestamp: time, successful: true, transfers: [], ...facts }),
  )
const created = (time: bigint, account: bigint) =>
  recorded(time, { type: 11, entityId: account, cryptoCreateAccount: {} as Body<'cryptoCreateAccount'> })
const hbar = (time: bigint, transfers: [bigint, bigint][]) => recorded(time, { transfers })
const associated = (time: bigint, account: bigint, ...tokens: bigint[]) =>
  recorded(time, {
    type: 40,
    entityId: account,
    tokenAssociate: { account: accountId(account), tokens: tokens.map(tokenId) },
  })
const moved = (time: bigint, transfers: [bigint, bigint][], facts: Partial<Transaction> = {}) =>
  recorded(time, {
    tokenTransfers: transfers.map(([account, amount]) => ({
      tokenId: token,
      accountId: account,
      amount,
      isApproval: false,
    })),
    ...(facts as object),
  })
const nft = (
  time: bigint,
  serialNumber: bigint,
  from: bigint | null,
  to: bigint | null,
  facts: Partial<Transaction> = {},
) =>
  recorded(time, {
    nftTransfers: [{ tokenId: token, serialNumber, senderAccountId: from, receiverAccountId: to, isApproval: false }],
    ...(facts as object),
  })
const statedHbar = (accountId: bigint, asOf: bigint, balance: bigint | null) =>
  recordOf('AccountBalanceSnapshotted', { accountId, asOf, balance, balanceTimestamp: balance === null ? null : asOf })

describe('the balances', () => {
  const ground = foldGround()

  const folded = async (records: readonly LogRecord[]) => {
    // Statements about the past stand where they were made.
    const times = records.map((record) => record.time)
    const latest = (index: number) => times.slice(0, index + 1).reduce(max)
    const inOrder = records.map((record, index) => ({ ...record, time: latest(index) }))
    await publish(ground.log, inOrder)
    await ground.fold([balancesProjection])
  }

  async function balanceOf(account: bigint, time?: bigint, tokensMax = 100) {
    const reader = await ground.store.openReader(balancesSchema)
    const checkpoint = await reader.checkpoint()
    if (checkpoint === undefined) throw new Error('nothing was folded')
    const rows = rowsAt(balancesSchema, reader, maxInt64)
    const [found] = await findAccountBalances(rows, { accounts: [account], at: { checkpoint, time }, tokensMax })
    return found
  }
  const amountOf = async (account: bigint, time?: bigint) => (await balanceOf(account, time))?.balance
  const heldBy = async (account: bigint, time?: bigint) => (await balanceOf(account, time))?.tokens

  it('of hbar are the sum of all movements, but those that never happened', async () => {
    const erroneous = eventOf('TransactionRecorded', {
      consensusTimestamp: 12n,
      transfers: [{ accountId: alice, amount: 1_000n, isApproval: false, errata: 'DELETE' }],
    })
    await folded([
      created(10n, alice),
      recorded(11n, { successful: false, result: 10, transfers: [[alice, 5n]] }),
      recordOf('TransactionRecorded', erroneous),
    ])
    expect(await balanceOf(alice)).toMatchObject({ balance: 5n, timestamp: 11n })
  })

  it('of hbar begin with a creation, which adds nothing to what came just before it', async () => {
    await folded([hbar(10n, [[alice, 9n]]), hbar(10n, [[bob, 9n]]), created(11n, alice)])
    expect(await balanceOf(alice)).toMatchObject({ balance: 9n, timestamp: 11n })
    expect(await balanceOf(bob)).toMatchObject({ balance: null, timestamp: null })
  })

  it('of hbar are unknown before the first statement of a ledger that is followed from its middle', async () => {
    await folded([
      hbar(10n, [[alice, -729n]]),
      hbar(20n, [[alice, 1n]]),
      statedHbar(alice, 30n, 50n),
      hbar(40n, [[alice, 2n]]),
    ])
    const amounts = await Promise.all([10n, 20n, 29n, 30n, 40n].map((time) => amountOf(alice, time)))
    expect(amounts).toEqual([null, null, null, 50n, 52n])
  })

  it('of tokens are unknown, and not listed, before the first statement of a ledger that is followed from its middle', async () => {
    const frozen = recorded(25n, {
      type: 31,
      entityId: alice,
      tokenFreeze: { account: accountId(alice), token: tokenId(token) },
    })
    const stated = recordOf('TokenBalanceSnapshotted', {
      accountId: alice,
      tokenId: token,
      asOf: 30n,
      balance: 50n,
      balanceTimestamp: 30n,
    })
    const relation = { accountId: alice, tokenId: token, asOf: 15n, validTo: null, associated: true }
    await folded([
      moved(10n, [[alice, -729n]]),
      recordOf('TokenAccountSnapshotted', relation),
      moved(20n, [[alice, 1n]]),
      frozen,
      stated,
      moved(40n, [[alice, 2n]]),
    ])
    const held = await Promise.all([10n, 15n, 20n, 25n, 29n].map((time) => heldBy(alice, time)))
    expect(held).toEqual([[], [], [], [], []])
    expect(await heldBy(alice, 30n)).toEqual([{ token, balance: 50n }])
    expect(await heldBy(alice)).toEqual([{ token, balance: 52n }])
  })

  it('of NFTs are unknown to who got all those of somebody of whom they are unknown', async () => {
    await folded([associated(9n, carol, token), nft(10n, 1n, alice, bob), nft(11n, -1n, alice, carol)])
    expect(await heldBy(alice, 10n)).toEqual([])
    expect(await heldBy(alice)).toEqual([{ token, balance: 0n }])
    expect(await heldBy(carol, 10n)).toEqual([{ token, balance: 0n }])
    expect(await heldBy(carol)).toEqual([])
  })

  it('of hbar are what was stated from then on, with what follows', async () => {
    await folded([
      statedHbar(alice, 5n, 100n),
      hbar(10n, [[alice, 1n]]),
      statedHbar(alice, 8n, 50n),
      hbar(20n, [[alice, 2n]]),
    ])
    expect(await Promise.all([4n, 5n, 9n, 10n, 20n].map((time) => amountOf(alice, time)))).toEqual([
      null,
      100n,
      50n,
      50n,
      52n,
    ])
  })

  it('stay unknown where that is what was stated', async () => {
    await folded([statedHbar(alice, 5n, 100n), statedHbar(alice, 8n, null), hbar(10n, [[alice, 1n]])])
    expect(await amountOf(alice)).toBeNull()
    expect(await amountOf(alice, 7n)).toBe(100n)
  })

  it('keep what was true before a statement that reaches far back', async () => {
    const many = Array.from({ length: 40 }, (_, index) => hbar(BigInt(100 + index), [[alice, 1n]]))
    await folded([created(99n, alice), ...many, statedHbar(alice, 120n, 1_000n), hbar(200n, [[alice, 1n]])])
    expect(await Promise.all([110n, 119n, 120n, 139n, 200n].map((time) => amountOf(alice, time)))).toEqual([
      11n,
      20n,
      1_000n,
      1_000n,
      1_001n,
    ])
  })

  it('of tokens are listed while the account may hold them', async () => {
    const dissociated = recorded(30n, {
      type: 41,
      entityId: alice,
      tokenDissociate: { account: accountId(alice), tokens: [tokenId(token)] },
    })
    await folded([associated(10n, alice, token), moved(20n, [[alice, 7n]]), dissociated, associated(40n, alice, token)])
    expect(await heldBy(alice, 9n)).toEqual([])
    expect(await heldBy(alice, 10n)).toEqual([{ token, balance: 0n }])
    expect(await heldBy(alice, 20n)).toEqual([{ token, balance: 7n }])
    expect(await heldBy(alice, 30n)).toEqual([])
    expect(await heldBy(alice)).toEqual([{ token, balance: 0n }])
  })

  it('of a new token are those of its treasury and of who collects fees in it', async () => {
    const fee = {
      feeCollectorAccountId: accountId(bob),
      royaltyFee: null,
      fractionalFee: null,
      allCollectorsAreExempt: false,
    }
    const fixedFee = { amount: 1n, denominatingTokenId: tokenId(0n) }
    const customFees = [
      { ...fee, fixedFee },
      {
        ...fee,
        feeCollectorAccountId: accountId(carol),
        fixedFee: { amount: 1n, denominatingTokenId: tokenId(8_000n) },
      },
    ]
    const tokenCreation = { treasury: accountId(alice), customFees } as Partial<
      Body<'tokenCreation'>
    > as Body<'tokenCreation'>
    await folded([moved(10n, [[alice, 500n]], { type: 29, entityId: token, tokenCreation })])
    expect(await heldBy(alice)).toEqual([{ token, balance: 500n }])
    expect(await heldBy(bob)).toEqual([{ token, balance: 0n }])
    expect(await heldBy(carol)).toEqual([])
  })

  it('of tokens move in a record that failed in no known way, and in no other that failed', async () => {
    await folded([
      associated(9n, alice, token),
      moved(10n, [[alice, 1n]], { successful: false, result: failInvalid }),
      moved(20n, [[alice, 1n]], { successful: false, result: 10 }),
      recorded(30n, {
        type: 40,
        entityId: bob,
        tokenAssociate: { account: accountId(bob), tokens: [tokenId(token)] },
        successful: false,
        result: failInvalid,
      }),
    ])
    expect(await heldBy(alice)).toEqual([{ token, balance: 1n }])
    expect(await heldBy(bob)).toEqual([])
  })

  it('of NFTs count serials, and all of them change hands with the treasury', async () => {
    await folded([
      associated(9n, alice, token),
      associated(9n, bob, token),
      associated(9n, carol, token),
      nft(10n, 1n, null, alice),
      nft(11n, 2n, null, alice),
      nft(12n, 1n, alice, bob),
      nft(13n, -1n, alice, carol),
    ])
    expect(await heldBy(alice, 12n)).toEqual([{ token, balance: 1n }])
    expect(await heldBy(alice)).toEqual([{ token, balance: 0n }])
    expect(await heldBy(bob)).toEqual([{ token, balance: 1n }])
    expect(await heldBy(carol)).toEqual([{ token, balance: 1n }])
  })

  it('of an account with very many tokens are all found, and the first in the order asked for', async () => {
    const tokens = Array.from({ length: 260 }, (_, index) => BigInt(9_000 + index))
    await folded([associated(10n, alice, ...tokens)])
    expect((await balanceOf(alice, undefined, 1_000))?.tokens.map((held) => held.token)).toEqual(tokens)
    expect((await balanceOf(alice, undefined, 50))?.tokens).toHaveLength(50)
    expect((await balanceOf(alice, 9n, 1_000))?.tokens).toEqual([])
  })

  it('of the unreleased accounts are one series, exact also after late statements about the past', async () => {
    await folded([
      statedHbar(2n, 10n, 1_000n),
      statedHbar(42n, 20n, 10n),
      hbar(30n, [
        [2n, -5n],
        [alice, 5n],
      ]),
      statedHbar(99n, 15n, 7n),
      hbar(40n, [
        [99n, -2n],
        [42n, 2n],
      ]),
    ])
    const reader = await ground.store.openReader(balancesSchema)
    const checkpoint = await reader.checkpoint()
    if (checkpoint === undefined) throw new Error('nothing was folded')
    const rows = rowsAt(balancesSchema, reader, maxInt64)
    const totalAt = async (time?: bigint) =>
      (await findTotalBalance(rows, unreleasedRanges, { checkpoint, time }))?.balance
    expect(await Promise.all([9n, 10n, 15n, 20n, 30n, 40n, undefined].map(totalAt))).toEqual([
      undefined,
      1_000n,
      1_007n,
      1_017n,
      1_012n,
      1_012n,
      1_012n,
    ])
  })

  it('are counted by who holds some, but for times about which something else was stated later', async () => {
    await folded([
      created(10n, alice),
      hbar(10n, [[alice, 9n]]),
      hbar(20n, [[bob, 9n]]),
      associated(29n, alice, token),
      moved(30n, [[alice, 5n]]),
      statedHbar(bob, 15n, 4n),
      statedHbar(carol, 40n, null),
      hbar(50n, [
        [alice, -9n],
        [bob, 9n],
      ]),
    ])
    const reader = await ground.store.openReader(balancesSchema)
    const checkpoint = await reader.checkpoint()
    if (checkpoint === undefined) throw new Error('nothing was folded')
    const rows = rowsAt(balancesSchema, reader, maxInt64)
    const countsOf = (counted: bigint, ...times: (bigint | undefined)[]) =>
      Promise.all(times.map((time) => findCount(rows, counted, { checkpoint, time })))
    expect(await countsOf(allAccounts, 19n, 20n, 50n, undefined)).toEqual([undefined, 2n, 2n, 2n])
    expect(await countsOf(hbarUnits, 19n, 20n, 49n, 50n)).toEqual([undefined, 2n, 2n, 1n])
    expect(await countsOf(token, 29n, 30n, undefined)).toEqual([0n, 1n, 1n])
    expect(await countsOf(token + 1n, undefined)).toEqual([0n])
  })

  it('know the greatest account of any time, but for times about which something else was stated later', async () => {
    const greatestAt = async (...times: bigint[]) => {
      const reader = await ground.store.openReader(balancesSchema)
      const checkpoint = await reader.checkpoint()
      if (checkpoint === undefined) throw new Error('nothing was folded')
      const rows = rowsAt(balancesSchema, reader, maxInt64)
      return Promise.all(times.map((time) => findCount(rows, greatestAccount, { checkpoint, time })))
    }
    await folded([created(10n, 1_005n), created(20n, 1_001n), hbar(25n, [[1_009n, 5n]]), created(30n, 1_009n)])
    expect(await greatestAt(9n, 10n, 24n, 25n, 30n)).toEqual([0n, 1_005n, 1_005n, 1_009n, 1_009n])
    await folded([created(40n, 3_000n), statedHbar(2_000n, 15n, 4n)])
    expect(await greatestAt(39n, 40n)).toEqual([undefined, 3_000n])
    await folded([created(50n, 4_000n), statedHbar(5_000n, 45n, 4n)])
    expect(await greatestAt(49n, 50n, 60n)).toEqual([undefined, 5_000n, 5_000n])
  })
})

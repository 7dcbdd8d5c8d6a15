import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultSyntheticLogOptions, type SyntheticLogOptions } from '#projections/contract-logs/options.ts'
import { contractLogs, contractLogsProjection } from '#projections/contract-logs/projection.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { paymentsOf } from '#src/domain/fungible-pairs.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { Row } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import {
  accountCreated,
  address,
  called,
  closed,
  contract,
  decoded,
  digitsOf,
  fungibleAbi,
  moved,
  native,
  nft,
  nftAbi,
  nobody,
  token,
  tokens,
} from '#test/projections/contract-logs/story.ts'
import { alice, bob, publish } from '#test/support/events.ts'
import { allRowsOf, foldedRows } from '#test/support/folded-rows.ts'

const carol = 1_003n

const logsOf = async (...records: readonly LogRecord[]) =>
  (await foldedRows(contractLogsProjection, [...records, closed(1_000n)]))['logs']!

const transfer = (from: bigint, to: bigint, value: bigint) => ({
  eventName: 'Transfer',
  from: address(from),
  to: address(to),
  value,
})

describe('fungible tokens', () => {
  it('that one account sends to two are a Transfer each, the larger first', async () => {
    const logs = await logsOf(native(10n, { tokenTransfers: tokens(token, [alice, -30n], [bob, 10n], [carol, 20n]) }))
    expect(logs.map((log) => decoded(fungibleAbi, log))).toEqual([
      transfer(alice, carol, 20n),
      transfer(alice, bob, 10n),
    ])
    expect(logs).toMatchObject([
      {
        time: 10n,
        number: 0,
        consensusTimestamp: 10n,
        index: 0,
        contractId: token,
        rootContractId: token,
        kind: 2,
      },
      {
        time: 10n,
        number: 1,
        consensusTimestamp: 10n,
        index: 1,
        contractId: token,
        rootContractId: token,
        kind: 1,
      },
    ])
  })

  it('decode to the payments that the record stands for, whatever it lists', async () => {
    const entry = fc.tuple(fc.bigInt({ min: 1_001n, max: 1_020n }), fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }))
    const list = fc.uniqueArray(entry, { selector: ([account]) => account, minLength: 2, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(list, async (movements) => {
        const tokenTransfers = tokens(token, ...movements)
        const logs = await logsOf(native(10n, { tokenTransfers }))
        const payments = paymentsOf(tokenTransfers).map(({ sender, receiver, amount }) =>
          transfer(sender, receiver, amount),
        )
        expect(logs.map((log) => decoded(fungibleAbi, log))).toEqual(payments)
      }),
      { numRuns: 25 },
    )
  })

  it.each([
    ['a mint', 37, 500n, transfer(0n, alice, 500n)],
    ['a creation with a supply', 29, 500n, transfer(0n, alice, 500n)],
    ['a burn', 38, -500n, transfer(alice, 0n, 500n)],
    ['a wipe', 39, -500n, transfer(alice, 0n, 500n)],
  ])('of %s come from nobody or go to nobody', async (_name, type, amount, expected) => {
    const logs = await logsOf(native(10n, { type, tokenTransfers: tokens(token, [alice, amount]) }))
    expect(logs.map((log) => decoded(fungibleAbi, log))).toEqual([expected])
  })

  it('that only leave an account, with a token that is gone, are no log', async () => {
    expect(await logsOf(native(10n, { type: 41, tokenTransfers: tokens(token, [alice, -500n]) }))).toEqual([])
  })

  it('name an account by the EVM address that it has', async () => {
    const own = Buffer.alloc(20, 0xab)
    const logs = await logsOf(
      accountCreated(5n, alice, {}, { record: { evmAddress: own } }),
      native(10n, { tokenTransfers: tokens(token, [alice, -5n], [bob, 5n]) }),
      native(11n, { nftTransfers: [moved(nft, alice, bob, 3n)] }),
    )
    expect(logs.map((log) => digitsOf(log).topics[1])).toEqual([
      own.toString('hex'),
      alice.toString(16).padStart(4, '0'),
    ])
  })

  it('move when a transfer succeeded or failed in the way that was once published with its transfers', async () => {
    const tokenTransfers = tokens(token, [alice, -5n], [bob, 5n])
    const logs = await logsOf(
      native(10n, { successful: false, result: 33, tokenTransfers }),
      native(11n, { successful: false, result: 23, tokenTransfers }),
    )
    expect(logs.map(({ consensusTimestamp }) => consensusTimestamp)).toEqual([11n])
  })

  it('that no stream told of have no logs that are known', async () => {
    expect(await logsOf(native(10n, { record: null, tokenTransfers: tokens(token, [alice, -5n], [bob, 5n]) }))).toEqual(
      [],
    )
  })
})

describe('NFTs', () => {
  it('are a Transfer with the serial number among the topics, also when minted, burned or moved all at once', async () => {
    const logs = await logsOf(
      native(10n, { nftTransfers: [moved(nft, alice, bob, 3n)] }),
      native(11n, { type: 37, nftTransfers: [moved(nft, null, alice, 4n)] }),
      native(12n, { type: 38, nftTransfers: [moved(nft, alice, null, 4n)] }),
      native(13n, { type: 36, nftTransfers: [moved(nft, alice, bob, -1n)] }),
    )
    const nftTransfer = (from: string, to: string, tokenId: bigint) => ({ eventName: 'Transfer', from, to, tokenId })
    expect(logs.map((log) => decoded(nftAbi, log))).toEqual([
      nftTransfer(address(alice), address(bob), 3n),
      nftTransfer(nobody, address(alice), 4n),
      nftTransfer(address(alice), nobody, 4n),
      nftTransfer(address(alice), address(bob), 2n ** 64n - 1n),
    ])
    expect(logs.map(({ index }) => index)).toEqual([0, 1, 2, 3])
  })

  it('and fungible tokens of one transaction come in the order of their tokens', async () => {
    const logs = await logsOf(
      native(10n, {
        tokenTransfers: [...tokens(2_001n, [alice, -1n], [bob, 1n]), ...tokens(2_005n, [alice, -2n], [bob, 2n])],
        nftTransfers: [moved(2_003n, alice, bob, 1n), moved(2_003n, alice, bob, 2n)],
      }),
    )
    expect(logs.map(({ contractId }) => contractId)).toEqual([2_001n, 2_003n, 2_003n, 2_005n])
  })
})

describe('approvals', () => {
  const owned = { tokenId: { tokenNum: token }, owner: { accountNum: alice }, spender: { accountNum: bob } }
  const ofNft = { ...owned, tokenId: { tokenNum: nft } }

  it('are an Approval of an amount, by the payer where no owner is named', async () => {
    const logs = await logsOf(
      native(10n, {
        type: 48,
        payerAccountId: carol,
        cryptoApproveAllowance: {
          tokenAllowances: [
            { ...owned, owner: null, amount: 7n },
            { ...owned, amount: 9n },
          ],
        },
      }),
    )
    const approval = (owner: bigint, value: bigint) => ({
      eventName: 'Approval',
      owner: address(owner),
      spender: address(bob),
      value,
    })
    expect(logs.map((log) => decoded(fungibleAbi, log))).toEqual([approval(alice, 9n), approval(carol, 7n)])
  })

  it('of NFTs are for a serial number, or for all; the last word of a body on a matter counts', async () => {
    const nftAllowances = [
      { ...ofNft, serialNumbers: [3n] },
      { ...ofNft, spender: { accountNum: carol }, serialNumbers: [3n, 4n] },
      { ...ofNft, approvedForAll: true, serialNumbers: [5n] },
    ]
    const logs = await logsOf(native(10n, { type: 48, cryptoApproveAllowance: { nftAllowances } }))
    const one = (tokenId: bigint) => ({
      eventName: 'Approval',
      owner: address(alice),
      approved: address(carol),
      tokenId,
    })
    expect(logs.map((log) => decoded(nftAbi, log))).toEqual([
      { eventName: 'ApprovalForAll', owner: address(alice), operator: address(bob), approved: true },
      one(3n),
      one(4n),
    ])
  })

  it('are withdrawn in favour of nobody', async () => {
    const nftAllowances = [{ tokenId: { tokenNum: nft }, owner: { accountNum: alice }, serialNumbers: [3n] }]
    const logs = await logsOf(native(10n, { type: 49, cryptoDeleteAllowance: { nftAllowances } }))
    expect(logs.map((log) => decoded(nftAbi, log))).toEqual([
      { eventName: 'Approval', owner: address(alice), approved: nobody, tokenId: 3n },
    ])
  })

  it('that failed are no log', async () => {
    const cryptoApproveAllowance = { tokenAllowances: [{ ...owned, amount: 7n }] }
    expect(await logsOf(native(10n, { type: 48, successful: false, result: 7, cryptoApproveAllowance }))).toEqual([])
  })
})

describe('the configuration', () => {
  const own = Buffer.alloc(20, 0xab)
  const approval = {
    owner: { accountNum: alice },
    spender: { accountNum: bob },
    tokenId: { tokenNum: token },
    amount: 7n,
  }
  const pair = (tokenId: bigint) => tokens(tokenId, [alice, -5n], [bob, 5n])
  const story = [
    accountCreated(5n, alice, {}, { record: { evmAddress: own } }),
    native(10n, { tokenTransfers: pair(token), nftTransfers: [moved(nft, alice, bob, 3n)] }),
    native(11n, { tokenTransfers: [...pair(token), ...pair(2_005n)], nftTransfers: [moved(nft, alice, bob, 3n)] }),
    native(12n, { type: 48, cryptoApproveAllowance: { tokenAllowances: [approval] } }),
    called(13n, contract, { logs: [{ contractID: { contractNum: contract }, bloom: Buffer.alloc(256, 1) }] }),
    closed(20n),
  ]
  const logsWith = async (options: Partial<SyntheticLogOptions>) =>
    (await foldedRows(contractLogs({ ...defaultSyntheticLogOptions, ...options }), story))['logs']!
  const places = (logs: readonly Row[]) => logs.map(({ time, index }) => `${time} ${index}`)

  it('has logs made for everything unless it says otherwise', async () => {
    expect(places(await logsWith({}))).toEqual(['10 0', '10 1', '11 2', '11 3', '11 4', '12 5', '13 6'])
  })

  it('may leave out all, and recorded ones count from 0', async () => {
    expect(places(await logsWith({ made: false }))).toEqual(['13 0'])
  })

  it('may leave out those of transactions that move more than two tokens', async () => {
    expect(places(await logsWith({ multiParty: false }))).toEqual(['10 0', '10 1', '12 2', '13 3'])
  })

  it('may have accounts named by their numbers', async () => {
    const [log] = await logsWith({ evmAddresses: false })
    expect(decoded(fungibleAbi, log!)).toEqual(transfer(alice, bob, 5n))
  })

  it('that rows were begun with holds for them, whatever it says later', async () => {
    const log = openSqliteLog({ folder: ':memory:', pollMs: 1 })
    const store = openSqliteReadStore({ folder: ':memory:' })
    for (const [records, made] of [
      [story, false],
      [[native(30n, { tokenTransfers: pair(token) }), closed(40n)], true],
    ] as const) {
      await publish(log, records)
      const projections = [contractLogs({ ...defaultSyntheticLogOptions, made })]
      await runProjections({ log, store, projections, follow: false, strict: true })
    }
    expect(places((await allRowsOf(store, contractLogsProjection.schema))['logs']!)).toEqual(['13 0'])
    await store.close()
    await log.close()
  })
})

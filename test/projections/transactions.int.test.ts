import { beforeEach, describe, expect, it } from 'vitest'
import { decodeInnerIds, decodeNftTransfers, decodeParties, partyFlag } from '#projections/transactions/packing.ts'
import { transactionsProjection } from '#projections/transactions/projection.ts'
import { postingKind, transactionFlag, transactionLists, transactionsSchema } from '#projections/transactions/schema.ts'
import { findEntries } from '#queries/common/lists/list-search.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { listShape } from '#src/runtime/lists/levels.ts'
import { alice, bob, publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { postingsOf } from '#test/support/postings.ts'

const t0 = 1_700_000_000_000_000_000n

describe('the transactions projection', () => {
  let reader: RowReader
  let given: (...events: Parameters<typeof transactionRecorded>[0][]) => Promise<void>

  beforeEach(() => {
    const log = openSqliteLog({ folder: ':memory:' })
    const store = openSqliteReadStore({ folder: ':memory:' })
    given = async (...events) => {
      await publish(
        log,
        events.map((fields) => recordOf('TransactionRecorded', transactionRecorded(fields))),
      )
      await runProjections({ log, store, projections: [transactionsProjection], follow: false, strict: true })
      reader = await store.openReader(transactionsSchema)
    }
  })

  const rows = async (...select: string[]) =>
    (await reader.find({ collection: 'transactions', index: ['consensusTimestamp'], limit: 100, select })).map(
      (row) => ({ ...row }),
    )
  const body = async () => JSON.parse(String((await rows('body'))[0]?.['body'])) as Record<string, unknown>
  const postings = (kind: number, term: bigint) => postingsOf(reader, kind, term)

  it('keeps duplicates as rows of their own that share the id', async () => {
    await given(
      { consensusTimestamp: t0 + 5n, validStartTimestamp: t0 },
      { consensusTimestamp: t0 + 6n, validStartTimestamp: t0, result: 11, nodeAccountId: 4n },
    )
    const byId = await reader.find({
      collection: 'transactions',
      index: ['validStart', 'payer'],
      prefix: [t0, alice],
      limit: 10,
      select: ['consensusTimestamp', 'result'],
    })
    expect(byId.map((row) => ({ ...row }))).toEqual([
      { consensusTimestamp: t0 + 5n, result: 22 },
      { consensusTimestamp: t0 + 6n, result: 11 },
    ])
  })

  it('orders transfers by account and amount and leaves out those marked as mistakes', async () => {
    await given({
      consensusTimestamp: t0,
      transfers: [
        [bob, 2n],
        [alice, -1n],
        [alice, -3n],
      ],
    })
    expect((await body())['transfers']).toEqual([
      { account: '0.0.1001', amount: -3, is_approval: false },
      { account: '0.0.1001', amount: -1, is_approval: false },
      { account: '0.0.1002', amount: 2, is_approval: false },
    ])
  })

  it('writes amounts beyond 2^53 with all digits', async () => {
    await given({
      consensusTimestamp: t0,
      chargedTxFee: 9_223_372_036_854_775_807n,
      transfers: [[alice, -9_223_372_036_854_775_808n]],
    })
    const [row] = await rows('body')
    expect(row?.['body']).toContain('"charged_tx_fee":9223372036854775807')
    expect(row?.['body']).toContain('"amount":-9223372036854775808')
  })

  it('lists staking rewards only when the reward account is among the transfers', async () => {
    const stakingRewards = [{ accountId: alice, amount: 7n }]
    await given({ consensusTimestamp: t0, stakingRewards, transfers: [[800n, -7n]] })
    expect((await body())['staking_reward_transfers']).toEqual([{ account: '0.0.1001', amount: 7 }])
  })

  it('shows absent values as null and present empty ones as empty', async () => {
    await given({ consensusTimestamp: t0, memo: Buffer.alloc(0), maxFee: null, nodeAccountId: null, entityId: 0n })
    expect(await body()).toMatchObject({
      memo_base64: '',
      max_fee: null,
      node: null,
      entity_id: null,
      bytes: null,
      batch_key: null,
      parent_consensus_timestamp: null,
      transaction_id: '0.0.1001-1699999999-000000000',
    })
  })

  it('names types and results it knows, and says UNKNOWN for the others', async () => {
    await given({ consensusTimestamp: t0, type: 60_000, result: 60_000 })
    expect(await body()).toMatchObject({ name: 'UNKNOWN', result: 'UNKNOWN' })
  })

  it('notes how each account takes part', async () => {
    await given({
      consensusTimestamp: t0,
      transfers: [
        [alice, -5n],
        [3n, 5n],
      ],
      tokenTransfers: [
        { tokenId: 9n, accountId: alice, amount: 4n, isApproval: false },
        { tokenId: 9n, accountId: bob, amount: 0n, isApproval: false },
      ],
    })
    const [row] = await rows('parties', 'flags')
    expect(decodeParties(row?.['parties'] as Uint8Array)).toEqual([
      { account: 3n, flags: partyFlag.credit | partyFlag.transfer },
      { account: alice, flags: partyFlag.payer | partyFlag.credit | partyFlag.debit | partyFlag.transfer },
      { account: bob, flags: partyFlag.transfer },
    ])
    expect(row?.['flags']).toBe(transactionFlag.credit | transactionFlag.debit | transactionFlag.success)
  })

  it('does not find by its payer what precedes its parent, except account creations and updates', async () => {
    await given(
      { consensusTimestamp: t0 + 1n, nonce: 1, transfers: [] },
      { consensusTimestamp: t0 + 2n, nonce: 1, type: 11, transfers: [] },
      { consensusTimestamp: t0 + 3n, nonce: 1, parentConsensusTimestamp: t0, transfers: [] },
    )
    expect((await postings(postingKind.account, alice)).map(({ consensusTimestamp }) => consensusTimestamp)).toEqual([
      t0 + 2n,
      t0 + 3n,
    ])
  })

  it('finds transactions by type and failures', async () => {
    await given(
      { consensusTimestamp: t0 + 1n, type: 24 },
      { consensusTimestamp: t0 + 2n, type: 24, result: 10 },
      { consensusTimestamp: t0 + 3n },
    )
    expect(
      (await postings(postingKind.type, 24n)).map(({ consensusTimestamp, success }) => [consensusTimestamp, success]),
    ).toEqual([
      [t0 + 1n, true],
      [t0 + 2n, false],
    ])
    expect((await postings(postingKind.failed, 0n)).map(({ consensusTimestamp }) => consensusTimestamp)).toEqual([
      t0 + 2n,
    ])
  })

  it('keeps accounts that occur only in NFT transfers apart', async () => {
    const nft = { tokenId: 9n, serialNumber: 1n, isApproval: false }
    await given({
      consensusTimestamp: t0,
      nftTransfers: [{ ...nft, senderAccountId: alice, receiverAccountId: 2_000n }],
    })
    expect(await postings(postingKind.nftParty, 2_000n)).toHaveLength(1)
    expect(await postings(postingKind.nftParty, alice)).toHaveLength(0)
    expect(await postings(postingKind.account, 2_000n)).toHaveLength(0)
  })

  it('finds transactions by the tokens that they move or change, once each', async () => {
    await given(
      {
        consensusTimestamp: t0 + 1n,
        type: 37,
        entityId: 9n,
        tokenTransfers: [{ tokenId: 9n, accountId: alice, amount: 5n, isApproval: false }],
      },
      { consensusTimestamp: t0 + 2n, type: 14, entityId: 9n },
      {
        consensusTimestamp: t0 + 3n,
        nftTransfers: [
          { tokenId: 9n, serialNumber: 1n, isApproval: false, senderAccountId: alice, receiverAccountId: bob },
        ],
      },
      { consensusTimestamp: t0 + 4n, type: 36, entityId: 9n, result: 10 },
    )
    expect((await postings(postingKind.token, 9n)).map(({ consensusTimestamp }) => consensusTimestamp)).toEqual([
      t0 + 1n,
      t0 + 3n,
      t0 + 4n,
    ])
  })

  it('keeps the inner ids of a batch', async () => {
    await given({
      consensusTimestamp: t0,
      type: 74,
      innerTransactions: [{ payerAccountId: bob, validStartTimestamp: t0 - 5n }],
    })
    const [row] = await rows('innerIds')
    expect(decodeInnerIds(row?.['innerIds'] as Uint8Array)).toEqual([{ payer: bob, validStart: t0 - 5n }])
  })

  it('keeps assessed fees beside the body, for the detail alone', async () => {
    await given({
      consensusTimestamp: t0,
      assessedCustomFees: [{ amount: 8n, collectorAccountId: bob, tokenId: null, effectivePayerAccountIds: [alice] }],
    })
    expect(await body()).not.toHaveProperty('assessed_custom_fees')
    const [row] = await rows('assessedCustomFees')
    expect(JSON.parse(String(row?.['assessedCustomFees']))).toEqual([
      { amount: 8, collector_account_id: '0.0.1002', effective_payer_account_ids: ['0.0.1001'], token_id: null },
    ])
  })

  it('shows no token transfers and fees of a failed transaction, except where the result is FAIL_INVALID', async () => {
    const lists = {
      successful: false,
      tokenTransfers: [{ tokenId: 9n, accountId: bob, amount: 4n, isApproval: false }],
      assessedCustomFees: [{ amount: 8n, collectorAccountId: bob, tokenId: null, effectivePayerAccountIds: [] }],
    }
    await given({ ...lists, consensusTimestamp: t0, result: 10 }, { ...lists, consensusTimestamp: t0 + 1n, result: 23 })
    const shown = (await rows('body', 'assessedCustomFees')).map((row) => [
      (JSON.parse(String(row['body'])) as { token_transfers: unknown[] }).token_transfers.length,
      row['assessedCustomFees'] !== null,
    ])
    expect(shown).toEqual([
      [0, false],
      [1, true],
    ])
  })

  it('keeps NFT transfers as they are listed, with nobody for 0', async () => {
    const transfer = { tokenId: -7n, serialNumber: 2n ** 63n - 1n, senderAccountId: alice, receiverAccountId: bob }
    const minted = { tokenId: 8n, serialNumber: 1n, senderAccountId: 0n, receiverAccountId: alice }
    const nftTransfers = [
      { ...transfer, isApproval: true },
      { ...minted, isApproval: false },
    ]
    await given({ consensusTimestamp: t0, nftTransfers }, { consensusTimestamp: t0 + 1n })
    const found = (await rows('nftTransfers')).map((row) => row['nftTransfers'] as Uint8Array | null)
    expect(decodeNftTransfers(found[0]!)).toEqual([nftTransfers[0], { ...nftTransfers[1], senderAccountId: null }])
    expect(found[1]).toBeNull()
  })

  it('indexes hashes of 48 and 32 bytes and no others', async () => {
    const hash = (bytes: number) => Buffer.alloc(bytes, bytes)
    await given(
      ...[48, 32, 20].map((bytes, index) => ({ consensusTimestamp: t0 + BigInt(index), transactionHash: hash(bytes) })),
    )
    const checkpoint = (await reader.checkpoint())!
    const source = { name: 'hashes', shape: listShape(transactionLists.hashes) }
    const timesOf = async (bytes: number) => {
      const term = { kind: 0, term: hash(bytes).readBigInt64BE() }
      const entries = await findEntries({ rows: reader, checkpoint, pause: async () => {} }, source, term)
      return entries.map(({ time }) => time)
    }
    expect(await Promise.all([48, 32, 20].map(timesOf))).toEqual([[t0], [t0 + 1n], []])
  })
})

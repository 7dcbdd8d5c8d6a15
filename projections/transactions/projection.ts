import { nftOnlyParties, partiesOf } from '#projections/transactions/parties.ts'
import { PostingWindow } from '#projections/transactions/posting-window.ts'
import { encodeInnerIds, encodeParties, type Party, partyFlag } from '#projections/transactions/postings.ts'
import {
  renderAssessedCustomFees,
  renderTransaction,
  type TransactionFacts,
  transactionFields,
} from '#projections/transactions/render.ts'
import {
  postingKind,
  segmentSize,
  transactionFlag,
  transactionsSchema,
  windowSize,
} from '#projections/transactions/schema.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineProjection, type EventPlace, type FoldedRows } from '#src/runtime/fold/projection.ts'

/**
 * Every transaction as the API shows it, duplicates and children included, and the three ways to it beside time: its id
 * (by valid start and payer), its hash, and posting lists per account, per type and of failures.
 */
export const transactionsProjection = defineProjection(transactionsSchema, {
  orderFree: true,
  window: {
    size: windowSize,
    open: (index) => new PostingWindow(index),
    flush: (window, put) => window.flush(put),
  },
}).on('TransactionRecorded', { reads: transactionFields, apply: applyTransaction })

const failInvalid = 23

/**
 * A failed transaction moves no tokens and assesses no fees, whatever its record lists; only FAIL_INVALID does, since the
 * network once published transfers that way. Where success is unknown, what is listed counts.
 */
function effective(facts: TransactionFacts): TransactionFacts {
  if (facts.successful !== false || facts.result === failInvalid) return facts
  return { ...facts, tokenTransfers: [], nftTransfers: [], assessedCustomFees: [] }
}

function applyTransaction(
  recorded: TransactionFacts,
  rows: FoldedRows<typeof transactionsSchema>,
  { sequence, window }: EventPlace<'TransactionRecorded', PostingWindow>,
): void {
  const facts = effective(recorded)
  const parties = partiesOf(facts)
  const nftParties = facts.nftTransfers.length === 0 ? [] : nftOnlyParties(facts, parties)
  const success = isSuccessCode(facts.result)
  rows.put('transactions', transactionRow(facts, parties, success))
  const hash = hashKey(facts.transactionHash)
  if (hash !== undefined) {
    rows.put('hashes', {
      segment: Math.floor((sequence - 1) / segmentSize),
      hash,
      consensusTimestamp: facts.consensusTimestamp,
    })
  }
  addPostings(facts, parties, nftParties, success, window)
}

function transactionRow(
  facts: TransactionFacts,
  parties: readonly Party[],
  success: boolean,
): RowOf<typeof transactionsSchema, 'transactions'> {
  const { innerTransactions } = facts
  return {
    consensusTimestamp: facts.consensusTimestamp,
    validStart: facts.validStartTimestamp,
    payer: facts.payerAccountId,
    nonce: facts.nonce,
    scheduled: facts.scheduled ? 1 : 0,
    type: facts.type,
    result: facts.result,
    flags: flagsOf(parties, success),
    parties: encodeParties(parties),
    hash: facts.transactionHash,
    innerIds:
      innerTransactions.length === 0
        ? null
        : encodeInnerIds(
            innerTransactions.map(({ payerAccountId, validStartTimestamp }) => ({
              payer: payerAccountId,
              validStart: validStartTimestamp,
            })),
          ),
    body: renderTransaction(facts),
    assessedCustomFees: renderAssessedCustomFees(facts.assessedCustomFees),
  }
}

function flagsOf(parties: readonly Party[], success: boolean): number {
  let flags = success ? transactionFlag.success : 0
  for (const party of parties) {
    if (party.flags & partyFlag.credit) flags |= transactionFlag.credit
    if (party.flags & partyFlag.debit) flags |= transactionFlag.debit
  }
  return flags
}

/** Hashes of the two lengths that the network knows can be looked up. */
function hashKey(hash: Buffer | null): bigint | undefined {
  return hash !== null && (hash.length === 48 || hash.length === 32) ? hash.readBigInt64BE(0) : undefined
}

function addPostings(
  { consensusTimestamp, type }: TransactionFacts,
  parties: readonly Party[],
  nftParties: readonly bigint[],
  success: boolean,
  window: PostingWindow,
): void {
  window.begin({ consensusTimestamp, type, success })
  for (const { account, flags } of parties) window.add(postingKind.account, account, flags)
  for (const account of nftParties) window.add(postingKind.nftParty, account, 0)
  window.add(postingKind.type, BigInt(type), 0)
  if (!success) window.add(postingKind.failed, 0n, 0)
}

import {
  encodeInnerIds,
  encodeNftTransfers,
  encodeParties,
  type Party,
  packPosting,
  partyFlag,
} from '#projections/transactions/packing.ts'
import { nftOnlyParties, partiesOf, tokensOf } from '#projections/transactions/parties.ts'
import {
  renderAssessedCustomFees,
  renderTransaction,
  type TokenMoves,
  type TransactionFacts,
  transactionFields,
} from '#projections/transactions/render.ts'
import { postingKind, transactionFlag, transactionsSchema } from '#projections/transactions/schema.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import { failInvalid } from '#src/events/success.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'

/**
 * Every transaction as the API shows it, duplicates and children included, and the three ways to it beside time: its id
 * (by valid start and payer), its hash, and posting lists per account, per type, of failures and per token.
 */
export const transactionsProjection = defineProjection(transactionsSchema, { orderFree: true }).on(
  'TransactionRecorded',
  { reads: transactionFields, apply: applyTransaction },
)

/**
 * A failed transaction moves no tokens and assesses no fees, whatever its record lists; only FAIL_INVALID does, since the
 * network once published transfers that way. Where success is unknown, what is listed counts.
 */
function movesOf(facts: TransactionFacts): TokenMoves {
  return facts.successful !== false || facts.result === failInvalid ? facts : noMoves
}

const noMoves: TokenMoves = { tokenTransfers: [], nftTransfers: [], assessedCustomFees: [] }

type Rows = FoldedRows<typeof transactionsSchema>

function applyTransaction(facts: TransactionFacts, rows: Rows): void {
  const moves = movesOf(facts)
  const parties = partiesOf(facts, moves)
  const success = isSuccessCode(facts.result)
  rows.put('transactions', transactionRow(facts, moves, parties, success))
  const hash = hashKey(facts.transactionHash)
  if (hash !== undefined) rows.add('hashes', { kind: 0, term: hash, time: facts.consensusTimestamp, payload: 0 })
  addPostings(facts, moves, parties, success, rows)
}

function transactionRow(
  facts: TransactionFacts,
  moves: TokenMoves,
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
    nftTransfers: moves.nftTransfers.length === 0 ? null : encodeNftTransfers(moves.nftTransfers),
    body: renderTransaction(facts, moves),
    assessedCustomFees: renderAssessedCustomFees(moves.assessedCustomFees),
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
  facts: TransactionFacts,
  moves: TokenMoves,
  parties: readonly Party[],
  success: boolean,
  rows: Rows,
): void {
  const { consensusTimestamp: time, type } = facts
  const add = (kind: number, term: bigint, flags: number): void =>
    rows.add('postings', { kind, term, time, payload: packPosting({ type, flags, success }) })
  for (const { account, flags } of parties) add(postingKind.account, account, flags)
  for (const account of nftOnlyParties(moves, parties)) add(postingKind.nftParty, account, 0)
  add(postingKind.type, BigInt(type), 0)
  if (!success) add(postingKind.failed, 0n, 0)
  for (const token of tokensOf(facts, moves)) add(postingKind.token, token, 0)
}

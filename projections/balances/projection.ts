import { create, move, stateBalance, stateExistence } from '#projections/balances/accounts.ts'
import type { BalanceRows, Moment } from '#projections/balances/archive.ts'
import { clockKey } from '#projections/balances/packing/clock.ts'
import { relationChanges, relationFields } from '#projections/balances/relation-changes.ts'
import {
  createRelation,
  endRelation,
  hasRelation,
  keepRelation,
  moveAll,
  moveToken,
  stateRelation,
  stateTokenBalance,
} from '#projections/balances/relations.ts'
import { balancesSchema } from '#projections/balances/schema.ts'
import type { NftTransferEntry, TransactionRecorded } from '#schemas/events/types.ts'
import { readInt64, writeInt64 } from '#src/domain/int64-words.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { contractNumber } from '#src/events/ids.ts'
import { hasMovedTokens, hasSucceeded } from '#src/events/success.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'

const creationFields = ['type', 'entityId', 'record', 'cryptoCreateAccount', 'contractCreateInstance'] as const

type CreationFacts = Pick<TransactionRecorded, (typeof creationFields)[number]>

const none: readonly bigint[] = []

/** Accounts and contracts that begin with a transaction. Facts that came without their body say nothing of it. */
function createdAccounts(facts: CreationFacts, successful: boolean): readonly bigint[] {
  const { type, entityId, record, cryptoCreateAccount, contractCreateInstance } = facts
  if (!successful) return none
  const own =
    (type === transactionType.cryptoCreate && cryptoCreateAccount !== null) ||
    (type === transactionType.contractCreate && contractCreateInstance !== null)
  const result = record?.contractCreateResult ?? record?.contractCallResult
  if (!result) return own && entityId !== null ? [entityId] : none
  const contracts = result.createdContractIDs.map(contractNumber).filter((id) => id !== 0n)
  return own && entityId !== null ? [...new Set([entityId, ...contracts])] : contracts
}

const reads = ['consensusTimestamp', 'transfers', ...creationFields, ...relationFields] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>

function createdOf(facts: Facts & CreationFacts): readonly bigint[] {
  return createdAccounts(facts, hasSucceeded(facts))
}

/** Who holds how much, now and at any instant. */
export const balancesProjection = defineProjection(balancesSchema)
  .on('TransactionRecorded', {
    reads,
    apply: (facts, rows, { sequence }) => {
      const moment = { time: facts.consensusTimestamp, from: BigInt(sequence) }
      for (const account of createdOf(facts)) create(rows, account, moment)
      moveHbar(rows, facts, moment)
      if (hasMovedTokens(facts)) moveTokens(rows, facts, moment)
    },
  })
  .on('EntitySnapshotted', {
    reads: ['entityId', 'type', 'validTo'],
    apply: ({ entityId, type, validTo }, rows, { sequence }) => {
      const isHolder = type === 'ACCOUNT' || type === 'CONTRACT'
      stateExistence(rows, entityId, isHolder && validTo === null, BigInt(sequence))
    },
  })
  .on('AccountBalanceSnapshotted', {
    reads: ['accountId', 'asOf', 'balance', 'balanceTimestamp'],
    apply: ({ accountId, ...stated }, rows, { sequence }) => stateBalance(rows, accountId, stated, BigInt(sequence)),
  })
  .on('TokenAccountSnapshotted', {
    reads: ['accountId', 'tokenId', 'asOf', 'validTo', 'associated'],
    apply: (stated, rows, { sequence }) => stateRelation(rows, stated, BigInt(sequence)),
  })
  .on('TokenBalanceSnapshotted', {
    reads: ['accountId', 'tokenId', 'asOf', 'balance', 'balanceTimestamp'],
    apply: (stated, rows, { sequence }) => stateTokenBalance(rows, stated, BigInt(sequence)),
  })

function moveHbar(rows: BalanceRows, { transfers }: Pick<Facts, 'transfers'>, moment: Moment): void {
  let moved = false
  for (const { accountId, amount, errata } of transfers) {
    if (errata === 'DELETE') continue
    move(rows, accountId, amount, moment)
    moved = true
  }
  if (moved) tick(rows, moment.time, moment.from)
}

/** What begins comes before what is moved, and what ends after it: the record of an end may take the balance away. */
function moveTokens(rows: BalanceRows, facts: Facts, moment: Moment): void {
  const changes = relationChanges(facts)
  if (changes.length + facts.tokenTransfers.length + facts.nftTransfers.length === 0) return
  tick(rows, moment.time, moment.from)
  for (const { account, token, effect } of changes) {
    if (effect === 'create') createRelation(rows, account, token, moment)
    else if (effect === 'keep') keepRelation(rows, account, token, moment)
    else if (effect === 'claim' && !hasRelation(rows, account, token)) createRelation(rows, account, token, moment)
  }
  for (const { accountId, tokenId, amount } of facts.tokenTransfers) moveToken(rows, accountId, tokenId, amount, moment)
  for (const transfer of facts.nftTransfers) moveNft(rows, transfer, moment)
  for (const { account, token, effect } of changes) if (effect === 'end') endRelation(rows, account, token, moment)
}

/** The serial that stands for all that the sender holds, at a change of the treasury. */
const wildcard = -1n

function moveNft(rows: BalanceRows, transfer: NftTransferEntry, moment: Moment): void {
  const { tokenId: token, serialNumber, senderAccountId: sender, receiverAccountId: receiver } = transfer
  if (serialNumber === wildcard && sender && receiver) {
    moveAll(rows, token, sender, receiver, moment)
    return
  }
  if (sender) moveToken(rows, sender, token, -1n, moment)
  if (receiver) moveToken(rows, receiver, token, 1n, moment)
}

/** Times of one chunk: 1 KiB, so that a commit writes one chunk for many transactions. */
const chunkTimes = 128

/** Notes that a balance changed at a time, which is later than all before. */
function tick(rows: FoldedRows<typeof balancesSchema>, time: bigint, from: bigint): void {
  const row = rows.get('clock', clockKey)
  if (row !== undefined && time <= row.newest) return
  const isFull = row === undefined || row.count === chunkTimes
  if (isFull && row !== undefined) rows.put('changeTimes', { first: readInt64(row.tail, 0), times: row.tail })
  const tail = isFull ? new Uint8Array(chunkTimes * 8) : row.tail
  const count = isFull ? 0 : row.count
  // Into the room behind the times that the row from before shows.
  writeInt64(tail, count * 8, time)
  rows.put('clock', { id: clockKey, newest: time, from, count: count + 1, tail })
}

import { approvedLogs, withdrawnLogs } from '#projections/contract-logs/approvals.ts'
import { type DraftLog, draftKind } from '#projections/contract-logs/draft-log.ts'
import type { SyntheticLogOptions } from '#projections/contract-logs/options.ts'
import { packRecordedBloom, type Topics } from '#projections/contract-logs/packing/digits.ts'
import type { FindAddress } from '#projections/contract-logs/synthetic-logs.ts'
import { movedTokens, tokenLogs } from '#projections/contract-logs/token-logs.ts'
import type { FindName } from '#projections/entity-ids/resolve.ts'
import type { ContractFunctionResult, ContractLoginfo, TransactionRecorded } from '#schemas/events/types.ts'
import { trimmedDigits } from '#src/domain/evm-words.ts'
import { hexDigitsOf } from '#src/domain/hex-digits.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { contractNumber } from '#src/events/ids.ts'
import { hasMovedTokens, hasSucceeded } from '#src/events/success.ts'

/** Fields of a transaction that logs depend on. */
export const logFacts = [
  'type',
  'successful',
  'result',
  'nonce',
  'consensusTimestamp',
  'parentConsensusTimestamp',
  'payerAccountId',
  'transactionHash',
  'transactionIndex',
  'entityId',
  'entityEvmAddress',
  'record',
  'tokenTransfers',
  'nftTransfers',
  'cryptoApproveAllowance',
  'cryptoDeleteAllowance',
  'ethereumTransaction',
] as const

export type LogFacts = Pick<TransactionRecorded, (typeof logFacts)[number]>

/** Nearly all transactions say nothing to the EVM, and are passed over. What no stream told of has no known logs. */
export function concernsLogs({ record, type, tokenTransfers, nftTransfers }: LogFacts): boolean {
  if (record === null) return false
  if (tokenTransfers.length > 0 || nftTransfers.length > 0) return true
  if (record.contractCallResult !== null || record.contractCreateResult !== null) return true
  return type === transactionType.cryptoApproveAllowance || type === transactionType.cryptoDeleteAllowance
}

interface DraftOptions {
  /** What the EVM gave back for the transaction itself. */
  readonly result: ContractFunctionResult | null
  /** The network logs itself whatever tokens a call moves. */
  readonly callsLogTokens: boolean
  readonly options: SyntheticLogOptions
  readonly name: FindName
  readonly address: FindAddress
}

/**
 * The logs of a transaction in their order: those made for approvals, for tokens that moved, then the recorded ones. A call
 * has logged its approvals and NFTs itself.
 */
export function draftLogs(facts: LogFacts, context: DraftOptions): DraftLog[] {
  const { result, options } = context
  const logs: DraftLog[] = []
  if (options.made && (options.multiParty || movedTokens(facts) <= fewTokens))
    logs.push(...syntheticLogs(facts, context))
  if (result !== null) logs.push(...result.logInfo.map(recordedLog))
  return logs
}

/** Where logs are not made for more, a transaction moves at most so many tokens. */
const fewTokens = 2

function syntheticLogs(facts: LogFacts, { result, callsLogTokens, name, address }: DraftOptions): DraftLog[] {
  const ofCall = result !== null
  const logs = approvalLogs(facts, { result, name })
  if (hasMovedTokens(facts) && !(ofCall && callsLogTokens)) logs.push(...tokenLogs(facts, { ofCall, find: address }))
  return logs
}

function approvalLogs(facts: LogFacts, { result, name: find }: Pick<DraftOptions, 'result' | 'name'>): DraftLog[] {
  if (result !== null || !hasSucceeded(facts)) return []
  const { type, cryptoApproveAllowance: approve, cryptoDeleteAllowance: withdraw } = facts
  const approver = { payer: facts.payerAccountId, time: facts.consensusTimestamp, find }
  if (type === transactionType.cryptoApproveAllowance && approve !== null) return approvedLogs(approve, approver)
  return type === transactionType.cryptoDeleteAllowance && withdraw !== null ? withdrawnLogs(withdraw, approver) : []
}

function recordedLog({ contractID, topic, data, bloom }: ContractLoginfo): DraftLog {
  const [dataDigits = '', ...all] = hexDigitsOf([data, ...topic])
  const at = (index: number) => {
    const given = all[index]
    return given === undefined ? null : trimmedDigits(given)
  }
  const topics: Topics = [at(0), at(1), at(2), at(3)]
  return {
    kind: draftKind.real,
    contractId: contractNumber(contractID),
    topics,
    data: dataDigits,
    bloom: packRecordedBloom(bloom),
  }
}

import { keyOfContract } from '#projections/entities/changes/contracts.ts'
import { keyChange, numberIfSet, secondsOf } from '#projections/entities/changes/effect.ts'
import { epochDay } from '#projections/entities/changes/staking.ts'
import type { EntitiesSchema } from '#projections/entities/schema.ts'
import { changeEntity, changeInPlace, entityInForce } from '#projections/entities/versions.ts'
import { apiVersion, protocolKey } from '#projections/protocol/version.ts'
import type { ContractFunctionResult, TransactionRecorded } from '#schemas/events/types.ts'
import { decodeEthereumTransaction } from '#src/domain/ethereum-transaction.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { responseCodeName } from '#src/domain/response-codes.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { accountNumber, contractNumber } from '#src/events/ids.ts'
import { hasSucceeded } from '#src/events/success.ts'
import type { FoldedRows, Handler } from '#src/runtime/fold/projection.ts'

const reads = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'entityId',
  'stakingRewards',
  'record',
  'contractBytecode',
  'contractCreateInstance',
  'ethereumTransaction',
] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>
type Rows = FoldedRows<EntitiesSchema>

/** Before this version, contracts that a call created had no record of their own. */
const recordsOfChildrenSince = apiVersion(0, 23)
/** Since this version the record tells the sender's nonce. */
const signerNonceSince = apiVersion(0, 47)

function resultOf({ record }: Facts): ContractFunctionResult | undefined {
  return record?.contractCreateResult ?? record?.contractCallResult ?? undefined
}

/** Whether the event touches anything here. Nearly none does, and its arrays are empty. */
function isConcerned(facts: Facts): boolean {
  return facts.stakingRewards.length > 0 || facts.contractBytecode.length > 0 || resultOf(facts) !== undefined
}

/** Contracts that a call created, by an event that tells of them and of no child that would. */
function createdByCall(facts: Facts, version: number | undefined): bigint[] {
  if (version === undefined || version >= recordsOfChildrenSince || !hasSucceeded(facts)) return []
  const ids = resultOf(facts)?.createdContractIDs.map(contractNumber) ?? []
  return ids.filter((id) => id !== 0n && id !== facts.entityId)
}

/** Contracts and the sender, each with the nonce that the event leaves it with. */
function noncesOf(facts: Facts, version: number | undefined): ReadonlyMap<bigint, bigint> {
  const nonces = new Map<bigint, bigint>()
  const result = resultOf(facts)
  if (result === undefined) return nonces
  for (const { contractId, nonce } of result.contractNonces) nonces.set(contractNumber(contractId), nonce)
  const signerNonce = signerNonceOf(facts, result, version)
  if (signerNonce !== undefined) nonces.set(accountNumber(result.senderId), signerNonce)
  return nonces
}

/** Results with which an Ethereum transaction used up its sender's nonce, besides success. */
const usesNonce: ReadonlySet<string> = new Set(['CONTRACT_REVERT_EXECUTED', 'MAX_CHILD_RECORDS_EXCEEDED'])

function signerNonceOf(facts: Facts, result: ContractFunctionResult, version?: number): bigint | undefined {
  if (facts.type !== transactionType.ethereumTransaction || facts.ethereumTransaction === null) return undefined
  if (result.senderId === null) return undefined
  const nonce = decodeEthereumTransaction(facts.ethereumTransaction.ethereumData)?.nonce
  if (nonce === undefined) return undefined
  if (result.signerNonce !== null) return result.signerNonce
  const isOld = version !== undefined && version < signerNonceSince
  return isOld && (hasSucceeded(facts) || usesNonce.has(responseCodeName(facts.result))) ? nonce + 1n : undefined
}

/** Contracts that the network moved into its state, and says so. */
function migratedContracts({ contractBytecode }: Facts): bigint[] {
  const migrated = contractBytecode.filter(({ migration, bytecode }) => migration && bytecode !== null)
  return migrated.map(({ bytecode }) => contractNumber(bytecode!.contractId)).filter((id) => id !== 0n)
}

/** What a transaction says of entities besides its own: rewards, nonces, and contracts without a record of their own. */
export const otherEntities: Handler<EntitiesSchema, 'TransactionRecorded', (typeof reads)[number]> = {
  reads,
  apply: (facts, rows) => {
    if (!isConcerned(facts)) return
    const { consensusTimestamp: time } = facts
    for (const { accountId } of facts.stakingRewards) noteReward(rows, accountId, time)
    for (const id of migratedContracts(facts)) changeInPlace(rows, id, { type: 'CONTRACT' })
    if (resultOf(facts) === undefined) return
    const version = rows.get('protocol', protocolKey)?.apiVersion
    for (const id of createdByCall(facts, version)) createFromCall(rows, id, facts)
    for (const [id, nonce] of noncesOf(facts, version)) noteNonce(rows, id, nonce, time)
  },
}

/**
 * A paid reward ends the periods that it pays for: the last one counted from is yesterday. An update that changes the stake
 * pays as well, in the same transaction or the one before, and begins today: it wins. A reward alone makes no account known.
 */
function noteReward(rows: Rows, id: bigint, time: bigint): void {
  const known = entityInForce(rows, id)
  if (known === undefined) return
  const yesterday = epochDay(time) - 1n
  const start = known.stakePeriodStart ?? yesterday
  changeEntity(rows, id, time, { stakePeriodStart: start > yesterday ? start : yesterday })
}

function noteNonce(rows: Rows, id: bigint, nonce: bigint, time: bigint): void {
  const before = changeInPlace(rows, id, { ethereumNonce: nonce })
  if (before === undefined) {
    // Its creation may follow in a child of this transaction.
    if (id !== 0n) rows.put('pendingNonces', { id, nonce })
  } else if (before.ethereumNonce !== nonce) rows.put('formerNonces', { id, until: time, nonce: before.ethereumNonce })
}

function createFromCall(
  rows: Rows,
  id: bigint,
  { consensusTimestamp: time, contractCreateInstance: body }: Facts,
): void {
  changeEntity(rows, id, time, {
    type: 'CONTRACT',
    createdTimestamp: entityInForce(rows, id)?.createdTimestamp ?? time,
    deleted: 0,
    maxAutomaticTokenAssociations: 0,
    ethereumNonce: 0n,
    ...(body !== null && {
      ...(body.adminKey === null ? { key: keyOfContract(id), publicKey: null } : keyChange(body.adminKey)),
      autoRenewPeriod: secondsOf(body.autoRenewPeriod),
      proxyAccountId: numberIfSet(body.proxyAccountID),
      memo: withoutNul(body.memo),
    }),
  })
}

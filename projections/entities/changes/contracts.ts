import {
  bit,
  type Effects,
  effect,
  keyChange,
  numberIfSet,
  resolvedIfSet,
  secondsOf,
} from '#projections/entities/changes/effect.ts'
import { stakingAtCreation, stakingAtUpdate } from '#projections/entities/changes/staking.ts'
import { entityIdParts } from '#src/domain/entity-id.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { timeOf } from '#src/events/ids.ts'
import { contractKeyBytes } from '#src/events/key-bytes.ts'

/** What transactions about contracts change. The EVM address comes from entity-ids. */
export const contractEffects: Effects = [
  effect(transactionType.contractCreate, 'create', 'contractCreateInstance', (body, context) => ({
    type: 'CONTRACT',
    ...(body.adminKey === null ? { key: keyOfContract(context.id), publicKey: null } : keyChange(body.adminKey)),
    autoRenewAccountId: context.account(body.autoRenewAccountId) ?? undefined,
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    proxyAccountId: numberIfSet(body.proxyAccountID),
    maxAutomaticTokenAssociations: body.maxAutomaticTokenAssociations,
    memo: withoutNul(body.memo),
    ...stakingAtCreation(body, context),
  })),
  effect(transactionType.contractUpdate, 'update', 'contractUpdateInstance', (body, context) => ({
    type: 'CONTRACT',
    ...keyChange(body.adminKey),
    expirationTimestamp: body.expirationTime === null ? undefined : timeOf(body.expirationTime),
    autoRenewAccountId: resolvedIfSet(body.autoRenewAccountId, context),
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    maxAutomaticTokenAssociations: body.maxAutomaticTokenAssociations ?? undefined,
    proxyAccountId: numberIfSet(body.proxyAccountID),
    memo: memoOf(body),
    ...stakingAtUpdate(body, context),
  })),
  effect(transactionType.contractDelete, 'delete', 'contractDeleteInstance', (body, { account, contract }) => ({
    type: 'CONTRACT',
    obtainerId:
      (body.transferAccountID ? account(body.transferAccountID) : contract(body.transferContractID)) ?? undefined,
    permanentRemoval: bit(body.permanentRemoval),
  })),
]

/** A contract without an administrator is controlled by itself. */
export function keyOfContract(id: bigint): Buffer {
  const { shard: shardNum, realm: realmNum, number: contractNum } = entityIdParts(id)
  return contractKeyBytes({ shardNum, realmNum, contractNum, evmAddress: null })
}

/** The old field without a wrapper can't empty a memo. */
function memoOf({ memo, memoWrapper }: { memo: string | null; memoWrapper: string | null }): string | undefined {
  const text = memoWrapper ?? (memo || null)
  return text === null ? undefined : withoutNul(text)
}

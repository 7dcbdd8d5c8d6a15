import {
  bit,
  type ChangeFacts,
  type Effects,
  type EntityChange,
  effect,
  keyChange,
  numberIfSet,
  secondsOf,
} from '#projections/entities/changes/effect.ts'
import { stakingAtCreation, stakingAtUpdate } from '#projections/entities/changes/staking.ts'
import type { CryptoCreateTransactionBody } from '#schemas/events/types.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { evmAddressBytes } from '#src/domain/evm-address.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { timeOf } from '#src/events/ids.ts'

/** What transactions about accounts change. Alias and EVM address come from entity-ids. */
export const accountEffects: Effects = [
  effect(transactionType.cryptoCreate, 'create', 'cryptoCreateAccount', (body, context, facts) => ({
    type: 'ACCOUNT',
    ...keyOfNewAccount(body, facts),
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    proxyAccountId: numberIfSet(body.proxyAccountID),
    maxAutomaticTokenAssociations: body.maxAutomaticTokenAssociations,
    memo: withoutNul(body.memo),
    receiverSigRequired: bit(body.receiverSigRequired),
    delegationAddress: nonEmpty(body.delegationAddress),
    ...stakingAtCreation(body, context),
  })),
  effect(transactionType.cryptoUpdate, 'update', 'cryptoUpdateAccount', (body, context) => ({
    type: 'ACCOUNT',
    ...keyChange(body.key),
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    expirationTimestamp: body.expirationTime === null ? undefined : timeOf(body.expirationTime),
    maxAutomaticTokenAssociations: body.maxAutomaticTokenAssociations ?? undefined,
    memo: body.memo === null ? undefined : withoutNul(body.memo),
    proxyAccountId: numberIfSet(body.proxyAccountID),
    receiverSigRequired: receiverSigRequired(body),
    delegationAddress: nonEmpty(body.delegationAddress),
    ...stakingAtUpdate(body, context),
  })),
  effect(transactionType.cryptoDelete, 'delete', 'cryptoDelete', (body, { account }) => ({
    type: 'ACCOUNT',
    obtainerId: account(body.transferAccountID) ?? undefined,
  })),
]

/** An alias that is a key is the account's key, unless the body has another. */
function keyOfNewAccount(body: CryptoCreateTransactionBody, { record }: ChangeFacts): EntityChange {
  if (body.key !== null) return keyChange(body.key)
  const alias = nonEmpty(record?.alias) ?? body.alias
  return alias.length > evmAddressBytes ? { key: alias, publicKey: publicKeyOfAlias(alias) } : {}
}

/** The key inside of a serialized Key that is a simple one: tag and length take two bytes. */
function publicKeyOfAlias(alias: Uint8Array): string | null {
  const hex = asBuffer(alias).toString('hex')
  return /^(1220.{64}|3a21.{66})$/.test(hex) ? hex.slice(4) : null
}

/** The old field without a wrapper can't say false. */
function receiverSigRequired(body: {
  readonly receiverSigRequiredWrapper: boolean | null
  readonly receiverSigRequired: boolean | null
}): number | undefined {
  if (body.receiverSigRequiredWrapper !== null) return bit(body.receiverSigRequiredWrapper)
  return body.receiverSigRequired ? 1 : undefined
}

function nonEmpty(bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes && bytes.length > 0 ? bytes : undefined
}

import type { EntityRow } from '#projections/entities/schema.ts'
import type { AccountID, BodyField, ContractID, Duration, Key, TransactionRecorded } from '#schemas/events/types.ts'
import { accountNumber } from '#src/events/ids.ts'
import { keyBytes, publicKeyOf } from '#src/events/key-bytes.ts'

/** What an event changes of an entity. What is undefined or absent stays; null clears. */
export type EntityChange = {
  readonly [F in Exclude<keyof EntityRow, 'id' | 'from' | 'previous'>]?: EntityRow[F] | undefined
}

/** What a change is made with besides the body. */
export interface ChangeContext {
  readonly id: bigint
  /** Consensus time, ns. */
  readonly time: bigint
  /** The entity that an id of the body names; null when there is none. */
  readonly account: (id: AccountID | null) => bigint | null
  readonly contract: (id: ContractID | null) => bigint | null
  /** Whether the ledger has staking: before, the fields said nothing. */
  readonly staking: boolean
}

/** Fields of the event besides the body that changes are made of. */
export type ChangeFacts = Pick<TransactionRecorded, 'record'>

/** What transactions of one type do to the entity that they are about. */
export interface EntityEffect {
  /** create: it exists since then. update: it is there, even if it was deleted. delete: it is deleted. */
  readonly does: 'create' | 'update' | 'delete'
  readonly body: BodyField
  readonly change: (body: never, context: ChangeContext, facts: ChangeFacts) => EntityChange
}

/** Effects by transaction type. */
export type Effects = readonly (readonly [transactionType: number, effect: EntityEffect])[]

/** One entry of a table of effects, with the type of its body. */
export function effect<F extends BodyField>(
  transactionType: number,
  does: EntityEffect['does'],
  body: F,
  change: (body: NonNullable<TransactionRecorded[F]>, context: ChangeContext, facts: ChangeFacts) => EntityChange,
): Effects[number] {
  return [transactionType, { does, body, change: change as EntityEffect['change'] }]
}

/** A key, and what the entity is searched by from then on; nothing where the body has none. */
export function keyChange(key: Key | null): EntityChange {
  return key === null ? {} : { key: keyBytes(key), publicKey: publicKeyOf(key) }
}

export function secondsOf(duration: Duration | null): bigint | undefined {
  return duration?.seconds
}

/** A truth value as rows have it. */
export function bit(value: boolean): number {
  return value ? 1 : 0
}

/** The number of an account that the body sets, 0 where it sets none; undefined where it says nothing. */
export function numberIfSet(id: AccountID | null): bigint | undefined {
  return id === null ? undefined : accountNumber(id)
}

/** As numberIfSet, by alias or address too; undefined as well where nobody is found under it. */
export function resolvedIfSet(id: AccountID | null, { account }: ChangeContext): bigint | undefined {
  if (id === null) return undefined
  return account(id) ?? (id.alias === null ? 0n : undefined)
}

import {
  keysOf,
  mergedNames,
  type Names,
  namesOfAccount,
  namesOfContract,
  noNames,
  sameBytes,
} from '#projections/entity-ids/names.ts'
import { idOf } from '#projections/entity-ids/resolve.ts'
import { type EntityIdSchema, entityIdCollections, holderAt, type NameRow } from '#projections/entity-ids/schema.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { hasSucceeded } from '#src/events/success.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

const reads = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'entityId',
  'entityEvmAddress',
  'record',
  'cryptoCreateAccount',
  'cryptoUpdateAccount',
  'cryptoDelete',
  'contractCreateInstance',
  'contractUpdateInstance',
  'contractDeleteInstance',
  'systemDelete',
  'systemUndelete',
] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>

/** What a type does to the names of its entity. An update of what was deleted brings it back. */
interface NameEffect {
  /** Facts that came without their body say nothing about names. */
  readonly body: keyof Facts
  readonly does: 'take' | 'release' | 'retake'
  /** Names that it gives. */
  readonly names?: (facts: Facts) => Names
}

const effects: readonly (NameEffect | undefined)[] = tableOf([
  [transactionType.contractCreate, { body: 'contractCreateInstance', does: 'take', names: namesOfContract }],
  [transactionType.contractUpdate, { body: 'contractUpdateInstance', does: 'retake' }],
  [transactionType.cryptoCreate, { body: 'cryptoCreateAccount', does: 'take', names: namesOfAccount }],
  [transactionType.cryptoDelete, { body: 'cryptoDelete', does: 'release' }],
  [transactionType.cryptoUpdate, { body: 'cryptoUpdateAccount', does: 'retake' }],
  [transactionType.systemDelete, { body: 'systemDelete', does: 'release' }],
  [transactionType.systemUndelete, { body: 'systemUndelete', does: 'retake' }],
  [transactionType.contractDelete, { body: 'contractDeleteInstance', does: 'release' }],
])

/** By type number: nearly all transactions are passed over with one look. */
function tableOf(entries: readonly (readonly [type: number, effect: NameEffect])[]): (NameEffect | undefined)[] {
  const table: (NameEffect | undefined)[] = []
  for (const [type, effect] of entries) table[type] = effect
  return table
}

function effectOf(facts: Facts): NameEffect | undefined {
  const effect = effects[facts.type]
  return effect !== undefined && facts[effect.body] !== null && hasSucceeded(facts) ? effect : undefined
}

/** Names after the transaction, from what was known of its entity. */
function namesAfter(facts: Facts, { names }: NameEffect, known: Names | undefined): Names {
  return mergedNames(known, names?.(facts) ?? noNames)
}

type Rows = FoldedRows<EntityIdSchema>

/** Gives a name to an entity from `since`, unless another one that lives has it and the entity only comes back. */
function take(rows: Rows, name: Uint8Array, id: bigint, time: bigint, does: NameEffect['does']): void {
  const row = rows.get('entityNames', name)
  const holder = holderAt(row, time)
  if (holder === id || (does === 'retake' && holder !== undefined)) return
  rows.put('entityNames', { name, id, from: time, until: null })
}

function release(rows: Rows, name: Uint8Array, id: bigint, time: bigint): void {
  const row = rows.get('entityNames', name)
  if (row?.id === id && row.until === null) rows.put('entityNames', { ...row, until: time })
}

/**
 * Which entity an alias or an EVM address names, and back. Several read models need it; each embeds its own copy, since
 * none may read another one's rows. Long-zero addresses are numbers and need no row.
 */
export const entityIds = defineProjection(
  defineSchema({ name: 'entity-ids', version: 1, collections: entityIdCollections }),
)
  .on('TransactionRecorded', {
    reads,
    apply: (facts, rows) => {
      const effect = effectOf(facts)
      if (effect === undefined) return
      const { entityId, entityEvmAddress, consensusTimestamp: time } = facts
      const id = idOf({ id: entityId, address: entityEvmAddress }, (name) => rows.get('entityNames', name), time)
      if (id === null) return
      const names = namesAfter(facts, effect, rows.get('namedEntities', id))
      const keys = keysOf(names)
      if (keys.length === 0) return
      for (const name of keys) {
        if (effect.does === 'release') release(rows, name, id, time)
        else take(rows, name, id, time, effect.does)
      }
      if (effect.does === 'take') rows.put('namedEntities', { id, ...names })
    },
  })
  .on('EntitySnapshotted', {
    reads: ['entityId', 'asOf', 'validTo', 'deleted', 'alias', 'evmAddress'],
    apply: ({ entityId: id, asOf, validTo, deleted, alias, evmAddress }, rows) => {
      const known = rows.get('namedEntities', id)
      const keys = keysOf({ alias, evmAddress })
      for (const old of known ? keysOf(known) : [])
        if (!keys.some((key) => sameBytes(key, old))) release(rows, old, id, asOf)
      const until = deleted ? asOf : validTo
      for (const name of keys) {
        const row = nameOfSnapshot(rows.get('entityNames', name), { name, id, from: asOf, until })
        if (row) rows.put('entityNames', row)
      }
      if (known || keys.length > 0) rows.put('namedEntities', { id, alias, evmAddress })
    },
  })

/** What a statement makes of a name's row: one about the past takes no name from who has it now. */
function nameOfSnapshot(row: NameRow | undefined, stated: NameRow): NameRow | undefined {
  if (row === undefined) return stated
  if (row.id !== stated.id) return stated.until === null || row.until !== null ? stated : undefined
  return row.from < stated.from ? { ...stated, from: row.from } : stated
}

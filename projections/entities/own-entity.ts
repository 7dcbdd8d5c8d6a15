import type { ChangeContext, EntityChange, EntityEffect } from '#projections/entities/changes/effect.ts'
import { effectsByType } from '#projections/entities/changes/table.ts'
import type { EntitiesSchema } from '#projections/entities/schema.ts'
import { changeEntity, entityInForce } from '#projections/entities/versions.ts'
import { accountIdOf, contractIdOf, type FindName, idOf } from '#projections/entity-ids/resolve.ts'
import { apiVersion, protocolKey } from '#projections/protocol/version.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { hasSucceeded } from '#src/events/success.ts'
import type { Handler } from '#src/runtime/fold/projection.ts'

const reads = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'entityId',
  'entityEvmAddress',
  'record',
  'contractCreateInstance',
  'contractUpdateInstance',
  'contractDeleteInstance',
  'cryptoCreateAccount',
  'cryptoUpdateAccount',
  'cryptoDelete',
  'fileCreate',
  'fileUpdate',
  'fileDelete',
  'systemDelete',
  'systemUndelete',
  'consensusCreateTopic',
  'consensusUpdateTopic',
  'consensusDeleteTopic',
  'tokenCreation',
  'tokenUpdate',
  'tokenDeletion',
  'scheduleCreate',
  'scheduleDelete',
] as const

type Field = (typeof reads)[number]
type Facts = Pick<TransactionRecorded, Field>

/** Fields of staking count since this version of the ledger's API. */
const stakingSince = apiVersion(0, 27)

/** What the event does to its entity; nothing where it failed, or came without the body that would say what. */
function effectOf(facts: Facts): EntityEffect | undefined {
  const effect = effectsByType[facts.type]
  return effect !== undefined && facts[effect.body as Field] !== null && hasSucceeded(facts) ? effect : undefined
}

function subjectOf({ entityId, entityEvmAddress, consensusTimestamp: time }: Facts, find: FindName): bigint | null {
  return idOf({ id: entityId, address: entityEvmAddress }, find, time)
}

function contextOf({ consensusTimestamp: time }: Facts, id: bigint, find: FindName, version?: number): ChangeContext {
  return {
    id,
    time,
    account: (named) => accountIdOf(named, find, time),
    contract: (named) => contractIdOf(named, find, time),
    staking: version === undefined || version >= stakingSince,
  }
}

function bodyChange(effect: EntityEffect, facts: Facts, context: ChangeContext): EntityChange {
  return effect.change(facts[effect.body as Field] as never, context, facts)
}

/** The change that a transaction makes to the entity that it is about. */
export const ownEntity: Handler<EntitiesSchema, 'TransactionRecorded', Field> = {
  reads,
  apply: (facts, rows) => {
    const effect = effectOf(facts)
    if (effect === undefined) return
    const find: FindName = (name) => rows.get('entityNames', name)
    const id = subjectOf(facts, find)
    if (id === null) return
    const time = facts.consensusTimestamp
    const version = rows.get('protocol', protocolKey)?.apiVersion
    const change = bodyChange(effect, facts, contextOf(facts, id, find, version))
    if (effect.does !== 'create') {
      changeEntity(rows, id, time, { ...change, deleted: effect.does === 'delete' ? 1 : 0 })
      return
    }
    const before = entityInForce(rows, id)
    const named = rows.get('namedEntities', id)
    const pending = rows.get('pendingNonces', id)
    if (pending) rows.remove('pendingNonces', id)
    changeEntity(rows, id, time, {
      ...change,
      deleted: 0,
      createdTimestamp: before?.createdTimestamp ?? time,
      alias: named?.alias,
      evmAddress: named?.evmAddress,
      ethereumNonce: pending?.nonce ?? before?.ethereumNonce ?? firstNonce(change),
    })
  },
}

/** Accounts and contracts have a nonce from the start. */
function firstNonce({ type }: EntityChange): bigint | undefined {
  return type === 'ACCOUNT' || type === 'CONTRACT' ? 0n : undefined
}

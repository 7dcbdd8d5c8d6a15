import {
  emptyAccountBalanceSnapshotted,
  emptyContractSnapshotted,
  emptyContractStateSnapshotted,
  emptyEntitySnapshotted,
  emptyFileSnapshotted,
} from '#schemas/events/defaults.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
import { evmAddressOfAlias } from '#src/domain/evm-address.ts'
import { trimmedWord } from '#src/domain/evm-words.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { saturatingLedgerTime } from '#src/domain/ledger-time.ts'
import { simpleKeyHex } from '#src/domain/public-key.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { readId } from '#src/importer/block/records/ids.ts'
import { type MapChange, mapChanges, stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { BlockTransactions } from '#src/importer/block/records/transactions.ts'
import type { EventDraft } from '#src/importer/publish/event-draft.ts'

/**
 * The first entities of a ledger: what the state of its first block holds that none of its transactions has brought. History before block
 * streams begins with accounts, files and contracts that were there before the first record file.
 */
export function genesisState({ transactions, stateChanges }: BlockTransactions, fail: Fail): EventDraft[] {
  const times = new Set<bigint>(transactions.map(({ result }) => result.time))
  const drafts: EventDraft[] = []
  for (const [time, items] of stateChanges) {
    if (times.has(time)) continue
    for (const item of items)
      for (const change of mapChanges(item, fail)) drafts.push(...statementsOf(change, time, fail))
  }
  return drafts
}

type Statements = (change: MapChange & { readonly value: Buffer }, asOf: bigint, fail: Fail) => EventDraft[]

const statementsByState: Readonly<Record<number, Statements>> = {
  [stateId.accounts]: ({ value }, asOf, fail) => accountStatements(value, asOf, fail),
  [stateId.files]: ({ value }, asOf, fail) => fileStatements(value, asOf, fail),
  [stateId.bytecode]: codeStatements,
  [stateId.storage]: slotStatements,
}

function statementsOf(change: MapChange, asOf: bigint, fail: Fail): EventDraft[] {
  const { value } = change
  return value === undefined ? [] : (statementsByState[change.state]?.({ ...change, value }, asOf, fail) ?? [])
}

function accountStatements(value: Buffer, asOf: bigint, fail: Fail): EventDraft[] {
  const { entityId, balance, ...entity } = readAccount(value, asOf, fail)
  if (entityId === undefined) return []
  return [
    entityDraft({ ...entity, entityId }, asOf),
    {
      type: 'AccountBalanceSnapshotted',
      event: { ...emptyAccountBalanceSnapshotted(), accountId: entityId, asOf, balance, balanceTimestamp: asOf },
      key: `snapshot/balance/${entityId}/${asOf}`,
      time: asOf,
    },
  ]
}

type Entity = ReturnType<typeof emptyEntitySnapshotted>

function entityDraft(event: Entity, asOf: bigint): EventDraft {
  return { type: 'EntitySnapshotted', event, key: `snapshot/entity/${event.entityId}/${asOf}`, time: asOf }
}

/** A state's Account, which contracts are, too. */
function readAccount(
  value: Buffer,
  asOf: bigint,
  fail: Fail,
): Omit<Entity, 'entityId'> & { entityId: bigint | undefined; balance: bigint } {
  const entity: Entity = {
    ...emptyEntitySnapshotted(),
    type: 'ACCOUNT',
    asOf,
    deleted: false,
    receiverSigRequired: false,
    maxAutomaticTokenAssociations: 0,
    ethereumNonce: 0n,
  }
  let entityId: bigint | undefined
  let balance = 0n
  const fields = new FieldReader(value, fail)
  while (fields.next()) {
    const { field } = fields
    if (field === 1) entityId = idIn(fields.bytes(), fail)
    else if (field === 2) Object.assign(entity, aliasFields(fields.bytes()))
    else if (field === 3) Object.assign(entity, keyFields(fields.bytes()))
    else if (field === 4) entity.expirationTimestamp = saturatingLedgerTime(fields.int64(), 0)
    else if (field === 5) balance = fields.int64()
    else if (field === 6) entity.memo = fields.bytes().toString('utf8')
    else if (field === 7) entity.deleted = fields.int32() !== 0
    else if (field === 10) entity.stakedAccountId = idIn(fields.bytes(), fail) ?? null
    else if (field === 11) entity.stakedNodeId = fields.int64()
    else if (field === 12) entity.declineReward = fields.int32() !== 0
    else if (field === 13) entity.receiverSigRequired = fields.int32() !== 0
    else if (field === 18) entity.maxAutomaticTokenAssociations = fields.int32()
    else if (field === 21 && fields.int32() !== 0) entity.type = 'CONTRACT'
    else if (field === 23) entity.ethereumNonce = fields.int64()
    else if (field === 25) entity.autoRenewAccountId = idIn(fields.bytes(), fail) ?? null
    else if (field === 26) entity.autoRenewPeriod = fields.int64()
    else if (field === 39) entity.delegationAddress = Buffer.from(fields.bytes())
  }
  // The address of a contract is no alias of it.
  if (entity.type === 'CONTRACT') entity.alias = null
  return { ...entity, entityId, balance }
}

function aliasFields(alias: Buffer): Partial<Entity> {
  if (alias.length === 0) return {}
  const address = evmAddressOfAlias(alias)
  return { alias: Buffer.from(alias), evmAddress: address === null ? null : Buffer.from(asBuffer(address)) }
}

function keyFields(key: Buffer): Partial<Entity> {
  return { key: Buffer.from(key), publicKey: simpleKeyHex(key) ?? null }
}

function fileStatements(value: Buffer, asOf: bigint, fail: Fail): EventDraft[] {
  const entity: Entity = { ...emptyEntitySnapshotted(), type: 'FILE', asOf, deleted: false }
  let entityId: bigint | undefined
  let contents: Buffer = Buffer.alloc(0)
  const fields = new FieldReader(value, fail)
  while (fields.next()) {
    const { field } = fields
    if (field === 1) entityId = idIn(fields.bytes(), fail)
    else if (field === 2) entity.expirationTimestamp = saturatingLedgerTime(fields.int64(), 0)
    else if (field === 3) entity.key = Buffer.from(fields.bytes())
    else if (field === 4) contents = Buffer.from(fields.bytes())
    else if (field === 5) entity.memo = fields.bytes().toString('utf8')
    else if (field === 6) entity.deleted = fields.int32() !== 0
  }
  if (entityId === undefined) return []
  return [
    entityDraft({ ...entity, entityId }, asOf),
    {
      type: 'FileSnapshotted',
      event: { ...emptyFileSnapshotted(), fileId: entityId, asOf, contents },
      key: `snapshot/file/${entityId}/${asOf}`,
      time: asOf,
    },
  ]
}

function codeStatements(
  { key, value }: { readonly key: Buffer; readonly value: Buffer },
  asOf: bigint,
  fail: Fail,
): EventDraft[] {
  const contractId = idIn(key, fail)
  if (contractId === undefined) return []
  const runtimeBytecode = Buffer.from(fieldValue(value, 1, fail) ?? [])
  return [
    {
      type: 'ContractSnapshotted',
      event: { ...emptyContractSnapshotted(), contractId, asOf, runtimeBytecode },
      key: `snapshot/contract/${contractId}/${asOf}`,
      time: asOf,
    },
  ]
}

function slotStatements(
  { key, value }: { readonly key: Buffer; readonly value: Buffer },
  asOf: bigint,
  fail: Fail,
): EventDraft[] {
  const contractId = idIn(fieldValue(key, 1, fail), fail)
  if (contractId === undefined) return []
  const [slot, held] = [fieldValue(key, 2, fail), fieldValue(value, 1, fail)].map((word) =>
    Buffer.from(trimmedWord(word ?? Buffer.alloc(0))),
  ) as [Buffer, Buffer]
  return [
    {
      type: 'ContractStateSnapshotted',
      event: { ...emptyContractStateSnapshotted(), contractId, slot, asOf, value: held, createdTimestamp: asOf },
      key: `snapshot/contract-state/${contractId}/${slot.toString('hex')}/${asOf}`,
      time: asOf,
    },
  ]
}

function idIn(message: Buffer | undefined, fail: Fail): bigint | undefined {
  const id = readId(message, fail)
  return id?.number === undefined ? undefined : entityIdOf(id.shard, id.realm, id.number)
}

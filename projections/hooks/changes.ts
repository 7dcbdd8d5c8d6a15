import { accountIdOf, contractIdOf, type FindName, idOf } from '#projections/entity-ids/resolve.ts'
import { type CalledHook, calledHooks, decodeCalls, encodeCalls } from '#projections/hooks/executions.ts'
import type { hooksSchema } from '#projections/hooks/schema.ts'
import { padWord, type SlotChange, writtenSlots } from '#projections/hooks/storage-updates.ts'
import type {
  ContractStateChangesSidecar,
  EvmHookStorageUpdate,
  HookCreationDetails,
  HookStoreTransactionBody,
  TransactionRecorded,
} from '#schemas/events/types.ts'
import { entityIdParts } from '#src/domain/entity-id.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { contractNumber } from '#src/events/ids.ts'
import { keyBytes } from '#src/events/key-bytes.ts'
import { hasSucceeded } from '#src/events/success.ts'
import type { RowOf } from '#src/ports/read-store.ts'

/** Fields of a transaction that hooks depend on. */
export const hookFacts = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'parentConsensusTimestamp',
  'entityId',
  'entityEvmAddress',
  'cryptoCreateAccount',
  'cryptoUpdateAccount',
  'contractCreateInstance',
  'contractUpdateInstance',
  'hookStore',
  'cryptoTransfer',
  'contractStateChanges',
] as const

type Facts = Pick<TransactionRecorded, (typeof hookFacts)[number]>

export type QueueRow = RowOf<typeof hooksSchema, 'executions'>

/** Key of the only row of the queue. */
export const queueSlot = 0

export interface CreatedHook {
  readonly owner: bigint
  readonly hookId: bigint
  readonly contractId: bigint | null
  readonly extensionPoint: number
  readonly adminKey: Buffer | null
}

/** What a transaction does to hooks, in this order. */
export interface HookChanges {
  readonly deleted?: readonly { readonly owner: bigint; readonly hookId: bigint }[]
  readonly created?: readonly CreatedHook[]
  readonly slots?: readonly SlotChange[]
  /** The queue of executions from now on; null where none is left. */
  readonly queue?: QueueRow | null
}

/** Finds rows. */
export interface Found {
  readonly name: FindName
  readonly queue: () => QueueRow | undefined
}

/** What a transaction does to hooks; undefined for nearly all, which are passed over with a look at their type. */
export function hookChanges(facts: Facts, found: Found): HookChanges | undefined {
  switch (facts.type) {
    case transactionType.cryptoTransfer:
      return openedQueue(facts, found)
    case transactionType.contractCall:
      return executed(facts, found)
    case transactionType.cryptoCreate:
      return defined(facts, facts.cryptoCreateAccount, found)
    case transactionType.cryptoUpdate:
      return defined(facts, facts.cryptoUpdateAccount, found)
    case transactionType.contractCreate:
      return defined(facts, facts.contractCreateInstance, found)
    case transactionType.contractUpdate:
      return defined(facts, facts.contractUpdateInstance, found)
    case transactionType.hookStore:
      return facts.hookStore && hasSucceeded(facts) ? stored(facts.hookStore, facts, found) : undefined
    default:
      return undefined
  }
}

interface DefiningBody {
  readonly hookIdsToDelete?: readonly bigint[]
  readonly hookCreationDetails: readonly HookCreationDetails[]
}

/** Deletions of a body come before its creations, wherever they stand. */
function defined(facts: Facts, body: DefiningBody | null, { name }: Found): HookChanges | undefined {
  if (body === null) return undefined
  const { hookIdsToDelete = [], hookCreationDetails: details } = body
  if ((hookIdsToDelete.length === 0 && details.length === 0) || !hasSucceeded(facts)) return undefined
  const { entityId, entityEvmAddress, consensusTimestamp: time } = facts
  const owner = idOf({ id: entityId, address: entityEvmAddress }, name, time)
  if (owner === null) return undefined
  return {
    deleted: hookIdsToDelete.map((hookId) => ({ owner, hookId })),
    created: details.flatMap((each) => createdHook(each, owner, name, time)),
    slots: details.flatMap(({ hookId, evmHook }) =>
      evmHook?.spec?.contractId ? slotChanges(evmHook.storageUpdates, owner, hookId) : [],
    ),
  }
}

/** None without an EVM variant that names its contract: such a hook can't run, and the established service passes over it. */
function createdHook(details: HookCreationDetails, owner: bigint, find: FindName, time: bigint): CreatedHook[] {
  const { hookId, extensionPoint, evmHook, adminKey } = details
  const contract = evmHook?.spec?.contractId ?? null
  if (contract === null) return []
  const contractId = contractIdOf(contract, find, time)
  return [{ owner, hookId, contractId, extensionPoint, adminKey: adminKey && keyBytes(adminKey) }]
}

function stored(
  { hookId: hook, storageUpdates }: HookStoreTransactionBody,
  facts: Facts,
  { name }: Found,
): HookChanges {
  const { accountId, contractId } = hook?.entityId ?? { accountId: null, contractId: null }
  const time = facts.consensusTimestamp
  const owner = accountId ? accountIdOf(accountId, name, time) : contractIdOf(contractId, name, time)
  return hook === null || owner === null ? {} : { slots: slotChanges(storageUpdates, owner, hook.hookId) }
}

/** What was there before is not said: the value written stands for both, as established clients know it. */
function slotChanges(updates: readonly EvmHookStorageUpdate[], owner: bigint, hookId: bigint): SlotChange[] {
  return writtenSlots(updates).map(({ key, value }) => ({ owner, hookId, key, valueRead: value, valueWritten: value }))
}

function openedQueue({ cryptoTransfer, consensusTimestamp: parent }: Facts, { name }: Found): HookChanges | undefined {
  const calls = cryptoTransfer && calledHooks(cryptoTransfer, name, parent)
  return calls ? { queue: queueOf(parent, calls) } : undefined
}

function queueOf(parent: bigint, calls: readonly CalledHook[]): QueueRow | null {
  return calls.length === 0 ? null : { slot: queueSlot, parent, calls: encodeCalls(calls) }
}

/** The contract that stands for a hook while it runs: the hook's storage is said to be that contract's. */
const hooksContract = 365n

/** Each state change of the hooks contract is of the next hook in the queue of the transfer that the call belongs to. */
function executed(facts: Facts, { queue }: Found): HookChanges | undefined {
  const { parentConsensusTimestamp: parent, entityId, contractStateChanges } = facts
  if (parent === null || entityId === null || entityIdParts(entityId).number !== hooksContract) return undefined
  const changes = changesOfHooks(contractStateChanges)
  const row = queue()
  if (changes.length === 0 || row?.parent !== parent) return undefined
  const calls = decodeCalls(row.calls)
  const slots = changes.flatMap(({ storageChanges }, index) => {
    const hook = calls[index]
    if (hook === undefined || hook.owner === 0n) return []
    return storageChanges.map(({ slot, valueRead, valueWritten }) => ({
      ...hook,
      key: padWord(slot),
      valueRead,
      valueWritten,
    }))
  })
  return { slots, queue: queueOf(parent, calls.slice(changes.length)) }
}

function changesOfHooks(sidecars: readonly ContractStateChangesSidecar[]) {
  return sidecars
    .flatMap(({ stateChanges }) => stateChanges?.contractStateChanges ?? [])
    .filter(({ contractId }) => entityIdParts(contractNumber(contractId)).number === hooksContract)
}

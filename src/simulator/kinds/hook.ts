import { updated } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { createHook, deleteHook, freeHookId, type SlotWrite, someWrites, writeSlots } from '#src/simulator/hooks.ts'
import { accountId, accounts, contractId, hexBytes } from '#src/simulator/ids.ts'
import { createAccount, creationOf } from '#src/simulator/kinds/new-account.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Account, Contract, Holder, Hook } from '#src/simulator/ledger-state.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** The hooks that are asked for lie with the busiest users, so that finding one does not take a walk through all. */
const busiest = 500
const wealth = 1_000_000_000

interface Owned {
  readonly owner: Holder
  readonly hook: Hook
  readonly payer: number
  readonly entityId: Message
}

/** Binds a contract to an account as a hook; sometimes an empty hook of the same or another number goes. */
export const hookCreate: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  const user = world.user()
  if (!contract || user.balance < wealth) return undefined
  return bind(world, user, contract, user.num, (fields) => ({
    cryptoUpdateAccount: { accountIDToUpdate: accountId(user.num), ...fields },
  }))
}

/** The same for a contract as owner. */
export const contractHookCreate: Kind = (world) => {
  const owner = world.some(world.state.contracts.filter(({ admin }) => admin !== null))
  const contract = world.some(world.state.contracts)
  if (!owner || !contract) return undefined
  const payer = world.payer()
  const bound = bind(world, owner, contract, payer, (fields) => ({
    contractUpdateInstance: { contractID: contractId(owner.num), ...fields },
  }))
  return bound && { ...bound, signers: [owner.admin ?? payer], receipt: { contractID: contractId(owner.num) } }
}

function bind(
  world: World,
  owner: Holder,
  contract: Contract,
  payer: number,
  bodyOf: (fields: Message) => Message,
): Submission | undefined {
  const changes: LedgerChange[] = [updated(owner.num, {})]
  const empty = owner.hooks.find(({ slots }) => Object.keys(slots).length === 0)
  const replaced = empty && world.prng.chance(0.4) ? empty : undefined
  if (replaced) changes.push(deleteHook(owner, replaced))
  const id = replaced && world.prng.chance(0.5) ? replaced.id : freeHookId(world, owner)
  if (id === undefined && !replaced) return undefined
  const creation = id === undefined ? undefined : createHook(world, owner, contract.num, world.keyOf(payer), id)
  changes.push(...(creation?.changes ?? []))
  const fields = {
    ...(replaced ? { hookIdsToDelete: [replaced.id] } : {}),
    ...(creation ? { hookCreationDetails: [creation.details] } : {}),
  }
  return { body: bodyOf(fields), payer, changes }
}

/** A new account that comes with a hook. */
export const hookedAccountCreate: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  if (!contract) return undefined
  const payer = world.payer()
  const account = createAccount(world, { ecdsa: world.prng.chance(0.5), alias: 'none' })
  const { body, changes, ...rest } = creationOf(world, account, { initialBalance: 50_000_000 })
  const hook = createHook(world, account, contract.num, world.keyOf(account.num), world.prng.between(1, 5))
  const details = { ...(body['cryptoCreateAccount'] as Message), hookCreationDetails: [hook.details] }
  return {
    ...rest,
    body: { cryptoCreateAccount: details },
    changes: [...changes, ...hook.changes],
    payer,
    signers: [account.num],
    movements: [
      [payer, -50_000_000],
      [account.num, 50_000_000],
    ],
  }
}

/** Writes storage of a hook: plain slots, entries of a mapping, removals. */
export const hookStore: Kind = (world) => {
  const owned = someHook(world)
  if (!owned) return undefined
  const result = world.failure('HOOK_NOT_FOUND', 'INVALID_SIGNATURE')
  const { updates, writes } = someWrites(world, owned.hook)
  return storeOf(owned, updates, result ? undefined : writes, result)
}

function storeOf(
  { owner, hook, payer, entityId }: Owned,
  storageUpdates: readonly Message[],
  writes: readonly SlotWrite[] | undefined,
  result?: Submission['result'],
): Submission {
  return {
    body: { hookStore: { hookId: { entityId, hookId: hook.id }, storageUpdates } },
    payer,
    changes: writes ? writeSlots(owner.num, hook, writes) : [],
    ...(result ? { result } : {}),
  }
}

/** Only an empty hook can go, so its storage is cleared first. */
export const hookDelete: Kind = (world) => {
  const owned = someHook(world)
  if (!owned) return undefined
  const { owner, hook, payer } = owned
  const slots = Object.keys(hook.slots)
  const clearing = slots.map((slot) => ({ storageSlot: { key: hexBytes(slot), value: Buffer.alloc(0) } }))
  const writes = slots.map((slot, index) => ({ update: clearing[index] ?? {}, slot, value: '' }))
  const cleared = slots.length > 0 ? [storeOf(owned, clearing, writes)] : []
  const changes = [updated(owner.num, {}), deleteHook(owner, hook)]
  const fields = { hookIdsToDelete: [hook.id] }
  const ofContract = 'evmAddress' in owner && 'admin' in owner
  const body = ofContract
    ? { contractUpdateInstance: { contractID: contractId(owner.num), ...fields } }
    : { cryptoUpdateAccount: { accountIDToUpdate: accountId(owner.num), ...fields } }
  const receipt = ofContract ? { receipt: { contractID: contractId(owner.num) } } : {}
  return [...cleared, { body, payer, changes, ...receipt }]
}

/** The network's own vehicle for hooks of contracts; it is exported as a child without effects of its own. */
export const hookDispatch: Kind = (world) => {
  const submission = contractHookCreate(world)
  if (!submission || Array.isArray(submission)) return undefined
  const { body } = submission as Submission
  const update = body['contractUpdateInstance'] as Message
  const [details] = (update['hookCreationDetails'] ?? []) as Message[]
  const dispatch = details
    ? { creation: { entityId: { contractId: update['contractID'] }, details } }
    : {
        hookIdToDelete: {
          entityId: { contractId: update['contractID'] },
          hookId: (update['hookIdsToDelete'] as number[])[0],
        },
      }
  const child: Submission = { body: { hookDispatch: dispatch }, payer: accounts.treasury }
  return { ...(submission as Submission), following: [child] }
}

function someHook(world: World): Owned | undefined {
  const contract = world.prng.chance(0.25) ? world.some(world.state.contracts.filter(hasHook)) : undefined
  if (contract) return ownedBy(world, contract, world.payer(), { contractId: contractId(contract.num) })
  const owner = hookOwner(world)
  return owner && ownedBy(world, owner, owner.num, { accountId: accountId(owner.num) })
}

function ownedBy(world: World, owner: Holder, payer: number, entityId: Message): Owned | undefined {
  const hook = world.some(owner.hooks)
  return hook && { owner, hook, payer, entityId }
}

/** A busy user with a hook who can pay. */
export function hookOwner(world: World, ...others: readonly number[]): Account | undefined {
  const { users } = world.state
  const fits = (user: Account) => hasHook(user) && user.balance > wealth && !others.includes(user.num)
  return world.some(users.slice(0, busiest).filter(fits))
}

function hasHook({ hooks }: Holder): boolean {
  return hooks.length > 0
}

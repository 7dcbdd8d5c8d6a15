import { keccak256 } from '#src/domain/keccak.ts'
import { hooked, keyHex, slotWritten } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { contractId, hexBytes } from '#src/simulator/ids.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import { forget, type Holder, type Hook } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

/** One write to a hook's storage: how a body says it, and which slot gets which value, hex without leading zeros. */
export interface SlotWrite {
  readonly update: Message
  readonly slot: string
  readonly value: string
}

const hooksMost = 3
const slotsMost = 12

export function hexWithoutZeros(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(00)+/, '')
}

/** A value or key without leading zeros, as bodies have to carry them. */
function someBytes(world: World, length: number): Buffer {
  const bytes = world.prng.bytes(length)
  bytes[0] = (bytes[0] ?? 0) | 1
  return bytes
}

/** A write to a plain slot; slot numbers repeat so that values change. */
function directWrite(world: World, hook: Hook, value: Uint8Array): SlotWrite {
  const taken = Object.keys(hook.slots)
  const known = taken.length >= slotsMost || (taken.length > 0 && world.prng.chance(0.3))
  const short = world.prng.chance(0.7)
  const key = known
    ? hexBytes(world.prng.pick(taken))
    : short
      ? Buffer.of(world.prng.between(1, 5))
      : someBytes(world, 32)
  return { update: { storageSlot: { key, value } }, slot: hexWithoutZeros(key), value: hexWithoutZeros(value) }
}

/** Entries of one mapping, by key and by the preimage that is hashed to the key; Solidity's rule gives the slots. */
function mappingWrites(world: World, values: readonly Uint8Array[]): { update: Message; writes: SlotWrite[] } {
  const mappingSlot = Buffer.of(world.prng.between(6, 7))
  const writes = values.map((value): SlotWrite => {
    const preimage = world.prng.chance(0.5)
    const key = preimage ? Buffer.from(`entry ${world.prng.below(4)}`) : Buffer.of(world.prng.between(1, 4))
    const entry = preimage ? { preimage: key, value } : { key, value }
    return { update: entry, slot: mappingSlotOf(mappingSlot, key, preimage), value: hexWithoutZeros(value) }
  })
  const entries = writes.map(({ update }) => update)
  return { update: { mappingEntries: { mappingSlot, entries } }, writes }
}

/** The few slots that occur, by mapping and key: hashing them takes longer than the rest of a write. */
const mappingSlots = new Map<string, string>()

function mappingSlotOf(mappingSlot: Uint8Array, key: Uint8Array, preimage: boolean): string {
  const name = `${preimage} ${Buffer.from(key).toString('hex')} ${Buffer.from(mappingSlot).toString('hex')}`
  const known = mappingSlots.get(name)
  if (known !== undefined) return known
  const word = preimage ? keccak256(key) : padded(key)
  const slot = hexWithoutZeros(keccak256(Buffer.concat([word, padded(mappingSlot)])))
  mappingSlots.set(name, slot)
  return slot
}

function padded(bytes: Uint8Array): Buffer {
  const word = Buffer.alloc(32)
  word.set(bytes, 32 - bytes.length)
  return word
}

/** A few writes at once: plain slots, mappings, and removals. The last of several to one slot holds. */
export function someWrites(world: World, hook: Hook): { updates: Message[]; writes: SlotWrite[] } {
  const { prng } = world
  const direct = Array.from({ length: prng.between(0, 2) }, () =>
    directWrite(world, hook, prng.chance(0.25) ? Buffer.alloc(0) : someBytes(world, prng.between(1, 32))),
  )
  const room = Object.keys(hook.slots).length < slotsMost
  if (direct.length > 0 && (!room || prng.chance(0.5)))
    return { updates: direct.map(({ update }) => update), writes: direct }
  const values = Array.from({ length: prng.between(1, 2) }, () =>
    prng.chance(0.2) ? Buffer.alloc(0) : someBytes(world, prng.between(1, 8)),
  )
  const mapping = mappingWrites(world, values)
  return {
    updates: [...direct.map(({ update }) => update), mapping.update],
    writes: [...direct, ...mapping.writes],
  }
}

/** Applies writes in their order and says what changed. */
export function writeSlots(owner: number, hook: Hook, writes: readonly SlotWrite[]): LedgerChange[] {
  return writes.map(({ slot, value }) => {
    if (value === '') delete hook.slots[slot]
    else hook.slots[slot] = value
    return slotWritten(owner, hook.id, slot, value)
  })
}

export interface HookCreation {
  readonly details: Message
  readonly changes: readonly LedgerChange[]
}

/** Binds a contract to an owner under a free number, half of the time with something in its storage. */
export function createHook(world: World, owner: Holder, contract: number, adminKey: Message, id: number): HookCreation {
  const hook: Hook = { id, contract, slots: {} }
  owner.hooks.push(hook)
  const { updates, writes } = world.prng.chance(0.6) ? someWrites(world, hook) : { updates: [], writes: [] }
  const withAdmin = world.prng.chance(0.7)
  const details = {
    hookId: id,
    evmHook: { spec: { contractId: contractId(contract) }, storageUpdates: updates },
    ...(withAdmin ? { adminKey } : {}),
  }
  const facts = { contract, adminKey: withAdmin ? keyHex(adminKey) : null, deleted: false }
  return { details, changes: [hooked(owner.num, id, facts, true), ...writeSlots(owner.num, hook, writes)] }
}

/** A number without a hook; undefined when the owner has enough. Numbers of deleted hooks come again. */
export function freeHookId(world: World, owner: Holder): number | undefined {
  if (owner.hooks.length >= hooksMost) return undefined
  const id = world.prng.chance(0.05) ? 9_000_000_000_000 : world.prng.between(1, 5)
  return owner.hooks.some((hook) => hook.id === id) ? undefined : id
}

export function deleteHook(owner: Holder, hook: Hook): LedgerChange {
  forget(owner.hooks, hook)
  return hooked(owner.num, hook.id, { deleted: true })
}

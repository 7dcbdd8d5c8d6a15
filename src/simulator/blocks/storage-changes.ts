import type { StateDelta } from '#src/simulator/blocks/state-delta.ts'
import { hookSlotKey, storageKey } from '#src/simulator/blocks/state-keys.ts'
import { storageUses, type WrittenSlots } from '#src/simulator/blocks/written-slots.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { Emitted } from '#src/simulator/emitted.ts'
import { hexBytes } from '#src/simulator/ids.ts'
import type { World } from '#src/simulator/world.ts'

/** Storage of contracts and hooks: what was written, in that order, and what is named beside it because its place moved. */
export function addStorageChanges(
  delta: StateDelta,
  world: World,
  family: readonly Emitted[],
  slots: WrittenSlots,
): void {
  for (const owner of slots.owners) {
    if (owner.includes('/')) addHookSlots(delta, world, owner, slots)
    else {
      addNeighbour(delta, world, family, owner, slots)
      addContractSlots(delta, Number(owner), slots)
    }
  }
}

function addContractSlots(delta: StateDelta, contract: number, slots: WrittenSlots): void {
  for (const [slot, value] of slots.of(String(contract))) {
    if (value === '') delta.remove(storageKey(contract, slot))
    else delta.put(storageKey(contract, slot), slotValue(value))
  }
}

function addHookSlots(delta: StateDelta, world: World, hook: string, slots: WrittenSlots): void {
  for (const [slot, value] of slots.of(hook)) {
    if (value === '') delta.remove(hookSlotKey(world, hook, slot))
    else delta.put(hookSlotKey(world, hook, slot), slotValue(value))
  }
}

/** The slots of a contract are a list, so that one that comes or goes changes the links of another. */
function addNeighbour(
  delta: StateDelta,
  world: World,
  family: readonly Emitted[],
  owner: string,
  slots: WrittenSlots,
): void {
  const num = Number(owner)
  const contract = world.recentContract(num)
  if (!contract?.slots) return
  const accesses = family.flatMap(storageUses).flatMap((use) => (use.owner === owner ? use.accesses : []))
  const isMoved = accesses.some(({ read, written }) => written && (read.length === 0) !== (written.length === 0))
  const known = slots.of(owner)
  const [slot, value = ''] = Object.entries(contract.slots).find(([each]) => !known.has(each)) ?? []
  if (isMoved && slot !== undefined) delta.touch(storageKey(num, slot), slotValue(value))
}

/** Words of 32 bytes. */
function slotValue(hex: string): Message {
  return { slotValueValue: { value: hexBytes(hex.padStart(64, '0')) } }
}

import { trimmedWord } from '#src/domain/evm-words.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import { type MapChange, stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'

/** Whose storage a slot is in: a key for maps, of a contract or of a hook. */
export type SlotOwner = string

/** Without leading zeros, like values; an empty value clears a slot. */
interface WrittenSlots {
  /** In the order in which they were written; one that was written with the value that it had is none that changed. */
  readonly changed: Buffer[]
  readonly values: Map<string, Buffer>
}

export function contractOwner(contract: MessageId): SlotOwner {
  return `contract ${idText(contract)}`
}

/** Of a serialized HookId: an entity and a number among its hooks. */
export function hookOwner(hookId: Buffer, fail: Fail): SlotOwner {
  const fields = new FieldReader(hookId, fail)
  let entity = ''
  let hook = 0n
  while (fields.next()) {
    if (fields.field === 1) entity = entityText(fields.message(), fail)
    else if (fields.field === 2) hook = fields.int64()
  }
  return `hook ${entity} ${hook}`
}

/** A HookEntityId is of an account or of a contract. */
function entityText(fields: FieldReader, fail: Fail): string {
  let text = ''
  while (fields.next()) {
    const id = readId(fields.bytes(), fail)
    if (id) text = `${fields.field === 1 ? 'account' : 'contract'} ${idText(id)}`
  }
  return text
}

const slots: StateView<Map<SlotOwner, WrittenSlots>> = (context) => {
  const { fail } = context
  const byOwner = new Map<SlotOwner, WrittenSlots>()
  const add = (change: MapChange, ownerOf: (key: Buffer) => SlotOwner, isChanged: boolean) => {
    const [key, slot] = keyParts(change, fail)
    const owner = ownerOf(key)
    const written: WrittenSlots = byOwner.get(owner) ?? { changed: [], values: new Map() }
    byOwner.set(owner, written)
    if (isChanged) written.changed.push(slot)
    written.values.set(slot.toString('latin1'), writtenValue(change, fail))
  }
  for (const change of context.changesOf(stateId.storage))
    add(change, (contract) => contractOwner(readId(contract, fail)!), !change.identical)
  for (const change of context.changesOf(stateId.hookStorage)) add(change, (hook) => hookOwner(hook, fail), true)
  return byOwner
}

/** Owner and slot of a SlotKey or an EvmHookSlotKey. */
function keyParts({ key }: MapChange, fail: Fail): [owner: Buffer, slot: Buffer] {
  const fields = new FieldReader(key, fail)
  let [owner, slot] = [key.subarray(0, 0), key.subarray(0, 0)]
  while (fields.next()) {
    if (fields.field === 1) owner = fields.bytes()
    else if (fields.field === 2) slot = trimmedWord(fields.bytes())
  }
  return [owner, slot]
}

/** In a SlotValue; nothing where the slot was deleted. */
function writtenValue({ key, value }: MapChange, fail: Fail): Buffer {
  const empty = key.subarray(0, 0)
  if (value === undefined) return empty
  const fields = new FieldReader(value, fail)
  let written = empty
  while (fields.next()) if (fields.field === 1) written = trimmedWord(fields.bytes())
  return written
}

/** The slot at a place among those of an owner that changed; undefined where there are not so many. */
export function changedSlot(context: StateContext, owner: SlotOwner, index: number): Buffer | undefined {
  return context.view(slots).get(owner)?.changed[index]
}

/** What was written into a slot at last; undefined where nothing was. */
export function slotValue(context: StateContext, owner: SlotOwner, slot: Buffer): Buffer | undefined {
  return context.view(slots).get(owner)?.values.get(slot.toString('latin1'))
}

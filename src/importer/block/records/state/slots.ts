import { trimmedWord } from '#src/domain/evm-words.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import { type MapChange, stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'

/** Whose storage a slot is in: a key for maps, of a contract or of a hook. */
export type SlotOwner = string

export interface WrittenSlot {
  /** Both without leading zeros; an empty value clears the slot. */
  readonly slot: Buffer
  readonly value: Buffer
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

const slots: StateView<Map<SlotOwner, WrittenSlot[]>> = (context) => {
  const byOwner = new Map<SlotOwner, WrittenSlot[]>()
  const add = (owner: SlotOwner, written: WrittenSlot) => {
    const known = byOwner.get(owner)
    if (known) known.push(written)
    else byOwner.set(owner, [written])
  }
  for (const change of context.changesOf(stateId.storage)) {
    // A value that was written again is none that changed, so that places among the changed ones leave it out.
    if (change.identical) continue
    const [contract, slot] = keyParts(change, context.fail)
    add(contractOwner(readId(contract, context.fail)!), { slot, value: writtenValue(change, context.fail) })
  }
  for (const change of context.changesOf(stateId.hookStorage)) {
    const [hook, slot] = keyParts(change, context.fail)
    add(hookOwner(hook, context.fail), { slot, value: writtenValue(change, context.fail) })
  }
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

/** The slots of an owner that changed, in the order in which they were written. */
export function slotsOf(context: StateContext, owner: SlotOwner): readonly WrittenSlot[] {
  return context.view(slots).get(owner) ?? []
}

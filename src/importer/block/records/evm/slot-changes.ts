import { trimmedWord } from '#src/domain/evm-words.ts'
import type { EvmResult } from '#src/importer/block/records/evm/evm-result.ts'
import type { SlotRead, SlotUsage } from '#src/importer/block/records/evm/evm-trace.ts'
import { MessageWriter } from '#src/importer/block/records/message-writer.ts'
import type { Drafting } from '#src/importer/block/records/record-draft.ts'
import {
  changedSlot,
  contractOwner,
  hookOwner,
  type SlotOwner,
  slotValue,
} from '#src/importer/block/records/state/slots.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'

/** The system contract whose storage is that of whichever hook runs. */
const hookContract = 365n

/** Values that later transactions of a family found, by owner and slot: what an earlier one wrote was read by the next. */
const laterReads: StateView<Map<string, Buffer>> = () => new Map()

function readText(owner: SlotOwner, slot: Buffer): string {
  return `${owner} ${slot.toString('latin1')}`
}

const writer = new MessageWriter()

/**
 * Serialized ContractStateChanges of a transaction, one for each contract whose storage it used. The state tells the last value of a slot
 * alone; what a transaction before the last wrote is what the next one read.
 */
export function writeSlotChanges(usages: readonly SlotUsage[], result: EvmResult, drafting: Drafting): Buffer[] {
  const found = new Map<string, Buffer>()
  const changes = usages.flatMap((usage) => {
    const owner = ownerOf(usage, result, drafting)
    if (owner === undefined) return []
    const storageChanges = usage.reads.flatMap((read) => writeRead(read, usage, owner, found, drafting) ?? [])
    if (storageChanges.length === 0) return []
    writer.message(1, usage.contractId)
    writer.messages(2, storageChanges)
    return [writer.finish()]
  })
  const reads = drafting.context.view(laterReads)
  for (const [text, value] of found) reads.set(text, value)
  return changes
}

function ownerOf(
  { contract }: SlotUsage,
  { executedHook }: EvmResult,
  { fail, warn }: Drafting,
): SlotOwner | undefined {
  if (contract.number !== hookContract) return contractOwner(contract)
  if (executedHook) return hookOwner(executedHook, fail)
  warn('the storage of a hook, since the result does not say which one ran')
  return undefined
}

/** A serialized StorageChange; undefined where it cannot be told which slot or which value it was. */
function writeRead(
  { index, key, value }: SlotRead,
  usage: SlotUsage,
  owner: SlotOwner,
  found: Map<string, Buffer>,
  { context, warn }: Drafting,
): Buffer | undefined {
  const written = index === undefined ? undefined : writtenAt(index, usage, owner, context)
  const slot = key === undefined ? written?.slot : trimmedWord(key)
  if (slot === undefined) {
    warn(`which slot the place ${index} of contract ${usage.contract.number} is`)
    return undefined
  }
  const valueRead = trimmedWord(value)
  found.set(readText(owner, slot), valueRead)
  if (key === undefined && written?.value === undefined) {
    warn(`which value contract ${usage.contract.number} wrote into a slot`)
    return undefined
  }
  writer.bytes(1, slot)
  writer.bytes(2, valueRead)
  const valueWritten = written?.value
  if (valueWritten !== undefined) writer.nested(3, () => writer.bytes(1, valueWritten))
  return writer.finish()
}

interface SlotAt {
  readonly slot: Buffer
  readonly value: Buffer | undefined
}

function writtenAt(
  index: number,
  { writtenKeys }: SlotUsage,
  owner: SlotOwner,
  context: StateContext,
): SlotAt | undefined {
  const key = writtenKeys[index]
  const slot = writtenKeys.length > 0 ? key && trimmedWord(key) : changedSlot(context, owner, index)
  return slot && { slot, value: valueBehind(slot, owner, context) }
}

/** What a slot held behind the transaction that is looked at. */
function valueBehind(slot: Buffer, owner: SlotOwner, context: StateContext): Buffer | undefined {
  return context.view(laterReads).get(readText(owner, slot)) ?? slotValue(context, owner, slot)
}

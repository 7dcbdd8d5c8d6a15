import type { EvmHookMappingEntries, EvmHookMappingEntry, EvmHookStorageUpdate } from '#schemas/events/types.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { keccak256 } from '#src/domain/keccak.ts'

/** One slot of a hook's storage that was written, or only read, at one time. */
export interface SlotChange {
  /** Entity id of the account or contract. */
  readonly owner: bigint
  readonly hookId: bigint
  /** 32 bytes. */
  readonly key: Buffer
  readonly valueRead: Buffer | null
  /** null when it was only read; empty when removed. */
  readonly valueWritten: Buffer | null
}

interface WrittenSlot {
  readonly key: Buffer
  readonly value: Buffer
}

const wordBytes = 32

/** A word of the EVM: leading zeros may be missing on the wire. */
export function padWord(bytes: Uint8Array): Buffer {
  const given = asBuffer(bytes)
  return given.length >= wordBytes ? given : Buffer.concat([Buffer.alloc(wordBytes - given.length), given])
}

/** Without leading zero bytes; what has no others stays as it came, since an empty value means removal. */
export function trimValue(value: Uint8Array): Buffer {
  const bytes = asBuffer(value)
  const first = bytes.findIndex((byte) => byte !== 0)
  return first <= 0 ? bytes : bytes.subarray(first)
}

/** Slots that a list of updates sets: of several updates of one slot the last in the list counts. */
export function writtenSlots(updates: readonly EvmHookStorageUpdate[]): WrittenSlot[] {
  const bySlot = new Map<string, WrittenSlot>()
  for (const slot of updates.flatMap(slotsOf).reverse()) {
    const name = slot.key.toString('hex')
    if (!bySlot.has(name)) bySlot.set(name, slot)
  }
  return [...bySlot.values()]
}

function slotsOf({ storageSlot, mappingEntries }: EvmHookStorageUpdate): WrittenSlot[] {
  if (storageSlot) return [{ key: padWord(storageSlot.key), value: storageSlot.value }]
  return mappingEntries ? mappingSlots(mappingEntries) : []
}

function mappingSlots({ mappingSlot, entries }: EvmHookMappingEntries): WrittenSlot[] {
  const slot = padWord(mappingSlot)
  return entries.map((entry) => ({ key: keccak256(Buffer.concat([mappingKey(entry), slot])), value: entry.value }))
}

/** Solidity's rule: values are padded, texts and other long keys are hashed. */
function mappingKey({ key, preimage }: EvmHookMappingEntry): Buffer {
  return preimage ? keccak256(preimage) : padWord(key ?? Buffer.alloc(0))
}

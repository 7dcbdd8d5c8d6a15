import type { Message } from '#src/simulator/codec.ts'
import type { Emitted } from '#src/simulator/emitted.ts'
import { systemContracts } from '#src/simulator/ids.ts'
import { succeeded } from '#src/simulator/submission.ts'

/** Whose storage: the number of a contract, or `owner/id` of a hook. */
export type SlotOwner = string
/** 64 hex digits. */
export type Slot = string

/** A StorageChange of a sidecar: what a slot held, and what was written to it, if anything. */
export interface StorageAccess {
  readonly slot: Slot
  readonly read: Uint8Array
  readonly written: Uint8Array | undefined
}

/** What one transaction did in one storage, as its sidecars tell it. */
export interface StorageUse {
  readonly owner: SlotOwner
  readonly contractId: Message
  readonly accesses: readonly StorageAccess[]
}

/**
 * What the slots hold that the transactions of a family wrote, each under the place that it was written to first. The
 * network commits once for all of them, so values in between are not there.
 */
export class WrittenSlots {
  readonly #byOwner = new Map<SlotOwner, Map<Slot, string>>()

  constructor(family: readonly Emitted[]) {
    for (const transaction of family) {
      if (!succeeded(transaction.submission)) continue
      for (const { owner, accesses } of storageUses(transaction))
        for (const { slot, written } of accesses) if (written) this.#write(owner, slot, hex(written))
      // Hooks are written to from outside as well, of which no sidecar tells.
      for (const change of transaction.submission.changes ?? []) {
        if (change.table !== 'hookSlots') continue
        const [account = '', id = '', slot = ''] = change.key.split('/')
        this.#write(`${account}/${id}`, slot, change.set.value ?? '')
      }
    }
  }

  /** Hex of the values by slot, without leading zeros, empty where a slot was cleared. */
  of(owner: SlotOwner): ReadonlyMap<Slot, string> {
    return this.#byOwner.get(owner) ?? new Map<Slot, string>()
  }

  get owners(): Iterable<SlotOwner> {
    return this.#byOwner.keys()
  }

  /** The place of a slot among those of the owner. */
  placeOf(owner: SlotOwner, slot: Slot): number {
    return [...this.of(owner).keys()].indexOf(slot)
  }

  #write(owner: SlotOwner, slot: Slot, value: string): void {
    const slots = this.#byOwner.get(owner) ?? new Map<Slot, string>()
    this.#byOwner.set(owner, slots.set(slot, value))
  }
}

/** The storage that a transaction looked at, in the order of its sidecars. */
export function storageUses({ submission }: Emitted): StorageUse[] {
  const sidecars = submission.sidecars ?? []
  return sidecars.flatMap(({ stateChanges }) => {
    const list = ((stateChanges as Message | undefined)?.['contractStateChanges'] ?? []) as Message[]
    return list.map(({ contractId, storageChanges }) => ({
      owner: ownerOf(submission, contractId as Message),
      contractId: contractId as Message,
      accesses: (storageChanges as Message[]).map(accessOf),
    }))
  })
}

/** What the network's contract for hooks stores belongs to the hook that it runs. */
function ownerOf({ hook }: Emitted['submission'], { contractNum }: Message): SlotOwner {
  return hook && contractNum === systemContracts.hooks ? `${hook.owner}/${hook.id}` : String(contractNum)
}

function accessOf({ slot, valueRead, valueWritten }: Message): StorageAccess {
  return {
    slot: hex(slot as Uint8Array).padStart(64, '0'),
    read: valueRead as Uint8Array,
    written: (valueWritten as Message | undefined)?.['value'] as Uint8Array | undefined,
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

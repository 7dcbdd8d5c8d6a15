import type { TransactionRecorded } from '#schemas/events/types.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import { messageTypes, type TransactionSidecarRecord } from '#src/events/decode/messages.ts'
import { decodeMessage } from '#src/events/decode/protobuf.ts'
import { timeOf } from '#src/events/ids.ts'

interface PendingSidecar {
  readonly bytes: Uint8Array
  /** undefined: not to be read. */
  readonly sidecar: { message: TransactionSidecarRecord; unknown: boolean } | undefined
  readonly time: bigint
}

/**
 * The sidecar records of a block, to be added to its events one after the other. Each goes to the event of its consensus
 * time; one that is not understood, or belongs to no transaction of the block, is kept as bytes with the last event up to
 * its time.
 */
export class SidecarQueue {
  readonly #pending: (PendingSidecar | undefined)[]
  #next = 0

  constructor(sidecarRecords: readonly Uint8Array[]) {
    const pending = sidecarRecords.map(pendingSidecar)
    this.#pending = pending.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  }

  /** Adds what lies before the next event; undefined when this is the last one. */
  attach(event: TransactionRecorded, nextTime: bigint | undefined): void {
    for (; this.#next < this.#pending.length; this.#next++) {
      const { bytes, sidecar, time } = this.#pending[this.#next]!
      if (nextTime !== undefined && time >= nextTime) return
      // All of a large block would be held twice, once as events.
      this.#pending[this.#next] = undefined
      const isOwner = time === event.consensusTimestamp
      if (sidecar && isOwner && addData(event, sidecar.message) && !sidecar.unknown) continue
      const reason = isOwner ? 'unknown fields in a sidecar record' : 'a sidecar record of no transaction in the block'
      keepBytes(event, bytes, sidecar ? reason : 'an unreadable sidecar record')
    }
  }

  /** Whether something is left for the event before this time; undefined: for the last one. */
  hasBefore(time: bigint | undefined): boolean {
    const next = this.#pending[this.#next]
    return next !== undefined && (time === undefined || next.time < time)
  }

  /** For a block without transactions: whatever is left belongs nowhere. */
  assertEmpty(): void {
    if (this.#next < this.#pending.length) {
      throw new LedgerError('sidecar_mismatch', 'A block without transactions has sidecar records; get its files again')
    }
  }
}

/** Without a time of its own a record comes after all others. */
function pendingSidecar(bytes: Uint8Array): PendingSidecar {
  const sidecar = readSidecar(bytes)
  const timestamp = sidecar?.message.consensusTimestamp
  return { bytes, sidecar, time: timestamp ? timeOf(timestamp) : maxInt64 }
}

function readSidecar(bytes: Uint8Array): { message: TransactionSidecarRecord; unknown: boolean } | undefined {
  try {
    return decodeMessage<TransactionSidecarRecord>(messageTypes().sidecar, bytes)
  } catch {
    // Kept as bytes by the caller.
    return undefined
  }
}

/** False when the record holds none of the known kinds. */
function addData(
  event: TransactionRecorded,
  { migration, actions, stateChanges, bytecode }: TransactionSidecarRecord,
): boolean {
  if (actions) event.contractActions.push({ migration, actions })
  if (stateChanges) event.contractStateChanges.push({ migration, stateChanges })
  if (bytecode) event.contractBytecode.push({ migration, bytecode })
  return actions !== null || stateChanges !== null || bytecode !== null
}

function keepBytes(event: TransactionRecorded, bytes: Uint8Array, reason: string): void {
  event.unparsed ??= { transaction: null, record: null, sidecars: [], reason: '' }
  event.unparsed.sidecars.push(Buffer.from(bytes))
  if (!event.unparsed.reason.includes(reason)) {
    event.unparsed.reason = event.unparsed.reason === '' ? reason : `${event.unparsed.reason}; ${reason}`
  }
}

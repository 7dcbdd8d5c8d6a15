import type { TransactionRecorded } from '#schemas/events/types.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { timeOf } from './ids.ts'
import { messageTypes, type TransactionSidecarRecord } from './messages.ts'
import { decodeMessage } from './protobuf.ts'

/**
 * Adds each sidecar record to the event of its consensus time. One that is not understood, or belongs to no transaction
 * of the block, is kept as bytes with the last event up to its time.
 */
export function attachSidecars(events: readonly TransactionRecorded[], sidecarRecords: readonly Uint8Array[]): void {
  const byTime = new Map(events.map((event) => [event.consensusTimestamp, event]))
  for (const bytes of sidecarRecords) {
    const sidecar = readSidecar(bytes)
    const time = sidecar?.message.consensusTimestamp ? timeOf(sidecar.message.consensusTimestamp) : undefined
    const owner = time === undefined ? undefined : byTime.get(time)
    if (sidecar && owner && addData(owner, sidecar.message) && !sidecar.unknown) continue
    const reason = owner ? 'unknown fields in a sidecar record' : 'a sidecar record of no transaction in the block'
    keepBytes(owner ?? lastUpTo(events, time), bytes, sidecar ? reason : 'an unreadable sidecar record')
  }
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

function lastUpTo(events: readonly TransactionRecorded[], time: bigint | undefined): TransactionRecorded {
  const last = events.findLast((event) => time !== undefined && event.consensusTimestamp <= time) ?? events.at(-1)
  if (last) return last
  throw new LedgerError('sidecar_mismatch', 'A block without transactions has sidecar records; get its files again')
}

function keepBytes(event: TransactionRecorded, bytes: Uint8Array, reason: string): void {
  event.unparsed ??= { transaction: null, record: null, sidecars: [], reason: '' }
  event.unparsed.sidecars.push(Buffer.from(bytes))
  if (!event.unparsed.reason.includes(reason)) {
    event.unparsed.reason = event.unparsed.reason === '' ? reason : `${event.unparsed.reason}; ${reason}`
  }
}

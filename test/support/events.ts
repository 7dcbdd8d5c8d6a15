import type { EventOf, TransactionRecorded } from '#schemas/events/types.ts'
import { decodeEvent, encodeEvent } from '#src/events/codec.ts'
import type { EventType } from '#src/events/event-types.ts'
import type { LogRecord, MessageLog } from '#src/ports/message-log.ts'

export const alice = 1_001n
export const bob = 1_002n

/** A whole event from the few fields that matter; the others have the schema's defaults. */
export function eventOf<T extends EventType>(type: T, fields: Partial<EventOf<T>>): EventOf<T> {
  return decodeEvent({ type, value: encodeEvent(type, fields) })
}

export interface TransferSketch {
  readonly transfers?: readonly (readonly [account: bigint, amount: bigint])[]
}

/** A successful transfer of one tinybar from Alice to Bob, unless told otherwise. */
export function transactionRecorded(
  fields: Partial<Omit<TransactionRecorded, 'transfers'>> & TransferSketch = {},
): TransactionRecorded {
  const consensusTimestamp = fields.consensusTimestamp ?? 1_700_000_000_000_000_001n
  const {
    transfers = [
      [alice, -1n],
      [bob, 1n],
    ],
    ...rest
  } = fields
  return eventOf('TransactionRecorded', {
    consensusTimestamp,
    validStartTimestamp: consensusTimestamp - 1_000_000_000n,
    payerAccountId: alice,
    type: 14,
    result: 22,
    chargedTxFee: 10n,
    transactionHash: hashOf(consensusTimestamp),
    ...rest,
    transfers: transfers.map(([accountId, amount]) => ({ accountId, amount, isApproval: false, errata: null })),
  })
}

function hashOf(time: bigint): Buffer {
  const hash = Buffer.alloc(48)
  // Spread over the key space like a real hash, and different for every time.
  hash.writeBigInt64BE(BigInt.asIntN(64, time * 0x9e3779b97f4a7c15n), 0)
  hash.writeBigInt64BE(time, 40)
  return hash
}

export function recordOf<T extends EventType>(type: T, event: Partial<EventOf<T>>): LogRecord {
  const { consensusTimestamp, consensusEnd } = event as { consensusTimestamp?: bigint; consensusEnd?: bigint }
  const time = consensusTimestamp ?? consensusEnd ?? 0n
  return { type, key: String(time), time, value: encodeEvent(type, event) }
}

/** Appends events as blocks of one transaction each. */
export async function publish(log: MessageLog, records: readonly LogRecord[]): Promise<void> {
  const writer = await log.openWriter()
  await writer.append(records.map((record) => [record]))
  await writer.close()
}

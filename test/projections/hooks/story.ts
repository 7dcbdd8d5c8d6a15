import type { HookCreationDetails, TransactionRecorded } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { recordOf } from '#test/support/events.ts'
import { type Sketch, wholeEvent } from '#test/support/whole-event.ts'

export const contract = 5_001n
/** As rows hold them. */
export const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values)
export const word = (value: number): Uint8Array => bytes(...new Array<number>(31).fill(0), value)
export const account = (accountNum: bigint) => ({ accountNum, alias: null })

export function transaction(
  time: bigint,
  type: number,
  entityId: bigint | null,
  facts: Sketch<TransactionRecorded>,
): LogRecord {
  const event = { consensusTimestamp: time, type, result: 22, successful: true, entityId, ...facts }
  return recordOf('TransactionRecorded', wholeEvent('TransactionRecorded', event))
}

/** Details of a hook that sets one slot where a value is given. */
export function details(hookId: bigint, value?: number): Sketch<HookCreationDetails> {
  const storageUpdates =
    value === undefined ? [] : [{ storageSlot: { key: Buffer.from(word(1)), value: Buffer.from([value]) } }]
  return { hookId, evmHook: { spec: { contractId: { contractNum: contract, evmAddress: null } }, storageUpdates } }
}

/** An update of an account that deletes and creates hooks. */
export const hooksUpdated = (
  time: bigint,
  owner: bigint,
  hookCreationDetails: readonly Sketch<HookCreationDetails>[],
  hookIdsToDelete: readonly bigint[] = [],
) => transaction(time, 15, owner, { cryptoUpdateAccount: { hookIdsToDelete, hookCreationDetails } })

export type Updates = NonNullable<Sketch<NonNullable<TransactionRecorded['hookStore']>>['storageUpdates']>

export const stored = (time: bigint, owner: bigint, hookId: bigint, storageUpdates: Updates) => {
  const entityId = { accountId: account(owner), contractId: null }
  return transaction(time, 75, owner, { hookStore: { hookId: { entityId, hookId }, storageUpdates } })
}

export const slot = (key: number, value: number | null) => ({
  storageSlot: { key: Buffer.from([key]), value: value === null ? Buffer.alloc(0) : Buffer.from([value]) },
})

export interface Change {
  readonly key: number
  readonly read: number
  /** null: only read. */
  readonly written: number | null
}

/** The child of a transfer in which a hook ran, one state change of the hooks contract for each list of changes. */
export function executed(time: bigint, parent: bigint, ...lists: readonly (readonly Change[])[]): LogRecord {
  const contractStateChanges = lists.map((changes) => ({
    contractId: { contractNum: 365n, evmAddress: null },
    storageChanges: changes.map(({ key, read, written }) => ({
      slot: Buffer.from([key]),
      valueRead: Buffer.from([read]),
      valueWritten: written === null ? null : Buffer.from([written]),
    })),
  }))
  return transaction(time, 7, 365n, {
    parentConsensusTimestamp: parent,
    nonce: 1,
    contractStateChanges: [{ stateChanges: { contractStateChanges } }],
  })
}

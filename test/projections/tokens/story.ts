import type { TokenSnapshotted, TransactionRecorded } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { recordOf } from '#test/support/events.ts'
import { type Sketch, wholeEvent } from '#test/support/whole-event.ts'

export const token = 2_001n
export const other = 2_002n
export const treasury = 1_003n

type Facts = Sketch<TransactionRecorded>
type CreateBody = Sketch<NonNullable<TransactionRecorded['tokenCreation']>>

export const account = (accountNum: bigint) => ({ accountNum, alias: null })
export const idOf = (tokenNum: bigint) => ({ tokenNum })
export const key = (fill: number) => ({ ed25519: Buffer.alloc(32, fill) })
/** The serialized form of `key`. */
export const keyBytes = (fill: number) => Uint8Array.from([0x12, 0x20, ...Buffer.alloc(32, fill)])

const body = { name: 'Vouchers', symbol: 'V', initialSupply: 100n, treasury: account(treasury) }

export const created = (time: bigint, id: bigint, more: CreateBody = {}, facts: Facts = {}): LogRecord =>
  transaction(time, 29, id, { tokenCreation: { ...body, ...more }, ...facts })

export const updated = (
  time: bigint,
  id: bigint,
  more: Sketch<NonNullable<TransactionRecorded['tokenUpdate']>>,
  facts: Facts = {},
): LogRecord => transaction(time, 36, id, { tokenUpdate: { token: idOf(id), ...more }, ...facts })

export const associated = (time: bigint, who: bigint, ...tokens: readonly bigint[]): LogRecord =>
  transaction(time, 40, who, { tokenAssociate: { tokens: tokens.map(idOf) } })

export const dissociated = (time: bigint, who: bigint, id: bigint, facts: Facts = {}): LogRecord =>
  transaction(time, 41, who, { tokenDissociate: { tokens: [idOf(id)] }, ...facts })

/** Supply as receipts tell it; `type` is 37 for a mint, 38 for a burn, 39 for a wipe. */
export function supplied(time: bigint, id: bigint, type: 37 | 38 | 39, newTotalSupply: bigint, facts: Facts = {}) {
  const names = { 37: 'tokenMint', 38: 'tokenBurn', 39: 'tokenWipe' } as const
  return transaction(time, type, id, {
    [names[type]]: { token: idOf(id) },
    record: { receipt: { newTotalSupply } },
    ...facts,
  })
}

/** Units moved without a body, as facts may come. */
export const moved = (time: bigint, id: bigint, ...entries: readonly (readonly [bigint, bigint])[]): LogRecord =>
  transaction(time, 14, null, {
    tokenTransfers: entries.map(([accountId, amount]) => ({ tokenId: id, accountId, amount, isApproval: false })),
  })

export const stated = (tokenId: bigint, asOf: bigint, facts: Sketch<TokenSnapshotted> = {}): LogRecord =>
  recordOf('TokenSnapshotted', wholeEvent('TokenSnapshotted', { tokenId, asOf, name: 'Snapshot', ...facts }))

import { type Effects, effect } from '#projections/entities/changes/effect.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { timeOf } from '#src/events/ids.ts'
import { keyListBytes } from '#src/events/key-bytes.ts'

/** What transactions about files change, contents aside. Their keys are a KeyList, which nothing is searched by. */
export const fileEffects: Effects = [
  effect(transactionType.fileCreate, 'create', 'fileCreate', (body) => ({
    type: 'FILE',
    expirationTimestamp: body.expirationTime === null ? undefined : timeOf(body.expirationTime),
    key: body.keys === null ? undefined : keyListBytes(body.keys),
    memo: withoutNul(body.memo),
  })),
  effect(transactionType.fileUpdate, 'update', 'fileUpdate', (body) => ({
    type: 'FILE',
    expirationTimestamp: body.expirationTime === null ? undefined : timeOf(body.expirationTime),
    key: body.keys === null ? undefined : keyListBytes(body.keys),
    memo: body.memo === null ? undefined : withoutNul(body.memo),
  })),
  effect(transactionType.fileDelete, 'delete', 'fileDelete', () => ({ type: 'FILE' })),
]

import { type contractsSchema, isUserFile } from '#projections/contracts/schema.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { hasSucceeded } from '#src/events/success.ts'
import type { Handler } from '#src/runtime/fold/projection.ts'

const reads = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'entityId',
  'fileCreate',
  'fileAppend',
  'fileUpdate',
] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>

interface Piece {
  readonly startsOver: number
  readonly data: Uint8Array
}

function pieceOf({ type, fileCreate, fileAppend, fileUpdate }: Facts): Piece | undefined {
  switch (type) {
    case transactionType.fileCreate:
      return fileCreate ? { startsOver: 1, data: fileCreate.contents } : undefined
    case transactionType.fileAppend:
      return fileAppend ? { startsOver: 0, data: fileAppend.contents } : undefined
    case transactionType.fileUpdate:
      // An update without contents changes something else of the file.
      return fileUpdate && fileUpdate.contents.length > 0 ? { startsOver: 1, data: fileUpdate.contents } : undefined
    default:
      return undefined
  }
}

/** Contents of users' files, which contracts are made from and long call data is in. */
export const filePieces: Handler<typeof contractsSchema, 'TransactionRecorded', (typeof reads)[number]> = {
  reads,
  apply: (facts, rows) => {
    const piece = pieceOf(facts)
    const { entityId: file, consensusTimestamp: time } = facts
    if (piece === undefined || file === null || !isUserFile(file) || !hasSucceeded(facts)) return
    rows.put('filePieces', { file, time, ...piece })
  },
}

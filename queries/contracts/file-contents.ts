import type { contractsSchema } from '#projections/contracts/schema.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import type { RowsAt } from '#src/ports/read-store.ts'

type FileRows = Pick<ReturnType<RowsAt<typeof contractsSchema>['at']>, 'find'>

/** Most pieces of one file: a file has at most 1 MiB, in pieces of some KiB. */
const piecesMax = 10_000

/** What a file of a user held at the instant of the rows; undefined where nothing is known of it. */
export async function findFileContents(contracts: FileRows, file: bigint): Promise<Buffer | undefined> {
  const [start] = await contracts.find({
    collection: 'filePieces',
    index: ['file', 'startsOver', 'time'],
    prefix: [file, 1],
    descending: true,
    limit: 1,
    select: ['time'],
  })
  if (start === undefined) return undefined
  const pieces = await contracts.find({
    collection: 'filePieces',
    index: ['file', 'time'],
    prefix: [file],
    lower: { value: start.time, inclusive: true },
    limit: piecesMax,
    select: ['data'],
  })
  return Buffer.concat(pieces.map(({ data }) => asBuffer(data)))
}

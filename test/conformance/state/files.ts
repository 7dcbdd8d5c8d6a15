import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement } from '#test/conformance/state/statement.ts'

/** Table `file_data`, the parts of files by time: a statement of the whole contents with every part. */
export function fileStatements(rows: CaseRows): Statement[] {
  const files = Map.groupBy(rows['file_data'] ?? [], (row) => read.int64(row, 'entity_id'))
  return [...files].flatMap(([fileId, parts]) => versionsOf(fileId, parts.toSorted(byTime)))
}

const append = 16
const update = 19

function versionsOf(fileId: bigint, parts: readonly CaseRow[]): Statement[] {
  let begunTimestamp: bigint | undefined
  let contents: Buffer = Buffer.alloc(0)
  return parts.flatMap((row) => {
    const asOf = read.int64(row, 'consensus_timestamp')
    const part = read.bytes(row, 'file_data')
    const type = read.int32(row, 'transaction_type')
    if (type === append ? begunTimestamp === undefined : type === update && part.length === 0) return []
    contents = type === append ? Buffer.concat([contents, part]) : part
    if (type !== append || begunTimestamp === undefined) begunTimestamp = asOf
    return [statement('FileSnapshotted', `file/${fileId}`, { fileId, asOf, contents, begunTimestamp })]
  })
}

function byTime(a: CaseRow, b: CaseRow): number {
  return read.int64(a, 'consensus_timestamp') < read.int64(b, 'consensus_timestamp') ? -1 : 1
}

import { networkFilesSchema } from '#projections/network-files/schema.ts'
import { isNetworkFile, isReadableContents, uploadOf } from '#projections/network-files/uploads.ts'
import { hasSucceeded } from '#src/events/success.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'

/** The files by which the network is run, from the transactions that write them, and as stated. */
export const networkFilesProjection = defineProjection(networkFilesSchema)
  .on('TransactionRecorded', {
    reads: ['type', 'successful', 'result', 'consensusTimestamp', 'entityId', 'fileCreate', 'fileUpdate', 'fileAppend'],
    apply: (facts, rows) => {
      const upload = uploadOf(facts)
      if (upload === undefined || !hasSucceeded(facts)) return
      const { fileId, isAppend, contents } = upload
      const time = facts.consensusTimestamp
      const before = isAppend ? rows.get('uploads', fileId) : undefined
      // Of a file whose beginning is not known, an appended part says nothing.
      if (isAppend && before === undefined) return
      const whole = before ? Buffer.concat([before.contents, contents]) : contents
      putVersion(rows, { fileId, time, begun: before?.begun ?? time, contents: whole })
    },
  })
  .on('FileSnapshotted', {
    reads: ['fileId', 'asOf', 'contents', 'begunTimestamp'],
    apply: ({ fileId, asOf: time, contents, begunTimestamp }, rows) => {
      if (isNetworkFile(fileId)) putVersion(rows, { fileId, time, begun: begunTimestamp ?? time, contents })
    },
  })

interface WrittenFile {
  readonly fileId: bigint
  readonly time: bigint
  readonly begun: bigint
  readonly contents: Uint8Array
}

function putVersion(rows: FoldedRows<typeof networkFilesSchema>, { fileId, time, begun, contents }: WrittenFile): void {
  const readable = isReadableContents(fileId, contents)
  rows.put('uploads', { fileId, begun, contents })
  rows.put('versions', { fileId, time, begun, contents: readable ? contents : null, readable: readable ? 1 : 0 })
}

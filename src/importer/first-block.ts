import { decodeEvent } from '#src/events/codec.ts'
import type { LastBlock } from '#src/importer/state/last-block.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

/** The block that a log begins with; undefined where it holds none. */
export async function findFirstBlock(log: MessageLog): Promise<Pick<LastBlock, 'name' | 'number'> | undefined> {
  for await (const { records } of log.read({ after: 0, countMax: 1_000, bytesMax: 4 << 20, follow: false })) {
    for (const record of records) {
      if (record.type === 'BlockRecorded') return decodeEvent({ ...record, type: record.type })
    }
  }
  return undefined
}

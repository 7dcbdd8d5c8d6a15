import type { LogSuperseded } from '#schemas/events/types.ts'
import { encodeEvent } from '#src/events/codec.ts'
import { ImportSession, type SessionOptions } from '#src/importer/session.ts'
import type { LogHead, MessageLog } from '#src/ports/message-log.ts'

export type Successor = Pick<LogSuperseded, 'nextGeneration' | 'nextLog' | 'reason'>

/**
 * Lets a log that another generation replaced end with an event that says so. Without effect where it does already, or
 * holds nothing: whoever finds it open closes it, since the importer that left it may have been killed before it could.
 * Resolves to whether it appended. Rejects with `owner_busy` or `log_writer_busy` while an importer still works in it.
 */
export async function closeLog(options: SessionOptions, next: Successor): Promise<boolean> {
  const { log } = options
  const head = await log.head()
  if (head.sequence === 0 || (await isClosed(log, head))) return false
  const session = await ImportSession.open(options)
  try {
    // Again: another importer may have closed it while this one waited for its turn.
    if (await isClosed(log, session.head)) return false
    const { time: consensusTimestamp = 0n } = session.head
    const value = encodeEvent('LogSuperseded', { ...next, consensusTimestamp })
    const key = 'log/superseded'
    await session.append([[{ type: 'LogSuperseded', key, time: consensusTimestamp, value }]])
    await session.checkpoint()
    return true
  } finally {
    await session.close()
  }
}

async function isClosed(log: MessageLog, { sequence }: LogHead): Promise<boolean> {
  const batches = log.read({ after: sequence - 1, countMax: 1, bytesMax: 1, follow: false })
  for await (const { records } of batches) {
    const last = records.at(-1)
    if (last?.sequence === sequence) return last.type === 'LogSuperseded'
  }
  return false
}

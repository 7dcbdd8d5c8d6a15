import type { LogSuperseded } from '#schemas/events/types.ts'
import { decodeEvent, encodeEvent } from '#src/events/codec.ts'
import { ImportSession, type SessionOptions } from '#src/importer/session.ts'
import type { LogHead, MessageLog } from '#src/ports/message-log.ts'

export type Successor = Pick<LogSuperseded, 'nextGeneration' | 'nextLog' | 'reason'>

/**
 * Lets a log end with an event that names the generation which serves, whatever it said before: subscribers obey one that is
 * the last event of its log. A log that serves itself names itself where it said otherwise, and says nothing else. Without
 * effect where it ends so already, or holds nothing: whoever finds it otherwise does this, since the importer that left it
 * may have been killed before it could. Resolves to whether it appended. Rejects with `owner_busy` or `log_writer_busy` while an importer still works in it.
 */
export async function closeLog(options: SessionOptions, next: Successor): Promise<boolean> {
  if (await isSettled(options, next)) return false
  const session = await ImportSession.open(options)
  try {
    // Again: another importer may have closed it while this one waited for its turn.
    if (await isSettled(options, next)) return false
    await appendSuccessor(session, next)
    return true
  } finally {
    await session.close()
  }
}

/** The same for a log that serves, within the session of its importer. */
export async function reopenLog(
  session: ImportSession,
  { log, generation }: Pick<SessionOptions, 'log' | 'generation'>,
  ownName: string,
): Promise<boolean> {
  const own = { nextGeneration: generation, nextLog: ownName, reason: 'serves again' }
  if (await isSettled({ log, generation }, own)) return false
  await appendSuccessor(session, own)
  return true
}

async function appendSuccessor(session: ImportSession, next: Successor): Promise<void> {
  const { time: consensusTimestamp = 0n } = session.head
  const value = encodeEvent('LogSuperseded', { ...next, consensusTimestamp })
  const key = 'log/superseded'
  await session.append([[{ type: 'LogSuperseded', key, time: consensusTimestamp, value }]])
  await session.checkpoint()
}

/** Whether a subscriber that reads the log to its end learns which generation serves. */
async function isSettled(
  { log, generation }: Pick<SessionOptions, 'log' | 'generation'>,
  { nextGeneration }: Pick<Successor, 'nextGeneration'>,
): Promise<boolean> {
  const head = await log.head()
  if (head.sequence === 0) return true
  const named = await successorNamed(log, head)
  return named === undefined ? nextGeneration === generation : named === nextGeneration
}

/** The generation that a log names with its last event; undefined where that says something else. */
export async function successorNamed(log: MessageLog, { sequence }: LogHead): Promise<number | undefined> {
  if (sequence === 0) return undefined
  const batches = log.read({ after: sequence - 1, countMax: 1, bytesMax: 1, follow: false })
  for await (const { records } of batches) {
    const last = records.at(-1)
    if (last?.sequence !== sequence) continue
    return last.type === 'LogSuperseded' ? decodeEvent({ ...last, type: last.type }).nextGeneration : undefined
  }
  return undefined
}

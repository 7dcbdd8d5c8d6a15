import type { LogBatch, MessageLog, Position, ReadOptions } from '#src/ports/message-log.ts'

/** A log as it was when it ended at this sequence. Closing it leaves the log itself open. */
export function logUpTo(log: MessageLog, through: Position): MessageLog {
  return {
    openWriter: () => log.openWriter(),
    identity: () => log.identity(),
    async head() {
      const { sequence, time } = await log.head()
      return { sequence: Math.min(sequence, through), time }
    },
    read: (options) => readUpTo(log, through, options),
    close: async () => undefined,
  }
}

async function* readUpTo(log: MessageLog, through: Position, options: ReadOptions): AsyncGenerator<LogBatch> {
  if (options.after >= through) return
  for await (const { records, head } of log.read({ ...options, follow: false })) {
    const kept = records.filter(({ sequence }) => sequence <= through)
    if (kept.length > 0) yield { records: kept, head: Math.min(head, through) }
    if ((records.at(-1)?.sequence ?? 0) >= through) return
  }
}

import { LedgerError } from '#src/domain/errors.ts'
import { recordOfDecision } from '#src/events/decisions.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import type { LogBatch, MessageLog, ReadOptions } from '#src/ports/message-log.ts'

/**
 * All streams of a decision store, in their one order, as a log that projections are fed from: a sequence is the position
 * of an event, so it ascends with gaps, and a time is when an event was written down. Only the commands append to it.
 */
export function decisionLog(store: DecisionStore): MessageLog {
  return {
    openWriter: async () => {
      throw new LedgerError('operation_refused', 'Decisions are appended by commands only')
    },
    read: (options) => readDecisions(store, options),
    async head() {
      const newest = await store.newest()
      if (newest === undefined) return { sequence: 0, time: undefined }
      const { sequence, time } = recordOfDecision(newest)
      return { sequence, time }
    },
    identity: () => store.identity(),
    close: () => store.close(),
  }
}

async function* readDecisions(
  store: DecisionStore,
  { after, countMax, follow, signal }: ReadOptions,
): AsyncGenerator<LogBatch> {
  for await (const { events, head } of store.readAll({ after, countMax, follow, signal }))
    yield { records: events.map(recordOfDecision), head }
}

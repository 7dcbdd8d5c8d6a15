import { type CopyName, copyNames } from '#src/events/event-types.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { copyTopics } from '#src/runtime/copies/copy-topics.ts'
import type { StageResult } from '#test/bench/stages.ts'
import { enginesAt, type Place } from '#test/support/place.ts'

/** Copies subjects of a whole log to topics of their own, as an importer does beside its import: what that costs for each event of the log. */
export async function copyLog(from: Place, to: Place, topics: readonly CopyName[] = copyNames): Promise<StageResult> {
  const source = await enginesAt(from).openLog(1)
  const count = (await source.head()).sequence
  await source.close()
  const copied: Partial<Record<string, number>> = {}
  const [before, started] = [process.cpuUsage(), performance.now()]
  await copyTopics({
    topics,
    openSource: () => enginesAt(from).openLog(1),
    openTopic: (topic) => enginesAt(to).openLog(1, 'write', topic),
    removeTopic: undefined,
    ...{
      eventsMax: 1_000,
      bytesMax: 4 << 20,
      retryMinMs: 100,
      retryMaxMs: 5_000,
      fencedRestMs: 10_000,
      logger: silentLogger,
    },
    ...{ signal: new AbortController().signal, finish: AbortSignal.abort() },
    onProgress: ({ topic, events }) => {
      copied[topic] = (copied[topic] ?? 0) + events
    },
  })
  const { user, system } = process.cpuUsage(before)
  const note = topics.map((topic) => `${(copied[topic] ?? 0).toLocaleString('en')} ${topic}`).join(', ')
  return { count, seconds: (performance.now() - started) / 1_000, cpuSeconds: (user + system) / 1e6, note }
}

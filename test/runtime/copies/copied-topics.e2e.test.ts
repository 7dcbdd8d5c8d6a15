import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerEventSchemas } from '#src/adapters/registry/register-schemas.ts'
import { openSchemaRegistry } from '#src/adapters/registry/schema-registry.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { type CopyName, copyNames } from '#src/events/event-types.ts'
import { createConfluentFraming, singleObjectFraming, type WireFraming } from '#src/events/framing.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { MessageLog, StoredRecord } from '#src/ports/message-log.ts'
import { copyTopics } from '#src/runtime/copies/copy-topics.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { describeWithKafka, findRegistry } from '#test/support/services.ts'

const registry = findRegistry()
const count = 60

describeWithKafka('copies of a log on Kafka', ({ brokers }) => {
  const logs = new TestLogs()
  const options = testOptions(brokers)
  const framings = new Map<CopyName, WireFraming>()
  const ofTopic = (topic: CopyName): MessageLog =>
    logs.open({ ...options, topic: `${options.topic}.${topic}`, framing: framings.get(topic) ?? singleObjectFraming })
  const times = Array.from({ length: count }, (_, index) => 100n + BigInt(index))

  beforeAll(async () => {
    if (registry !== undefined) {
      const opened = openSchemaRegistry({ url: registry.url, timeoutMs: 20_000 })
      for (const topic of copyNames)
        framings.set(
          topic,
          createConfluentFraming(await registerEventSchemas(opened, `${options.topic}.${topic}`, topic)),
        )
    }
    const records = times.flatMap((consensusTimestamp) => [
      recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp })),
      recordOf('BlockRecorded', { number: consensusTimestamp, consensusEnd: consensusTimestamp }),
    ])
    await publish(logs.open(options), records)
  }, 120_000)
  afterAll(() => logs.dispose())

  it('have each event once and in order, though a second process takes the right to write from the first at its work', {
    timeout: 120_000,
  }, async () => {
    const first = begin(7)
    await first.copied
    const second = begin(5)
    await second.copied
    first.stop.abort()
    second.finish.abort()
    await Promise.all([first.ended, second.ended])
    const keys = times.map(String)
    expect((await recordsOn('transfers')).map(({ key }) => key)).toEqual(keys)
    const blocks = await recordsOn('blocks')
    expect(blocks.map(({ key }) => key)).toEqual(keys)
    const [oldest] = blocks
    expect(decodeEvent({ type: 'BlockRecorded', value: oldest!.value })).toMatchObject({ number: 100n })
  })

  const begin = (eventsMax: number) => {
    const [stop, finish] = [new AbortController(), new AbortController()]
    const copied = Promise.withResolvers<void>()
    const ended = copyTopics({
      topics: copyNames,
      openSource: async () => logs.open(options),
      openTopic: async (topic) => ofTopic(topic),
      removeTopic: undefined,
      ...{ eventsMax, bytesMax: 1 << 20, retryMinMs: 20, retryMaxMs: 200, fencedRestMs: 5_000, logger: silentLogger },
      ...{ signal: stop.signal, finish: finish.signal },
      onProgress: ({ events }) => events > 0 && copied.resolve(),
    })
    return { stop, finish, ended, copied: copied.promise }
  }

  const recordsOn = async (topic: CopyName): Promise<StoredRecord[]> => {
    const found: StoredRecord[] = []
    const log = ofTopic(topic)
    for await (const { records } of log.read({ after: 0, countMax: 1_000, bytesMax: 1 << 20, follow: false }))
      found.push(...records)
    return found
  }
})

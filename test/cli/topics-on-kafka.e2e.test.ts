import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LogRecord } from '#src/ports/message-log.ts'
import { publish, recordOf } from '#test/support/events.ts'
import { enginesAt, type Place } from '#test/support/place.ts'
import { describeWithKafka } from '#test/support/services.ts'
import { run } from './support.ts'

const timeoutMs = 60_000

describeWithKafka('topics tail of Kafka', ({ brokers }) => {
  const prefix = `test-${randomUUID().slice(0, 8)}`
  const place: Place = { data: '/nowhere', kafka: { brokers: brokers.join(','), prefix } }
  const engines = enginesAt(place)

  const write = async (generation: number, ...records: readonly LogRecord[]): Promise<void> => {
    const log = await engines.openLog(generation)
    await publish(log, records)
    await log.close()
  }

  beforeAll(async () => {
    const statement = (count: bigint) => recordOf('SnapshotCompleted', { count })
    await write(1, statement(1n), recordOf('LogSuperseded', { nextGeneration: 3 }))
    await write(3, statement(3n))
    // Not promoted yet: no topic names it.
    await write(4, statement(4n))
  }, timeoutMs)

  afterAll(async () => {
    for (const generation of [1, 3, 4]) await engines.removeLog(generation)
  })

  const tail = (...more: readonly string[]) => {
    const log = ['--log', 'kafka', '--kafka-brokers', brokers.join(','), '--kafka-topic-prefix', prefix]
    return run(['topics', 'tail', '--json', '--data', '/nowhere', ...log, ...more])
  }

  it(
    'shows the generation that the topics lead to, or another one, without any store',
    async () => {
      const counts = ({ out }: { out: string }) => out.match(/"count":"?\d+/g)?.map((text) => text.replace(/\D/g, ''))
      const nobody = ['--store', 'mongodb', '--mongodb-uri', 'mongodb://127.0.0.1:1']

      expect(counts(await tail(...nobody))).toEqual(['3'])
      expect(counts(await tail('--generation', '4'))).toEqual(['4'])
      expect(await tail('--generation', '2')).toMatchObject({
        code: 78,
        err: expect.stringContaining('There is no generation 2 of the log; there are 1, 3, 4'),
      })
    },
    timeoutMs,
  )
})

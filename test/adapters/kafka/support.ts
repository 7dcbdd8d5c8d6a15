import { randomUUID } from 'node:crypto'
import { type KafkaMessageLog, openKafkaLog } from '#src/adapters/kafka/message-log.ts'
import type { KafkaLogOptions } from '#src/adapters/kafka/options.ts'
import { removeTopic } from '#src/adapters/kafka/topic.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { defaultConfig } from '#test/support/place.ts'

/** Options for a topic that no other test has. */
export function testOptions(brokers: readonly string[], overrides: Partial<KafkaLogOptions> = {}): KafkaLogOptions {
  return {
    ...defaultConfig.kafka,
    brokers,
    topic: `test-${randomUUID()}`,
    clientId: 'ledger-history-test',
    tls: undefined,
    sasl: undefined,
    replicationFactor: undefined,
    minInsyncReplicas: undefined,
    logger: silentLogger,
    producerVersion: '0.0.0-test',
    ...overrides,
  }
}

/** Opens logs, and at the end closes them and removes their topics. */
export class TestLogs {
  readonly #opened = new Map<KafkaMessageLog, KafkaLogOptions>()

  open(options: KafkaLogOptions): KafkaMessageLog {
    const log = openKafkaLog(options)
    this.#opened.set(log, options)
    return log
  }

  topics(): string[] {
    return [...this.#opened.values()].map(({ topic }) => topic)
  }

  async dispose(): Promise<void> {
    const topics = new Map([...this.#opened.values()].map((options) => [options.topic, options]))
    for (const log of this.#opened.keys()) await log.close()
    this.#opened.clear()
    for (const options of topics.values()) await removeTopic(options)
  }
}

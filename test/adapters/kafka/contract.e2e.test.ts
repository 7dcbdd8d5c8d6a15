import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { describeMessageLog } from '#test/contract/message-log.contract.ts'
import { describeWithKafka } from '#test/support/services.ts'

describeWithKafka('with Kafka', ({ brokers }) => {
  for (const compression of ['zstd', 'gzip', 'none'] as const) {
    describeMessageLog(`a Kafka topic (compression ${compression})`, async () => {
      const logs = new TestLogs()
      const options = testOptions(brokers, { compression })
      return { open: async () => logs.open(options), dispose: () => logs.dispose() }
    })
  }
})

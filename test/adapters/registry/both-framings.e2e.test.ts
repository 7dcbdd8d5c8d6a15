import { afterAll, expect, it } from 'vitest'
import { registerEventSchemas } from '#src/adapters/registry/register-schemas.ts'
import { openSchemaRegistry } from '#src/adapters/registry/schema-registry.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { createConfluentFraming, singleObjectFraming, type WireFraming } from '#src/events/framing.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { publish, recordOf } from '#test/support/events.ts'
import { describeWithKafka, findRegistry, whyMissing } from '#test/support/services.ts'

const registryAddress = findRegistry()?.url
const reason = registryAddress === undefined ? whyMissing('schema registry', 'LEDGER_TEST_REGISTRY') : undefined

describeWithKafka('a topic whose writer got a schema registry later, and lost it again', ({ brokers }) => {
  const logs = new TestLogs()
  const options = testOptions(brokers)
  const withFraming = (framing: WireFraming) => logs.open({ ...options, framing })

  afterAll(() => logs.dispose())

  const title = 'is read from end to end by readers that never ask a registry'
  it.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (skipped: ${reason})`, async () => {
    const registry = openSchemaRegistry({ url: registryAddress ?? '', timeoutMs: 20_000 })
    const confluent = createConfluentFraming(await registerEventSchemas(registry, options.topic))
    const written = [1n, 2n, 3n].map((count) => recordOf('SnapshotCompleted', { count }))
    for (const [index, framing] of [singleObjectFraming, confluent, singleObjectFraming].entries())
      await publish(withFraming(framing), [written[index]!])

    const read: StoredRecord[] = []
    const all = { after: 0, countMax: 100, bytesMax: 1 << 20, follow: false }
    for await (const { records } of withFraming(singleObjectFraming).read(all)) read.push(...records)

    expect(read.map((record) => decodeEvent({ ...record, type: 'SnapshotCompleted' }).count)).toEqual([1n, 2n, 3n])
    for (const [index, { value }] of read.entries()) expect(Buffer.compare(value, written[index]!.value)).toBe(0)
  })
})

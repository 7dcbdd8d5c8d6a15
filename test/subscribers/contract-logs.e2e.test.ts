import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerEventSchemas } from '#src/adapters/registry/register-schemas.ts'
import { openSchemaRegistry } from '#src/adapters/registry/schema-registry.ts'
import { createConfluentFraming } from '#src/events/framing.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { exampleCode } from '#test/subscribers/document.ts'
import { type PublishedLedger, publishLogs } from '#test/subscribers/published-logs.ts'
import { describeWithKafka, findKafka, findRegistry } from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { findKcat, findSubscriberPython, outputOf, type Tool } from './tools.ts'

const registry = findRegistry()
const missing: Tool = { missing: 'no Kafka, or no schema registry' }
const hasServices = findKafka() !== undefined && registry !== undefined
const kcat = hasServices ? await findKcat() : missing
const python = hasServices ? await findSubscriberPython() : missing

describeWithKafka('subscribers of the logs', ({ brokers }) => {
  const logs = new TestLogs()
  const options = testOptions(brokers)
  const where = { KAFKA: brokers.join(','), LOGS: options.topic }
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let published: PublishedLedger
  let records: StoredRecord[]

  beforeAll(async () => {
    if (registry === undefined) return
    folder = await temporaryFolder()
    const opened = openSchemaRegistry({ url: registry.url, timeoutMs: 20_000 })
    const framing = createConfluentFraming(await registerEventSchemas(opened, options.topic, 'contract-logs'))
    published = await publishLogs(folder.path, () => logs.open({ ...options, framing }))
    records = []
    const log = logs.open(options)
    for await (const batch of log.read({ after: 0, countMax: 1_000, bytesMax: 1 << 20, follow: false }))
      records.push(...batch.records)
  }, 120_000)

  afterAll(async () => {
    await published?.ledger.close()
    await logs.dispose()
    await folder?.remove()
  })

  it.skipIf('missing' in kcat)('see each once, in order, with kcat', async () => {
    const lines = (await outputOf('sh', ['-c', exampleCode('kcat-logs')], where)).trim().split('\n')
    expect(lines).toEqual(records.map(({ key, sequence }) => `${key} ${sequence}`))
    expect(new Set(records.map(({ key }) => key)).size).toBe(records.length)
  })

  describe.skipIf('missing' in python)('in Python', () => {
    it('get the balances of a token from its transfers, which are those that the API answers', async () => {
      const script = join(folder.path, 'token-balances.py')
      writeFileSync(script, exampleCode('python-token-balances'))
      writeFileSync(join(folder.path, 'ledger_events.py'), exampleCode('python-events'))
      const app = published.ledger.app()
      const api = await app.listen({ port: 0, host: '127.0.0.1' })
      const flags = ['--kafka', where.KAFKA, '--registry', registry?.url ?? '', '--topic', where.LOGS, '--api', api]
      try {
        for (const token of published.tokens.slice(0, 3)) {
          const out = await outputOf('path' in python ? python.path : '', [script, ...flags, '--token', `0.0.${token}`])
          expect(out).toMatch(/^(0x[\da-f]{40} \d+\n)+$/)
        }
      } finally {
        await app.close()
      }
    }, 60_000)
  })
})

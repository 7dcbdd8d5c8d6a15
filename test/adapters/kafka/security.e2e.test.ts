import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openKafkaLog } from '#src/adapters/kafka/message-log.ts'
import type { KafkaSasl } from '#src/adapters/kafka/options.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { describeWithOwn, type LocalKafka, startKafka } from '#test/support/own-services.ts'

const misconfigured = (error: unknown) => isLedgerError(error, 'config_invalid')

describeWithOwn(['kafka'], 'a log on a Kafka with encryption and users', () => {
  let kafka: LocalKafka
  const logs = new TestLogs()
  const user = { username: 'importer', password: 'secret-1' }
  beforeAll(async () => {
    kafka = await startKafka({ tls: true, sasl: user, heapMb: 320 })
  }, 120_000)
  afterEach(() => logs.dispose())
  afterAll(() => kafka.stop())

  const open = (sasl: KafkaSasl | undefined, ca: string | undefined) =>
    logs.open(
      testOptions(kafka.bootstrap.split(','), {
        tls: { ca, cert: undefined, key: undefined },
        sasl,
        connectTimeoutMs: 5_000,
      }),
    )
  const authority = () => readFileSync(kafka.authorityFile!, 'utf8')

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('is written and read by %s', async (mechanism) => {
    const log = open({ mechanism, ...user }, authority())
    const writer = await log.openWriter()
    await writer.append([[logRecord(1), logRecord(2)]])
    expect((await readAll(log)).map(({ key }) => key)).toEqual(['key-1', 'key-2'])
  })

  /** What a log says that can't be opened; each is removed from those that are disposed of with rights. */
  async function refusal(sasl: KafkaSasl | undefined, ca: string | undefined): Promise<unknown> {
    const options = testOptions(kafka.bootstrap.split(','), { tls: { ca, cert: undefined, key: undefined }, sasl })
    const log = openKafkaLog(options)
    try {
      return await log.head().catch((error: unknown) => error)
    } finally {
      await log.close()
    }
  }

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'refuses a wrong password for %s once and clearly',
    async (mechanism) => {
      const since = performance.now()
      const error = await refusal({ mechanism, ...user, password: 'wrong' }, authority())
      expect(error).toSatisfy(misconfigured)
      expect(String(error)).toContain(
        `does not let in user importer with mechanism ${mechanism}; check the user, the password and the mechanism`,
      )
      expect(String(error)).not.toContain('wrong')
      expect(performance.now() - since).toBeLessThan(5_000)
    },
  )

  it('refuses an authority that did not sign the certificate', async () => {
    const error = await refusal({ mechanism: 'plain', ...user }, undefined)
    expect(error).toSatisfy(misconfigured)
    expect(String(error)).toContain('check the certificates')
  })
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerEventSchemas } from '#src/adapters/registry/register-schemas.ts'
import { openSchemaRegistry } from '#src/adapters/registry/schema-registry.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { decodeEvent, encodeEvent } from '#src/events/codec.ts'
import { createConfluentFraming, locateBody, type SchemaIds, singleObjectHeader } from '#src/events/framing.ts'
import { allSchemas, type WriterSchema } from '#src/events/schemas.ts'
import type { LogRecord, StoredRecord } from '#src/ports/message-log.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { describeWithKafka, findKafka, findRegistry, whyMissing } from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { exampleCode } from './document.ts'
import { findKcat, findSubscriberPython, outputOf, type Tool } from './tools.ts'

const registryAddress = findRegistry()?.url
// Nothing is installed for tests that could not run.
const hasServices = findKafka() !== undefined && registryAddress !== undefined
const notLookedFor: Tool = { missing: 'not looked for, since the services are missing' }
const kcat = hasServices ? await findKcat() : notLookedFor
const python = hasServices ? await findSubscriberPython() : notLookedFor
const blocks = 4
/** Small enough for the event below to travel in parts. */
const batchBytesMax = 50_000
const older = { fileId: 102n, contents: Buffer.from('an address book'), asOf: 0n }
const largeContents = Buffer.from(Array.from({ length: 180_000 }, (_, index) => (index * 7) % 251))

describeWithKafka('subscribers that know only the topic and the registry', ({ brokers }) => {
  const logs = new TestLogs()
  const options = testOptions(brokers, { batchBytesMax })
  const { topic } = options
  const kafka = brokers.join(',')
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let ids: SchemaIds
  /** What our own reader says of the log. */
  let records: StoredRecord[]

  beforeAll(async () => {
    if (registryAddress === undefined) return
    folder = await temporaryFolder()
    ids = await registerEventSchemas(openSchemaRegistry({ url: registryAddress, timeoutMs: 20_000 }), topic)
    const world = new ImportWorld()
    const log = logs.open({ ...options, framing: createConfluentFraming(ids) })
    world.log = log
    await runSimulator({ folder: folder.path, options: { seed: 'subscribers', accounts: 20 }, blocks })
    const addressBook = readFileSync(join(folder.path, 'address-book.bin'))
    await world.import(folder.path, { addressBook, sidecarTypes: new Set([1, 2, 3]) })
    await abortTransaction(kafka, topic)
    const time = (await log.head()).time ?? 0n
    const writer = await log.openWriter()
    await writer.append([[largeRecord(time)], [olderRecord(time)], [lastRecord(time)]])
    await writer.close()
    records = await world.records()
  }, 120_000)

  afterAll(async () => {
    await logs.dispose()
    await folder?.remove()
  })

  describeWithTool('kcat', kcat, () => {
    const shell = (name: string, env: Record<string, string> = {}) =>
      linesOf(outputOf('sh', ['-c', exampleCode(name)], { KAFKA: kafka, TOPIC: topic, ...env }))

    it('lists every event once and in order, with key, time and headers', async () => {
      const lines = await shell('kcat-list')
      const whole = lines.filter((line) => !line.includes(',part=') || line.includes(',part=1,'))

      expect(lines.length - whole.length, 'further parts of the large event').toBeGreaterThan(1)
      expect(whole.map(withoutOffset)).toEqual(
        records.map(({ key, time, sequence, type }) => [time / 1_000_000n, key, sequence, type].join(' ')),
      )
    })

    it('sees what was given up only when it is not told to read what is committed', async () => {
      const command = exampleCode('kcat-list').replace('read_committed', 'read_uncommitted')
      const all = await linesOf(outputOf('sh', ['-c', command], { KAFKA: kafka, TOPIC: topic }))
      const committed = await shell('kcat-list')

      expect(all.filter((line) => line.includes('given-up'))).toHaveLength(2)
      expect(committed.filter((line) => line.includes('given-up'))).toEqual([])
      expect(all.length).toBe(committed.length + 2)
    })

    it("finds Confluent's framing with the identifier that the registry gave", async () => {
      const lines = await shell('kcat-schema')
      const small = records.filter(({ value }) => value.length < batchBytesMax / 2)

      expect(lines).toEqual(
        expect.arrayContaining(small.map(({ key, value }) => `${key} 0${ids.get(writerOf(value).fingerprint)}`)),
      )
    })

    it('starts from a time', async () => {
      const from = records[Math.floor(records.length / 2)]!
      const lines = await shell('kcat-time', { SINCE_MS: String(from.time / 1_000_000n) })

      const later = records.filter(({ time }) => time / 1_000_000n >= from.time / 1_000_000n)
      expect([...new Set(lines)]).toEqual(later.map(({ time, key }) => `${time / 1_000_000n} ${key}`))
    })
  })

  describeWithTool('a consumer in Python', python, (program) => {
    const subscribe = async (...more: readonly string[]): Promise<string[]> => {
      const script = join(folder.path, 'subscriber.py')
      writeFileSync(join(folder.path, 'ledger_events.py'), exampleCode('python-events'))
      writeFileSync(script, exampleCode('python-subscriber'))
      const where = ['--kafka', kafka, '--registry', registryAddress ?? '', '--topic', topic]
      return linesOf(outputOf(program, [script, ...where, '--until-end', ...more]))
    }

    it('decodes every event as our own reader does, digit by digit', async () => {
      const lines = await subscribe()

      expect(lines).toHaveLength(records.length)
      for (const [index, line] of lines.entries()) expect(line).toBe(lineAsWritten(records[index]!))
    })

    it.each([0, 0.3, 0.5, 1])('starts from a consensus time, to the nanosecond (%f of the log)', async (share) => {
      const since = records[Math.round(share * (records.length - 1))]!.time + 1n
      const lines = await subscribe('--since-ns', String(since))

      expect(lines).toEqual(records.filter(({ time }) => time >= since).map(lineAsWritten))
    })

    it('goes on behind the last sequence that it handled', async () => {
      const lines = await subscribe('--after', String(records.length - 3))

      expect(lines).toEqual(records.slice(-3).map(lineAsWritten))
    })

    it('in a group goes on where the member before ended', async () => {
      const script = join(folder.path, 'group.py')
      writeFileSync(join(folder.path, 'ledger_events.py'), exampleCode('python-events'))
      writeFileSync(script, exampleCode('python-group'))
      const where = [
        '--kafka',
        kafka,
        '--registry',
        registryAddress ?? '',
        '--topic',
        topic,
        '--group',
        `${topic}-group`,
      ]
      const member = (...more: readonly string[]) => linesOf(outputOf(program, [script, ...where, ...more]))

      const lines = [...(await member('--until', '', '--count', '5')), ...(await member('--until', '', '--until-end'))]

      expect(lines).toHaveLength(records.length)
      for (const [index, line] of lines.entries()) expect(line).toBe(lineAsWritten(records[index]!))
    })
  })

  describeWithTool('Kafka Connect, as the how-to sets it up,', kcat, () => {
    const settings = new Map(
      exampleCode('connect-settings')
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    )

    it('reads what is committed, from the beginning', async () => {
      const overrides = [...settings].filter(([name]) => name.startsWith('consumer.override.'))
      const options = overrides.flatMap(([name, value]) => ['-X', `${name.replace('consumer.override.', '')}=${value}`])
      const group = ['-G', `${topic}-connect`, topic]
      const lines = await linesOf(outputOf('kcat', ['-b', kafka, '-q', '-e', '-f', '%k\n', ...options, ...group]))

      expect([...new Set(lines)]).toEqual(records.map(({ key }) => key))
    })

    it('finds the version of every schema that wrote a value, under the subject that its strategy names', async () => {
      expect([...settings.keys()].filter((name) => name.includes('subject.name.strategy'))).toEqual([])
      const registry = openSchemaRegistry({ url: registryAddress ?? '', timeoutMs: 20_000 })
      const writers = new Map(records.map(({ value }) => writerOf(value)).map((each) => [each.fingerprint, each]))

      for (const { schema, fingerprint } of writers.values()) {
        const found = await registry.find(`${topic}-value`, schema)
        expect(found).toEqual({ id: ids.get(fingerprint), version: expect.any(Number) })
      }
    })
  })
})

/** Tests with a program of others; skipped with the reason in their name where it, or the registry, is missing. */
function describeWithTool(name: string, tool: Tool, body: (path: string) => void): void {
  const reason =
    registryAddress === undefined
      ? whyMissing('schema registry', 'LEDGER_TEST_REGISTRY')
      : 'missing' in tool
        ? tool.missing
        : undefined
  if (reason === undefined && 'path' in tool) describe(name, () => body(tool.path))
  else describe(`${name} (skipped: ${reason})`, () => it.skip('everything in it', () => {}))
}

/** What an importer leaves behind that ends in the middle of a block. */
async function abortTransaction(kafka: string, topic: string): Promise<void> {
  const client = new Kafka({ brokers: kafka.split(','), logLevel: logLevel.NOTHING })
  const producer = client.producer({ transactionalId: `given-up-${topic}`, maxInFlightRequests: 1, idempotent: true })
  await producer.connect()
  const transaction = await producer.transaction()
  const messages = [1, 2].map((number) => ({ key: `given-up/${number}`, value: 'nothing', timestamp: '1' }))
  await transaction.send({ topic, acks: -1, messages })
  await transaction.abort()
  await producer.disconnect()
}

function largeRecord(time: bigint): LogRecord {
  const value = encodeEvent('AddressBookSnapshotted', { fileId: 102n, contents: largeContents, asOf: time })
  return { type: 'AddressBookSnapshotted', key: 'large', time, value }
}

/** As the first release wrote it. */
function olderRecord(time: bigint): LogRecord {
  const writer = allSchemas().find(({ eventType }) => eventType === 'AddressBookSnapshotted')!
  const data = writer.type.toBuffer(older)
  return { type: writer.eventType, key: 'older', time, value: Buffer.concat([singleObjectHeader(writer), data]) }
}

function lastRecord(time: bigint): LogRecord {
  const value = encodeEvent('SnapshotCompleted', { count: 2n ** 63n - 1n })
  return { type: 'SnapshotCompleted', key: 'ümlaut/last', time, value }
}

function writerOf(value: Uint8Array): WriterSchema {
  return locateBody(asBuffer(value)).writer
}

async function linesOf(output: Promise<string>): Promise<string[]> {
  return (await output).split('\n').filter((line) => line !== '')
}

/** `offset time key headers` as `time key sequence type`. */
function withoutOffset(line: string): string {
  const [, time, key, headers = ''] = line.split(' ')
  const read = (name: string) => new RegExp(`(?:^|,)${name}=([^,]*)`).exec(headers)?.[1]
  return [time, key, read('sequence'), read('event-type')].join(' ')
}

/** What one that reads by the schema of the writer prints. */
function lineAsWritten(record: StoredRecord): string {
  return lineOf(record, record.key === 'older' ? older : decodeEvent(record))
}

/** The line that the subscribers of the how-to print of an event. */
function lineOf(record: StoredRecord, event: object = decodeEvent(record)): string {
  const { sequence, type, key, time } = record
  const line = { sequence, type, key, timestamp: Number(time / 1_000_000n), event }
  return JSON.stringify(line, (_name, value: unknown) => exact(value))
}

/** In Node, not yet in the library types. */
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }

function exact(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJson(String(value))
  const bytes = value as { type?: unknown; data?: unknown } | null
  // What JSON makes of a Buffer before anybody is asked.
  if (bytes !== null && typeof bytes === 'object' && bytes.type === 'Buffer') {
    return Buffer.from(bytes.data as number[]).toString('hex')
  }
  return value
}

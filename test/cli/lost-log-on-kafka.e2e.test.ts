import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import { chainOf, importing, TestDeployment } from '#test/cli/late-mirror.ts'
import { transfer } from '#test/importer/import-folder.ts'
import { until } from '#test/importer/import-world.ts'
import { chainV6 } from '#test/support/record-writer.ts'
import { describeWithKafka } from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const storyMs = 600_000

describeWithKafka('a log on Kafka', ({ brokers }) => {
  let folder: string
  let remove: () => Promise<void>
  let deployment: TestDeployment
  let flags: readonly string[]
  let topic: string

  beforeEach(async () => {
    ;({ path: folder, remove } = await temporaryFolder())
    const prefix = `test-${randomBytes(4).toString('hex')}`
    topic = `${prefix}.transactions`
    flags = ['--log', 'kafka', '--kafka-brokers', brokers.join(','), '--kafka-topic-prefix', prefix]
    deployment = new TestDeployment(folder, flags)
    deployment.writeFiles(chainOf(4))
    await deployment.succeed(...importing, '--once')
    await deployment.succeed('project', '--once')
  }, storyMs)

  afterEach(async () => {
    await deployment.stop()
    for (const generation of [1, 2]) await deployment.engines.removeLog(generation)
    await remove()
  })

  async function serve(): Promise<() => Promise<readonly string[]>> {
    const api = deployment.begin('serve', '--port', '0')
    const [, url] = await api.printed(/ at (http\S+)\/api\/v1/)
    const reasons = async () => {
      const response = await fetch(`${url}/health/readiness`)
      return ((await response.json()) as { reasons: string[] }).reasons
    }
    await until(async () => (await reasons()).length === 0)
    return reasons
  }

  async function expectTold(lacks: RegExp, verbs: readonly (readonly string[])[]): Promise<void> {
    for (const verb of verbs) {
      const { code, out, err } = await deployment.run(...verb)
      expect(code, `${verb.join(' ')}\n${out}${err}`).toBe(1)
      expect(out + err, verb.join(' ')).toMatch(lacks)
      expect(out + err).toContain('import republish')
    }
  }

  it(
    'that was deleted is told by readiness and every verb, and a new generation repairs it',
    async () => {
      const reasons = await serve()
      await deployment.engines.removeLog(1)
      await until(async () => (await reasons()).some((reason) => /is gone or empty, but 11 events/.test(reason)))
      await expectTold(/is gone or empty, but 11 events were on it, the last of /, [
        ['import', 'status'],
        [...importing, '--once'],
        ['project', '--once'],
        ['import', 'verify'],
        ['projections', 'status'],
      ])

      await deployment.succeed('import', 'republish', '--source', 'streams', '--once')
      const names = allProjections.map(({ schema }) => schema.name)
      await deployment.succeed('projections', 'rebuild', ...names, '--generation', '2')
      await deployment.succeed('import', 'promote', '2', '--allow-older')
      await until(async () => (await reasons()).length === 0)
      expect(await deployment.succeed('import', 'verify', '--source', 'streams')).toBe(
        'The log holds: 4 blocks in 11 events, as the signed files say\n',
      )
    },
    storyMs,
  )

  it(
    'that was deleted and made anew by somebody else is told, though it is longer',
    async () => {
      const reasons = await serve()
      await deployment.engines.removeLog(1)
      const other = new TestDeployment(join(folder, 'other'), flags)
      other.writeFiles(chainOf(6))
      await other.succeed(...importing, '--once')
      await until(async () => (await reasons()).some((reason) => /is another one, with 15 events/.test(reason)))
      await expectTold(/is another one, with 15 events, but 11 events were on it/, [
        ['import', 'status'],
        [...importing, '--once'],
        ['import', 'detect-gaps'],
      ])
    },
    storyMs,
  )

  it(
    'is held against itself and the signed files by import verify',
    async () => {
      expect(await deployment.succeed('import', 'verify', '--source', 'streams')).toBe(
        'The log holds: 4 blocks in 11 events, as the signed files say; contract-logs publishes 0 events\n',
      )
      const [first] = chainOf(1)
      rmSync(join(folder, 'streams'), { recursive: true })
      deployment.writeFiles(
        chainV6({
          first: parseStreamFileName(first!.name)!.instant,
          number: 1n,
          items: [transfer, transfer, (time) => [...transfer(time), ...transfer(time + 1n)], transfer],
        }),
      )
      const differs = await deployment.run('import', 'verify', '--source', 'streams')
      expect(differs.code, differs.err).toBe(1)
      expect(differs.out).toMatch(/^Event 9 of the log is the BlockRecorded \w+, where the source has the Trans/)

      await produceForeign()
      const damaged = await deployment.run('import', 'verify')
      expect(damaged.code, damaged.err).toBe(1)
      expect(damaged.out).toMatch(
        /cannot be read behind event 11, after block 4 .*\n {2}repair: ledger-history import republish/,
      )
    },
    storyMs,
  )

  /** What a program does that takes the topic for one of its own. */
  async function produceForeign(): Promise<void> {
    const client = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })
    const producer = client.producer()
    await producer.connect()
    await producer.send({ topic, messages: [{ key: 'x', value: 'y', timestamp: '9999999999999' }] })
    await producer.disconnect()
  }
})

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { openDataFolder } from '#src/cli/data-folder.ts'
import { project } from '#src/cli/roles/project.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { clearPlace, configOf, flagsOf, type Place, withPlace } from '#test/support/place.ts'
import { describeWithKafka } from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const timeoutMs = 60_000

describeWithKafka('lag tools of Kafka', ({ brokers }) => {
  let folder: { path: string; remove: () => Promise<void> }
  let place: Place
  /** Other deployments on the cluster have others. */
  let groups: string[]
  const client = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })
  const admin = client.admin()

  beforeEach(async () => {
    folder = await temporaryFolder()
    const prefix = `test-${randomUUID().slice(0, 8)}`
    place = { data: join(folder.path, 'data'), kafka: { brokers: brokers.join(','), prefix } }
    groups = allProjections.map(({ schema: { name, version } }) => `${prefix}.${name}@${version}`)
    await admin.connect()
  })

  afterEach(async () => {
    await admin.deleteGroups(groups)
    await admin.disconnect()
    await clearPlace(place)
    await folder.remove()
  })

  /** Messages behind the end of the topic, as every lag tool counts them; -1 where the group has committed nothing. */
  async function lags(): Promise<number[]> {
    const topic = `${place.kafka?.prefix}.transactions`
    const [end] = await admin.fetchTopicOffsets(topic)
    const offsets = groups.map(async (groupId) => {
      const [found] = await admin.fetchOffsets({ groupId, topics: [topic] })
      const committed = Number(found?.partitions[0]?.offset ?? -1)
      return committed < 0 ? -1 : Number(end?.offset) - committed
    })
    return Promise.all(offsets)
  }

  async function projectToEnd(): Promise<void> {
    await project({
      config: configOf(flagsOf(place)),
      folder: openDataFolder(place.data, 'test'),
      logger: silentLogger,
      registry: new Registry(),
      signal: new AbortController().signal,
      finish: AbortSignal.abort(),
      report: () => {},
      otherMetrics: new Map(),
    })
  }

  const append = (from: number, count: number): Promise<void> =>
    withPlace(place, ({ log }) => {
      const times = Array.from({ length: count }, (_, index) => BigInt(from + index) * 1_000_000_000n)
      const records = times.map((consensusTimestamp) =>
        recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp })),
      )
      return publish(log, records)
    })

  it(
    'show every read model at the end of the topic once it is projected, and behind it until then',
    async () => {
      await append(1, 5)
      expect(await lags()).toEqual(groups.map(() => -1))
      await projectToEnd()
      expect(await lags()).toEqual(groups.map(() => 0))
      await append(6, 3)
      for (const lag of await lags()) expect(lag).toBeGreaterThanOrEqual(3)
      await projectToEnd()
      expect(await lags()).toEqual(groups.map(() => 0))
    },
    timeoutMs,
  )
})

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chainOf, giveLateMirrorItsHistory, importing, TestDeployment } from '#test/cli/late-mirror.ts'
import { fillMiddleGap, fixDecoding } from '#test/cli/repair-stories.ts'
import { until } from '#test/importer/import-world.ts'
import { describeWithMongo, type FoundMongo, findKafka, findMongoServers } from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/**
 * What comes to the log and what is read of it is the same in every story: those that test/cli/repairs.int.test.ts tells of the
 * embedded engines are told here with LEDGER_TEST_STORIES=all.
 */
const allStories = process.env['LEDGER_TEST_STORIES'] === 'all'
const inFull = allStories ? '' : ' (skipped: LEDGER_TEST_STORIES is not all)'

const brokers = findKafka()?.brokers
/** The stories take half a minute each, and the servers differ in nothing that they touch. */
const first = findMongoServers()[0]?.name
const which = ({ name }: FoundMongo): boolean => brokers !== undefined && name === first

describeWithMongo(
  'log generations on Kafka and MongoDB',
  ({ uri }) => {
    let folder: string
    let remove: () => Promise<void>
    let deployment: TestDeployment
    let prefix: string

    beforeEach(async () => {
      ;({ path: folder, remove } = await temporaryFolder())
      prefix = `test-${randomBytes(4).toString('hex')}`
      deployment = new TestDeployment(folder, [
        ...['--log', 'kafka', '--kafka-brokers', brokers!.join(','), '--kafka-topic-prefix', prefix],
        ...['--store', 'mongodb', '--mongodb-uri', uri, '--mongodb-database', prefix],
      ])
    })

    afterEach(async () => {
      await deployment.stop()
      for (const generation of [1, 2]) await deployment.engines.removeLog(generation)
      await remove()
    })

    it('give a mirror that began late its history, without a data folder', async () => {
      await giveLateMirrorItsHistory(deployment, `${prefix}.transactions.g2`)
      expect(existsSync(join(folder, 'data'))).toBe(false)
    }, 600_000)

    it.skipIf(!allStories)(
      `bring blocks that are missing in the middle${inFull}`,
      () => fillMiddleGap(deployment),
      180_000,
    )

    it.skipIf(!allStories)(
      `bring what an older release did not understand${inFull}`,
      () => fixDecoding(deployment),
      180_000,
    )

    it('are written by one importer at a time: one that was stopped writes nothing after another took over', async () => {
      const files = chainOf(4)
      const blocksAre = (count: number) => until(async () => (await deployment.headOf(1)) === 3 + 2 * count)
      deployment.writeFiles(files.slice(0, 1))
      const one = deployment.begin(...importing)
      await blocksAre(1)
      const other = deployment.begin(...importing)
      await until(() => other.err.includes('another importer is at work; this one stands by'))
      one.child.kill('SIGSTOP')
      deployment.writeFiles(files.slice(1, 2))
      await blocksAre(2)
      one.child.kill('SIGCONT')
      deployment.writeFiles(files.slice(2, 3))
      await until(() => one.err.includes('another importer is at work; this one stands by'))
      await blocksAre(3)
      await other.stop('SIGKILL')
      deployment.writeFiles(files.slice(3))
      await blocksAre(4)
      expect((await one.stop()).code).toBe(0)
    }, 180_000)
  },
  which,
)

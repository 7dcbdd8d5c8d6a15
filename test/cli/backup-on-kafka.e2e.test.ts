import { randomBytes } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { expect, it, onTestFinished } from 'vitest'
import { chainOf, importing, TestDeployment } from '#test/cli/late-mirror.ts'
import { describeWithKafka, describeWithMongo, type FoundMongo } from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

describeWithKafka('a deployment on Kafka', ({ brokers }) => {
  const onMongo = ({ uri }: FoundMongo): void => {
    it('has its decisions back from a backup, and its read models from the log, as the page says', async () => {
      const { path, remove } = await temporaryFolder()
      const name = `backup-${randomBytes(4).toString('hex')}`
      const kafka = ['--log', 'kafka', '--kafka-brokers', brokers.join(','), '--kafka-topic-prefix', name]
      const mongo = ['--store', 'mongodb', '--mongodb-uri', uri, '--mongodb-database']
      const before = new TestDeployment(path, [...kafka, ...mongo, name])
      const after = new TestDeployment(path, [...kafka, ...mongo, `${name}-2`])
      onTestFinished(async () => {
        await before.engines.removeLog(1)
        const client = await MongoClient.connect(uri)
        for (const each of [name, `${name}-2`]) await client.db(each).dropDatabase()
        await client.close()
        await remove()
      })
      before.writeFiles(chainOf(3))
      await before.succeed(...importing, '--once')
      await before.succeed('project', '--once')
      await before.succeed('status', 'setup')
      const components = await before.succeed('status', 'component', 'list')
      expect(components).toMatch(/operational {2}REST API/)

      const backup = await before.succeed('backup', 'backup')
      expect(backup).toMatch(/ to \S+backup: the decisions; all of it was read and holds\n/)
      expect(await before.succeed('restore', 'backup', '--data', 'restored')).toMatch(/^Restored the decisions as of /)

      await after.succeed('project', '--once', '--data', 'restored')
      expect(await after.succeed('status', 'component', 'list', '--data', 'restored')).toBe(components)
      const blocks = await after.succeed('projections', 'verify', 'blocks', '--data', 'restored')
      expect(blocks).toMatch(/^Compared [\d,]+ rows of blocks .* all equal/m)
    }, 240_000)
  }
  describeWithMongo('and MongoDB', onMongo, ({ name }) => name !== 'ferretdb')
})

import { randomBytes } from 'node:crypto'
import { it, onTestFinished } from 'vitest'
import { describeWithKafka, describeWithMongo, type FoundMongo } from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { changeReadModel } from './read-model/drill.ts'

/** FerretDB on SQLite takes milliseconds for a write: it keeps up with no network in motion. */
const isFast = ({ name }: FoundMongo): boolean => name !== 'ferretdb'

describeWithKafka('on Kafka', ({ brokers }) => {
  const onMongo = ({ uri }: FoundMongo): void => {
    it('a read model changes incompatibly on a running service, as the page says, and no client notices', async () => {
      const folder = await temporaryFolder()
      const name = `drill-${randomBytes(4).toString('hex')}`
      const settings = {
        network: name,
        engine: { log: 'kafka', store: 'mongodb' },
        kafka: { brokers, topicPrefix: name },
        mongodb: { uri, database: name },
      }
      onTestFinished(() => folder.remove())
      await changeReadModel({ folder: folder.path, settings })
    }, 400_000)
  }
  describeWithMongo('and MongoDB', onMongo, isFast)
})

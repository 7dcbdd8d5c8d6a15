import { randomBytes } from 'node:crypto'
import { it, onTestFinished } from 'vitest'
import { clearPlace } from '#test/support/place.ts'
import { describeWithKafka, describeWithMongo, type FoundMongo } from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { withoutLastRelease } from './upgrade/last-release.ts'
import { upgradeProcesses } from './upgrade/processes.ts'

/** FerretDB on SQLite takes milliseconds for a write: it keeps up with no network in motion. */
const isFast = ({ name }: FoundMongo): boolean => name !== 'ferretdb'
const reason = withoutLastRelease === undefined ? '' : ` (${withoutLastRelease})`

describeWithKafka('on Kafka', ({ brokers }) => {
  const onMongo = ({ uri }: FoundMongo): void => {
    it.skipIf(withoutLastRelease !== undefined)(
      `processes of the last release give way to those of this one, as the page says, and no request fails${reason}`,
      async () => {
        const folder = await temporaryFolder()
        const name = `upgrade-${randomBytes(4).toString('hex')}`
        const settings = {
          network: name,
          engine: { log: 'kafka', store: 'mongodb' },
          kafka: { brokers, topicPrefix: name },
          mongodb: { uri, database: name },
        }
        const place = {
          data: folder.path,
          kafka: { brokers: brokers.join(','), prefix: name },
          mongodb: { uri, database: name },
        }
        onTestFinished(async () => {
          await clearPlace(place)
          await folder.remove()
        })
        await upgradeProcesses({ folder: folder.path, settings })
      },
      240_000,
    )
  }
  describeWithMongo('and MongoDB', onMongo, isFast)
})

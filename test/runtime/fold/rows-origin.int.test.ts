import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { timesProjection } from '#test/support/sample-projections.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const times = timesProjection()
const file = 'times@1.sqlite'

async function deploymentIn(): Promise<{ deployment: TestDeployment; folder: string }> {
  const place = await temporaryFolder()
  const deployment = new TestDeployment(place.path)
  onTestFinished(async () => {
    await deployment.close()
    await place.remove()
  })
  return { deployment, folder: place.path }
}

async function project(deployment: TestDeployment, position: number): Promise<void> {
  const supervisor = deployment.supervise([times])
  await vi.waitFor(async () => expect(await deployment.positionOf(times.schema)).toBe(position), { timeout: 20_000 })
  await supervisor.end()
}

/** As a version wrote it that did not say which log rows are of. */
function forgetOrigin(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('DROP TABLE "$origin"')
  database.close()
}

function originOf(path: string): Record<string, unknown> | undefined {
  const database = new DatabaseSync(path, { readOnly: true })
  const row = database.prepare('SELECT mark, model, log FROM "$origin"').get()
  database.close()
  return row
}

describe('rows from before they said which log they are of', () => {
  let ours: { deployment: TestDeployment; folder: string }

  beforeEach(async () => {
    ours = await deploymentIn()
    await ours.deployment.publish(['one', 'two'])
    // Of a kind that the read model does not look at, so that its rows do not know the time.
    await publish(ours.deployment.log(), [recordOf('FileSnapshotted', {})])
    await project(ours.deployment, 3)
    forgetOrigin(join(ours.folder, file))
  })

  it('are taken over once where the log has their time at their position, and belong to it from then on', async () => {
    await ours.deployment.publish(['four'])
    await project(ours.deployment, 4)
    const log = await ours.deployment.log().identity()
    expect(originOf(join(ours.folder, file))).toMatchObject({ model: 'times@1', log })
  })

  it('are refused where it has another, also behind events that do not tell', async () => {
    const other = await deploymentIn()
    const record = (nanos: bigint) =>
      recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: nanos, memo: null }))
    await publish(other.deployment.log(), [record(7_000n), record(8_000n), recordOf('FileSnapshotted', {})])
    copyFileSync(join(ours.folder, file), join(other.folder, file))
    const supervisor = other.deployment.supervise([times])
    await expect(supervisor.ended).rejects.toSatisfy(
      (error) => isLedgerError(error, 'checkpoint_ahead') && /projections rebuild times/.test(error.message),
    )
    expect(await other.deployment.positionOf(times.schema)).toBe(3)
  })
})

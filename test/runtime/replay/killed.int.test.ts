import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { type AnyProjection, projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { superviseProjections } from '#src/runtime/replay/supervisor.ts'
import { digestRows } from '#test/support/digest.ts'
import { publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { balancesProjection, timesProjection } from '#test/support/sample-projections.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const projections = [timesProjection(), balancesProjection()]
const role = fileURLToPath(new URL('killed-role.ts', import.meta.url))

describe('a killed projector', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let log: MessageLog
  let store: ReadStore
  const children: { kill(signal: 'SIGKILL'): boolean }[] = []
  beforeEach(async () => {
    folder = await temporaryFolder()
    log = openSqliteLog({ folder: folder.path })
    store = openSqliteReadStore({ folder: folder.path })
  })
  afterEach(async () => {
    await store.close()
    await log.close()
    await folder.remove()
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  let published = 0
  const publishMore = (count: number) =>
    publish(
      log,
      Array.from({ length: count }, () => {
        published += 1
        return recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: BigInt(published) }))
      }),
    )
  const digestOf = async ({ schema }: AnyProjection) => {
    const reader = await store.openReader(schema)
    const digest = await digestRows(reader, schema)
    await reader.close()
    return digest
  }
  /** Runs the role until it has said so many positions, then kills it; true when it was done before. */
  async function killedAfter(work: string, lines: number): Promise<boolean> {
    const child = spawn(process.execPath, [role, work, folder.path], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const exited = once(child, 'exit')
    let seen = 0
    let isDone = false
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'done') isDone = true
      seen += 1
      if (seen >= lines) child.kill('SIGKILL')
    }
    await exited
    return isDone
  }

  it('leaves a rebuild that goes on where it was, and gives the same rows in the end', async () => {
    await publishMore(4_000)
    await runProjections({ log, store, projections, follow: false })
    let kills = 0
    for (const lines of [3, 40, 17, 60, 5]) if (!(await killedAfter('rebuild', lines))) kills += 1
    expect(kills).toBeGreaterThan(2)
    expect(await killedAfter('rebuild', Number.POSITIVE_INFINITY)).toBe(true)
    for (const projection of projections) {
      const second = projectionOfInstance(projection, { build: 2 })
      expect(await digestOf(second)).toEqual(await digestOf(projection))
    }
  }, 120_000)

  it('is followed by the process that waited, which loses and doubles nothing', async () => {
    await publishMore(2_000)
    await killedAfter('keep', 20)
    const stop = new AbortController()
    const finish = new AbortController()
    const control = openSqliteControlStore({ folder: folder.path })
    const own = openSqliteReadStore({ folder: folder.path })
    // Begins while another one lives, which is killed in the midst of its work.
    const killed = killedAfter('keep', 30)
    const waiting = superviseProjections({
      control,
      store: own,
      openLog: async () => openSqliteLog({ folder: folder.path }),
      projections,
      signal: stop.signal,
      finish: finish.signal,
      logger: silentLogger,
      planPollMs: 20,
    })
    for (let round = 0; round < 40; round++) await publishMore(50)
    await expect
      .poll(() => waiting.instances().map(({ position }) => position), { timeout: 60_000 })
      .toEqual([4_000, 4_000])
    for (const child of children) child.kill('SIGKILL')
    await killed
    await publishMore(10)
    finish.abort()
    await waiting.ended
    await own.close()
    await control.close()
    const second = projections.map((projection) => projectionOfInstance(projection, { build: 2 }))
    await runProjections({ log, store, projections: second, follow: false })
    for (const [index, projection] of projections.entries())
      expect(await digestOf(projection)).toEqual(await digestOf(second[index]!))
  }, 120_000)
})

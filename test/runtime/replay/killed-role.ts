// A process for killed.int.test.ts: rebuilds build 2 of both sample projections one after the other, or keeps build 1.
// Says where it stands after each commit, and `done` at the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { rebuildProjection } from '#src/runtime/replay/rebuild.ts'
import { superviseProjections } from '#src/runtime/replay/supervisor.ts'
import { balancesProjection, timesProjection } from '#test/support/sample-projections.ts'

const [work = '', folder = ''] = process.argv.slice(2)
const store = openSqliteReadStore({ folder })
const projections = [timesProjection(), balancesProjection()]
const limits = { readCountMax: 30, commitEventsMax: 50 }
// A pause of a moment now and then, so that a kill finds it at work.
const eventsPerSecondMax = (): number => 20_000

if (work === 'rebuild') {
  const log = openSqliteLog({ folder })
  for (const projection of projections) {
    const onProgress = ({ position }: { position: number }): void => void process.stdout.write(`${position}\n`)
    const second = projectionOfInstance(projection, { build: 2 })
    await rebuildProjection({
      log,
      store,
      projection: second,
      logger: silentLogger,
      limits,
      eventsPerSecondMax,
      onProgress,
    })
  }
} else {
  const never = new AbortController().signal
  superviseProjections({
    control: openSqliteControlStore({ folder }),
    store,
    openLog: async () => openSqliteLog({ folder }),
    projections,
    signal: never,
    finish: never,
    logger: silentLogger,
    limits,
    onProgress: ({ position }) => void process.stdout.write(`${position}\n`),
  })
  await sleep(600_000)
}
process.stdout.write('done\n')

import { parentPort, workerData } from 'node:worker_threads'
import { allProjections } from '#projections/index.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { configOfLane } from '#src/cli/lanes.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { importInto, type StageOptions } from '#test/bench/stages.ts'
import { defaultConfig } from '#test/support/place.ts'

// One thread of the "together" stage: the importer, or the projector, which ends once it has met the finished log.
interface WorkerOptions extends StageOptions {
  readonly role: string
  readonly log: string
  readonly store: string
  readonly only: readonly string[]
}

const options = workerData as WorkerOptions
const log = openSqliteLog({ folder: options.log })

if (options.role === 'import') {
  const { count } = await importInto(log, options, options.store)
  parentPort?.postMessage({ count })
} else {
  const { projection: limits, memory } = configOfLane(defaultConfig, options.lanes?.length ?? 1)
  const store = openSqliteReadStore({ folder: options.store, writersCacheBytes: memory.writersMiB << 20 })
  const projections = allProjections.filter(({ schema }) => options.only.includes(schema.name))
  const stop = new AbortController()
  let finishing = false
  const reached = new Map<string, number>()
  const stopAtEnd = async (): Promise<void> => {
    const head = (await log.head()).sequence
    if (finishing && projections.every(({ schema }) => reached.get(schema.name) === head)) stop.abort()
  }
  parentPort?.on('message', () => {
    finishing = true
    void stopAtEnd()
  })
  await runProjections({
    log,
    store,
    projections,
    limits,
    follow: true,
    signal: stop.signal,
    onProgress: ({ name, position }) => {
      reached.set(name, position)
      if (name === 'transactions') parentPort?.postMessage({ position })
      void stopAtEnd()
    },
  })
  await store.close()
}
await log.close()
parentPort?.close()

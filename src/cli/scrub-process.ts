// Entry of the process that reads all of one read model: by itself, since the engine looks at a whole file in one call, which nothing but an
// end of the process interrupts.
import { constants, setPriority } from 'node:os'
import type { DataFolder } from '#src/cli/data-folder.ts'
import { enginesOf } from '#src/cli/engines.ts'
import type { Config } from '#src/config/schema.ts'
import type { ScrubRecord } from '#src/operations/scrubs.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { scrubRecord, scrubRows } from '#src/runtime/replay/scrub.ts'
import { restFor } from '#src/runtime/replay/scrub-times.ts'

export interface ScrubTask {
  readonly config: Config
  readonly folder: DataFolder
  readonly schema: ProjectionSchema
}

async function scrub({ config, folder, schema }: ScrubTask): Promise<ScrubRecord | undefined> {
  setPriority(constants.priority.PRIORITY_LOW)
  const { readStore, close } = await enginesOf(config, folder, silentLogger).openStores()
  try {
    const beganAtMs = Date.now()
    const scrubbed = await scrubRows({ store: readStore, schema, rest: restFor(config.scrub.cpuShare) })
    return scrubbed && scrubRecord(scrubbed, beganAtMs, Date.now())
  } finally {
    await close()
  }
}

// A group of processes is told to stop as one; whoever asked for it ends it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
// Whoever asked for it is gone.
process.on('disconnect', () => process.exit())
process.once('message', (task: ScrubTask) => {
  scrub(task).then(
    (record) => process.send?.({ record }, () => process.disconnect()),
    (error: unknown) => process.send?.({ problem: String(error) }, () => process.disconnect()),
  )
})

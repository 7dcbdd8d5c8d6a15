import { fork } from 'node:child_process'
import type { DataFolder } from '#src/cli/data-folder.ts'
import type { ScrubTask } from '#src/cli/scrub-process.ts'
import type { Config } from '#src/config/schema.ts'
import type { RunningInstance } from '#src/operations/running-instance.ts'
import { forgetScrubs, readScrubs, recordScrub, type ScrubRecord } from '#src/operations/scrubs.ts'
import { rest } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { nextScrubMs } from '#src/runtime/replay/scrub-times.ts'
import type { Supervision } from '#src/runtime/replay/supervisor.ts'

export interface ScrubbingOptions {
  readonly config: Config
  readonly folder: DataFolder
  readonly control: ControlStore
  readonly supervision: Pick<Supervision, 'instances' | 'plan'>
  readonly schemas: readonly ProjectionSchema[]
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** It holds a page of rows at a time. */
const heapMiB = 128
/** Budget of the pages that it keeps: it reads each once. */
const readersMiB = 2

const lookMaxMs = 60_000
const lookMinMs = 250
const hourMs = 3_600_000

/**
 * Reads all of each read model that is kept here, one after the other, as often as configured, until the signal. Those that are still far
 * behind the log wait until they follow it.
 */
export async function keepScrubbing(options: ScrubbingOptions): Promise<void> {
  const { config, logger, signal } = options
  const { everyHours } = config.scrub
  if (everyHours === 0) return
  const lookMs = Math.min(lookMaxMs, Math.max(lookMinMs, (everyHours * hourMs) / 4))
  while (!signal.aborted) {
    await rest(lookMs, signal)
    try {
      while (!signal.aborted && (await scrubNext(options)));
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'read models could not be scrubbed, trying again')
    }
  }
}

/** The one that is due for longest. False where none is. */
async function scrubNext({ control, supervision, config, ...options }: ScrubbingOptions): Promise<boolean> {
  const plan = supervision.plan()
  if (plan === undefined) return false
  const known = await readScrubs(control)
  await forgetScrubs(control, plan, known.keys())
  const dueMs = ({ name, id }: RunningInstance): number => {
    const last = known.get(`${name}@${id}`)?.beganAt ?? plan.readModels[name]?.instances[id]?.createdAt
    return nextScrubMs(config.scrub, Date.parse(last ?? ''))
  }
  const followed = supervision.instances().filter(({ state, epoch }) => state === 'following' && epoch !== null)
  const due = followed.filter((each) => dueMs(each) <= Date.now()).sort((a, b) => dueMs(a) - dueMs(b))
  const [next] = due
  if (next === undefined) return false
  const record = await scrubApart({ config, ...options }, next)
  if (record === undefined) return false
  await recordScrub(control, `${next.name}@${next.id}`, record)
  return true
}

/** undefined where there was nothing to read, or it was stopped before its end. */
async function scrubApart(
  { config, folder, schemas, logger, signal }: Omit<ScrubbingOptions, 'control' | 'supervision'>,
  { name, id, version, build }: RunningInstance,
): Promise<ScrubRecord | undefined> {
  const found = schemas.find((schema) => schema.name === name && schema.version === version)
  if (found === undefined) throw new Error(`there is no schema of ${name} v${version}, which is kept here`)
  const memory = { ...config.memory, readersMiB }
  const record = await ask({ config: { ...config, memory }, folder, schema: { ...found, build } }, signal)
  const fields = { projection: name, instance: id, rows: record?.rows }
  if (record?.damage !== undefined) logger.error({ ...fields, reason: record.damage }, 'a scrub found damage')
  else if (record !== undefined) logger.info(fields, 'scrubbed, all rows are as they were written')
  return record
}

interface Told {
  readonly record?: ScrubRecord
  readonly problem?: string
}

/** Lets another process do it, which ends with this one. */
function ask(task: ScrubTask, signal: AbortSignal): Promise<ScrubRecord | undefined> {
  const child = fork(new URL('./scrub-process.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${heapMiB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const told = new Promise<ScrubRecord | undefined>((resolve, reject) => {
    child.once('message', ({ record, problem }: Told) =>
      problem === undefined ? resolve(record) : reject(new Error(problem)),
    )
    child.once('error', reject)
    child.once('exit', (code, ended) =>
      signal.aborted
        ? resolve(undefined)
        : reject(new Error(`the scrub ended with ${ended ?? code}, and said nothing`)),
    )
    // Nobody is there to be told where it ended before that.
    child.send(task, () => undefined)
  })
  return told.finally(() => signal.removeEventListener('abort', stop))
}

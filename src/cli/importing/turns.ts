import { hostname } from 'node:os'
import type { Engines } from '#src/cli/engines.ts'
import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { untilQuiet } from '#src/importer/standby.ts'
import { readPresence } from '#src/operations/presence.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

/** A network publishes a block every few seconds: a log that has not grown for so long has no importer. */
const quietMs = 10_000
const quietPollMs = 500

/** Which other process imports into a generation now, as the processes themselves say; undefined when none does or the store cannot be asked. */
export async function importOwner(control: ControlStore, generation: number): Promise<string | undefined> {
  const processes = await readPresence(control, Date.now()).catch(() => [])
  const owner = processes.find(
    ({ pid, host, alive, imports }) =>
      alive && (pid !== process.pid || host !== hostname()) && imports?.generation === generation && !imports.standby,
  )
  return owner && `process ${owner.pid} on ${owner.host} (version ${owner.codeVersion})`
}

export interface FencedOptions {
  readonly engines: Engines
  readonly generation: number
  readonly signal: AbortSignal
}

/** After the right to append was taken away: waits until whoever has it appends no more. */
export async function waitWhileFenced(error: LedgerError, options: FencedOptions): Promise<void> {
  if (!isLedgerError(error, 'log_writer_fenced')) return
  const { engines, generation, signal } = options
  const log = await engines.openLog(generation)
  try {
    await untilQuiet(log, { quietMs, pollMs: quietPollMs, signal })
  } finally {
    await log.close()
  }
}

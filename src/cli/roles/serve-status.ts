import { hostname } from 'node:os'
import { codeVersion } from '#src/cli/code-version.ts'
import type { Load } from '#src/http/load.ts'
import { readPresence } from '#src/operations/presence.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import { inTime } from '#src/runtime/process/in-time.ts'
import type { ServedModels } from '#src/runtime/serve/served-models.ts'
import type { ServingWatch } from '#src/runtime/serve/status-readiness.ts'

export interface StatusOptions {
  readonly watch: ServingWatch
  readonly models: ServedModels
  readonly load: Load
  /** undefined while it is not open yet. */
  readonly controlStore: () => ControlStore | undefined
}

const processesTimeoutMs = 2_000

/** The numbers of the deployment as this process sees them, for /health/status. */
export function createStatus({ watch, models, load, controlStore }: StatusOptions): () => Promise<object> {
  return async () => {
    const { plan } = models
    const [serving, processes] = await Promise.all([watch.measure(), readProcesses(controlStore())])
    return {
      process: { role: 'serve', host: hostname(), pid: process.pid, codeVersion, uptimeSeconds: process.uptime() },
      ...serving,
      requestsAtOnce: load.atOnce,
      requestsAtOnceMax: load.atOnceMax,
      plan: plan ?? null,
      processes,
    }
  }
}

/** Every process that shows that it lives; null while that cannot be asked. */
async function readProcesses(control: ControlStore | undefined): Promise<object[] | null> {
  if (control === undefined) return null
  try {
    return await inTime(readPresence(control, Date.now()), processesTimeoutMs, 'The control store')
  } catch {
    // Why is among the reasons already: it is the store of the read models, too.
    return null
  }
}

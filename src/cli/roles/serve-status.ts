import { hostname } from 'node:os'
import { codeVersion } from '#src/cli/code-version.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import type { ServingDeployment } from '#src/cli/roles/serve-deployment.ts'
import type { Readiness } from '#src/http/health.ts'
import type { Load } from '#src/http/load.ts'
import type { Waits } from '#src/http/waits.ts'
import type { ThreadStarts } from '#src/runtime/serve/thread-starts.ts'

type Deployment = Pick<ServingDeployment, 'watch' | 'models' | 'port' | 'processes'>

/**
 * For /health/readiness: whether requests are answered as they should be; which `streams` importers read; and, as `errors`, what
 * they say that needs a person. Another query process would answer no better, so that alone is no reason to leave the load balancer.
 */
export async function readReadiness(
  { watch, processes }: Deployment,
  { early }: Pick<ThreadStarts, 'early'>,
): Promise<Readiness> {
  const serving = await watch.measure()
  const { generation } = serving
  const reasons = early === 0 ? serving.reasons : [...serving.reasons, earlyReason(early)]
  const ready = serving.ready && early === 0
  return {
    ...serving,
    ready,
    reasons,
    streams: processes.streams(generation),
    errors: processes.importErrors(generation),
  }
}

function earlyReason(threads: number): string {
  return `${threads === 1 ? 'A thread' : `${threads} threads`} of this process cannot answer yet`
}

/** The numbers of the deployment as this thread of this process sees them, for /health/status. */
export async function readStatus(
  deployment: Deployment,
  { starts, load, waits }: { readonly starts: ThreadStarts; readonly load: Load; readonly waits: Waits },
  { thread, threads }: Pick<NonNullable<RoleContext['share']>, 'thread' | 'threads'>,
): Promise<object> {
  const { models, processes, port = null } = deployment
  const { pid } = process
  const uptimeSeconds = process.uptime()
  return {
    process: { role: 'serve', host: hostname(), pid, port, thread, threads, codeVersion, uptimeSeconds },
    ...(await readReadiness(deployment, starts)),
    requestsAtOnce: load.atOnce,
    requestsAtOnceMax: load.atOnceMax,
    waitsAtOnce: waits.atOnce,
    waitsAtOnceMax: waits.atOnceMax,
    plan: models.plan ?? null,
    processes: processes.living?.map(({ alive, ...each }) => each) ?? null,
  }
}

import { hostname } from 'node:os'
import { codeVersion } from '#src/cli/code-version.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import type { ServingDeployment } from '#src/cli/roles/serve-deployment.ts'
import type { Readiness } from '#src/http/health.ts'
import type { Load } from '#src/http/load.ts'
import type { Waits } from '#src/http/waits.ts'

type Deployment = Pick<ServingDeployment, 'watch' | 'models' | 'port' | 'processes'>

/**
 * For /health/readiness: whether requests are answered as they should be; which `streams` importers read; and, as `errors`, what
 * they say that needs a person. Another query process would answer no better, so that alone is no reason to leave the load balancer.
 */
export async function readReadiness({ watch, processes }: Deployment): Promise<Readiness> {
  const serving = await watch.measure()
  const { generation } = serving
  return { ...serving, streams: processes.streams(generation), errors: processes.importErrors(generation) }
}

/** The numbers of the deployment as this thread of this process sees them, for /health/status. */
export async function readStatus(
  deployment: Deployment,
  { load, waits }: { readonly load: Load; readonly waits: Waits },
  { thread, threads }: Pick<NonNullable<RoleContext['share']>, 'thread' | 'threads'>,
): Promise<object> {
  const { models, processes, port = null } = deployment
  const { pid } = process
  const uptimeSeconds = process.uptime()
  return {
    process: { role: 'serve', host: hostname(), pid, port, thread, threads, codeVersion, uptimeSeconds },
    ...(await readReadiness(deployment)),
    requestsAtOnce: load.atOnce,
    requestsAtOnceMax: load.atOnceMax,
    waitsAtOnce: waits.atOnce,
    waitsAtOnceMax: waits.atOnceMax,
    plan: models.plan ?? null,
    processes: processes.living?.map(({ alive, ...each }) => each) ?? null,
  }
}

import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics } from 'prom-client'
import { servedRoutes } from '#queries/index.ts'
import { chainIdOf } from '#src/cli/chain-id.ts'
import { listenError } from '#src/cli/port.ts'
import type { RoleContext, ServingShare } from '#src/cli/roles/role.ts'
import { serveDecisions } from '#src/cli/roles/serve-decisions.ts'
import { ServingDeployment } from '#src/cli/roles/serve-deployment.ts'
import { addServingFigures, readStandingFigures } from '#src/cli/roles/serve-figures.ts'
import { readReadiness, readStatus } from '#src/cli/roles/serve-status.ts'
import { serveVerification } from '#src/cli/roles/serve-verification.ts'
import { untilAborted } from '#src/cli/until-aborted.ts'
import type { Config } from '#src/config/schema.ts'
import { accountRangeOf } from '#src/domain/unreleased-accounts.ts'
import { openContractCalls } from '#src/evm/contract-calls.ts'
import { AnswerCache } from '#src/http/answer-cache.ts'
import { apiPrefix } from '#src/http/api-route.ts'
import { createApp } from '#src/http/app.ts'
import { capacityOf } from '#src/http/capacity.ts'
import type { HttpMetrics } from '#src/http/health.ts'
import { Load } from '#src/http/load.ts'
import { servingCounts } from '#src/http/serving-counts.ts'
import { defaultHttpSettings, type HttpSettings } from '#src/http/settings.ts'
import { Waits } from '#src/http/waits.ts'
import { systemClock } from '#src/ports/clock.ts'
import { ThreadStarts } from '#src/runtime/serve/thread-starts.ts'
import { formatMetrics, snapshotOf } from '#src/runtime/watch/metrics.ts'
import { RequestDurations } from '#src/runtime/watch/request-durations.ts'
import { RequestWatch } from '#src/runtime/watch/request-shares.ts'

const nanosPerDay = 86_400_000_000_000n
const bytesPerMiB = 1 << 20
const prometheusContentType = 'text/plain; version=0.0.4; charset=utf-8'
/** Connections that wait to be taken: a burst of more makes clients try again after seconds. The system's own limit may be lower. */
const backlog = 4_096
/** So long nobody listens while the stores are opened and the plan is read; then requests are told that they are away, unless another thread answers them. */
const openFirstMs = 2_000

/** Answers requests from the read models that the plan says, until it is told to stop. */
export async function serve(context: RoleContext): Promise<void> {
  const { config, logger, signal, report, registry } = context
  const stopped = new AbortController()
  const deployment = new ServingDeployment(context, stopped.signal)
  const { models, heads } = deployment
  const { share = { thread: 1, threads: 1, counts: servingCounts() } } = context
  const { counts } = share
  const settings = {
    ...httpSettings(config, share.threads),
    chainId: chainIdOf(config.api.chainId, config.network ?? context.folder.marker.network),
  }
  const starts = new ThreadStarts(counts.starts, share.thread)
  const work = openWork(settings, { counts, thread: share.thread })
  const readersCache = () => deployment.stores?.readersCache?.()
  const { scrubs } = deployment
  addServingFigures(registry, { models, scrubs, heads, readersCache, ...work })
  const requests = new RequestWatch(() => performance.now(), apiPrefix, counts.requests)
  const decisions = await serveDecisions(context, { deployment, requests, commandCounts: counts.commands })
  const verification = await serveVerification(context, deployment)
  const app = createApp({
    routes: servedRoutes,
    verification: verification?.http,
    statusCommands: decisions.statusCommands,
    models,
    settings,
    clock: systemClock,
    logger,
    ...work,
    metrics: httpMetrics(context, deployment, requests),
    health: decisions.health,
    readiness: () => readReadiness(deployment, starts),
    status: () => readStatus(deployment, { starts, ...work }, share),
  })
  const following = deployment.follow()
  const kept = decisions.keep(stopped.signal).catch((error: unknown) => {
    logger.error({ err: error }, 'the status page is not kept any more')
  })
  const goingOn = verification?.keep(stopped.signal)
  try {
    await Promise.race([deployment.begun.then(() => starts.begin()), following, untilEarly(starts)])
    const { url, port } = await listen(app, config, share.threads > 1)
    deployment.listensOn(port)
    report({ kind: 'ready', role: 'serve', url })
    await Promise.race([untilAborted(signal), following])
  } finally {
    await app.close()
    // Only now: as long as requests read, this process says so.
    stopped.abort()
    await Promise.all([kept, goingOn])
    await verification?.close()
    await decisions.close()
    await following.finally(() => deployment.close())
  }
}

/** Resolves when this thread has to say that the stores are away. */
async function untilEarly(starts: ThreadStarts): Promise<void> {
  do await sleep(openFirstMs, undefined, { ref: false })
  while (!starts.listenEarly())
}

/** What bounds the requests of this thread, keeps their answers and runs their contracts. */
function openWork(settings: HttpSettings, { counts, thread }: Pick<ServingShare, 'counts' | 'thread'>) {
  const { requestsAtOnceMax, waitsAtOnceMax: atOnceMax, waitsPerClientMax: perClientMax } = settings
  return {
    load: new Load(requestsAtOnceMax, counts.atOnce, thread),
    waits: new Waits({ atOnceMax, perClientMax, counts: counts.waits, thread }),
    capacity: capacityOf(settings),
    cache: new AnswerCache({ bytesMax: settings.answerCacheBytesMax }),
    calls: openContractCalls(settings.contractCalls),
  }
}

type App = ReturnType<typeof createApp>

/** The address that it answers on. */
async function listen(app: App, { host, port }: Config, reusePort: boolean): Promise<{ url: string; port: number }> {
  // The types of Fastify do not know the option yet, which it hands on to Node.
  const options = { host, port, backlog, reusePort }
  try {
    await app.listen(options)
  } catch (error) {
    throw listenError(host, port, error)
  }
  const address = app.server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const reached = shown === '0.0.0.0' ? '127.0.0.1' : shown === '[::]' ? '[::1]' : shown
  return { url: `http://${reached}:${address.port}`, port: address.port }
}

/** Of one of so many threads, which share what the process may do at once. */
function httpSettings({ api, memory, contractCalls }: Config, threads: number): HttpSettings {
  const { largeBodiesAtOnceMax, largeAtOnceMax, searchesAtOnceMax, searchesWaitingMax } = defaultHttpSettings
  const shareOf = (most: number): number => Math.ceil(most / threads)
  return {
    ...defaultHttpSettings,
    largeBodiesAtOnceMax: shareOf(largeBodiesAtOnceMax),
    largeAtOnceMax: shareOf(largeAtOnceMax),
    searchesAtOnceMax: shareOf(searchesAtOnceMax),
    searchesWaitingMax: shareOf(searchesWaitingMax),
    pageSizeDefault: api.pageSizeDefault,
    pageSizeMax: api.pageSizeMax,
    tokensPerAccount: api.tokensPerAccount,
    tokensPerListedAccount: api.tokensPerListedAccount,
    unreleasedAccounts: api.unreleasedAccounts.map(accountRangeOf),
    bindTimestampRange: api.bindTimestampRange,
    timeRangeMaxNs: BigInt(api.maxTimestampRangeDays) * nanosPerDay,
    nftOnlyMatches: api.nftOnlyMatches,
    requestTimeoutMs: api.requestTimeoutMs,
    maxWaitMs: api.maxWaitMs,
    waitsPerClientMax: api.waitsPerClientMax,
    waitsAtOnceMax: api.waitsAtOnceMax,
    trustedProxies: api.trustedProxies,
    answerCacheBytesMax: Math.floor(memory.answersMiB * bytesPerMiB),
    users: api.users,
    docs: api.docs,
    contractCalls: callSettings(contractCalls, threads),
  }
}

/** Throttles are divided like the threads: what one thread allows, it alone sees. */
function callSettings(
  { gasMax, gasPerSecond, evmVersion, ...given }: Config['contractCalls'],
  threads: number,
): HttpSettings['contractCalls'] {
  return {
    ...given,
    evmVersion: evmVersion ?? undefined,
    gasMax: BigInt(gasMax),
    threads: Math.ceil(given.threads / threads),
    waitingMax: Math.ceil(given.waitingMax / threads),
    requestsPerSecond: given.requestsPerSecond / threads,
    tracesPerSecond: given.tracesPerSecond / threads,
    // A call with all the gas that it may have must be possible.
    gasPerSecond: BigInt(Math.max(gasMax, Math.ceil(gasPerSecond / threads))),
  }
}

/** Figures of the process and of this thread, with those that the other threads sent, or that log and store tell. */
function httpMetrics(
  { registry, otherMetrics, tellMetrics, logger, isWhole, share }: RoleContext,
  deployment: ServingDeployment,
  requests: RequestWatch,
): HttpMetrics {
  // Of the process: added up over threads, they would be a multiple.
  if (share === undefined || share.thread === 1) collectDefaultMetrics({ register: registry })
  const durations = new RequestDurations(registry)
  return {
    contentType: prometheusContentType,
    observeRequest: (request) => {
      durations.note(request)
      requests.observe(request)
    },
    render: async () => {
      const own = await snapshotOf(registry)
      // Whichever thread is asked next knows it: a counter that goes back looks like a start.
      tellMetrics?.(own)
      // The projections' thread measures the same, and series that occur twice would be added up.
      const toldElsewhere = isWhole === true && otherMetrics.size > 0
      const standing = toldElsewhere ? [] : [await readStandingFigures(deployment, logger)]
      return formatMetrics([own, ...otherMetrics.values(), ...standing])
    },
  }
}

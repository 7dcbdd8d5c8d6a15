import autocannon from 'autocannon'
import { rowsOf } from '#test/bench/api-pages.ts'
import { fetchPage, type RequestKind, requestKinds } from '#test/bench/api-requests.ts'
import { askedRates } from '#test/bench/asked-rates.ts'
import { startCli } from '#test/bench/cli-process.ts'
import { argumentsOf, type Place } from '#test/support/place.ts'

export interface ApiResult {
  readonly name: string
  /** Rows of an answer, on average. */
  readonly rows?: number | undefined
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of the serving process so far. */
  readonly peakMiB: number
  /** CPU time of the serving process for an answer, microseconds: what is left of a rate on a machine that others use. */
  readonly cpuUs?: number
}

export interface ApiOptions {
  /** Where the read models are built. */
  readonly place: Place
  /** What it is asked; what any ledger has unless given. */
  readonly kindsOf?: (address: string) => Promise<readonly RequestKind[]>
  /** Per kind of request. */
  readonly seconds: number
  readonly onResult: (result: ApiResult) => void
}

const connections = 16
/** With fewer answers the measurement is repeated for longer. */
const answersMin = 20
const slowSeconds = 15
const answersLookedAt = 20

/** Starts the query side on the built read models and asks it over HTTP from this process. */
export async function measureApi({
  place,
  kindsOf = requestKinds,
  seconds,
  onResult,
}: ApiOptions): Promise<ApiResult[]> {
  const server = await startCli('serve', argumentsOf(place))
  try {
    const results: ApiResult[] = []
    for (const { name, paths } of await kindsOf(server.address)) {
      await load(server.address, paths, 1)
      let measured = await load(server.address, paths, seconds)
      // A server that scans: some seconds are not enough for one answer.
      if (measured.requests.total < answersMin) measured = await load(server.address, paths, slowSeconds)
      const { requests, latency, non2xx, errors } = measured
      if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} answers were not 2xx, ${errors} failed`)
      const result = {
        name,
        rows: await meanRows(server.address, paths),
        requestsPerSecond: requests.average,
        p50Ms: latency.p50,
        p99Ms: latency.p99,
        peakMiB: server.peakMiB(),
      }
      onResult(result)
      results.push(result)
    }
    return results
  } finally {
    await server.stop()
  }
}

/** Rows of some of the answers, on average. */
async function meanRows(address: string, paths: readonly string[]): Promise<number> {
  const step = Math.max(1, Math.floor(paths.length / answersLookedAt))
  const asked = paths.filter((_path, index) => index % step === 0)
  let rows = 0
  for (const path of asked) rows += rowsOf(await fetchPage(address, path))
  return rows / asked.length
}

export function formatApi({ name, rows, requestsPerSecond, p50Ms, p99Ms, peakMiB, cpuUs }: ApiResult): string {
  const rate = requestsPerSecond.toLocaleString('en', { maximumFractionDigits: requestsPerSecond < 10 ? 1 : 0 })
  const size = rows === undefined ? '' : `  ${Math.round(rows)} rows`
  const asked = askedRates[name]?.toLocaleString('en') ?? 'none'
  const cpu = cpuUs === undefined ? '' : `, ${Math.round(cpuUs).toLocaleString('en')} us of CPU each`
  return `${name.padEnd(31)} ${rate.padStart(10)} /s, ${asked.padStart(6)} asked${size}  p50 ${p50Ms} ms  p99 ${p99Ms} ms  server at ${peakMiB} MiB${cpu}`
}

/** Every connection goes through all paths, each from another place on, so that they do not warm the cache for each other. */
export function load(address: string, paths: readonly string[], duration: number): Promise<autocannon.Result> {
  return loadRequests(
    address,
    paths.map((path) => ({ method: 'GET' as const, path })),
    duration,
  )
}

export function loadRequests(
  address: string,
  requests: autocannon.Request[],
  duration: number,
): Promise<autocannon.Result> {
  let clients = 0
  return autocannon({
    url: address,
    connections,
    duration,
    requests,
    setupClient: (client) => {
      const start = Math.floor((requests.length * clients++) / connections)
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)])
    },
  })
}

import autocannon from 'autocannon'
import { startCli } from '#test/bench/cli-process.ts'
import { argumentsOf, type Place } from '#test/support/place.ts'

export interface ApiResult {
  readonly name: string
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of the serving process so far. */
  readonly peakMiB: number
}

export interface ApiOptions {
  /** Where the read models are built. */
  readonly place: Place
  /** Per kind of request. */
  readonly seconds: number
  readonly onResult: (result: ApiResult) => void
}

const connections = 16
/** Different requests per kind: more than the cache of answers holds, so that it does not flatter the figures. */
const variants = 5_000
const samplePages = 60
/** With fewer answers the measurement is repeated for longer. */
const answersMin = 20
const slowSeconds = 15

/** Starts the query side on the built read models and asks it over HTTP from this process. */
export async function measureApi({ place, seconds, onResult }: ApiOptions): Promise<ApiResult[]> {
  const server = await startCli('serve', argumentsOf(place))
  try {
    const results: ApiResult[] = []
    for (const { name, paths } of await requestKinds(server.address)) {
      await load(server.address, paths, 1)
      let measured = await load(server.address, paths, seconds)
      // A server that scans: some seconds are not enough for one answer.
      if (measured.requests.total < answersMin) measured = await load(server.address, paths, slowSeconds)
      const { requests, latency, non2xx, errors } = measured
      if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} answers were not 2xx, ${errors} failed`)
      const result = {
        name,
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
    server.stop()
  }
}

export function formatApi({ name, requestsPerSecond, p50Ms, p99Ms, peakMiB }: ApiResult): string {
  const rate = requestsPerSecond.toLocaleString('en', { maximumFractionDigits: requestsPerSecond < 10 ? 1 : 0 })
  return `${name.padEnd(30)} ${rate.padStart(10)} /s  p50 ${p50Ms} ms  p99 ${p99Ms} ms  server at ${peakMiB} MiB`
}

/** Every connection goes through all paths, each from another place on, so that they do not warm the cache for each other. */
export function load(address: string, paths: readonly string[], duration: number): Promise<autocannon.Result> {
  const requests = paths.map((path) => ({ method: 'GET' as const, path }))
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

interface Listed {
  readonly transaction_id: string
  readonly transaction_hash: string
  readonly consensus_timestamp: string
  readonly transfers: readonly { readonly account: string }[]
}

async function requestKinds(address: string): Promise<{ name: string; paths: string[] }[]> {
  const listed = await sample(address)
  const at = (index: number): Listed => listed[index % listed.length] as Listed
  const each = (path: (index: number) => string): string[] =>
    Array.from({ length: variants }, (_, index) => path(index))
  const systemAccounts = new Set(['0.0.98', '0.0.800', '0.0.801', '0.0.802'])
  const accounts = [...new Set(listed.flatMap(({ transfers }) => transfers.map(({ account }) => account)))].filter(
    (account) => !systemAccounts.has(account),
  )
  return [
    { name: 'list of 25 (newest page)', paths: ['/api/v1/transactions'] },
    {
      name: 'list of 25 (any page)',
      paths: each((index) => `/api/v1/transactions?timestamp=lt:${at(index).consensus_timestamp}`),
    },
    {
      name: 'by account',
      paths: each((index) => `/api/v1/transactions?account.id=${accounts[index % accounts.length]}`),
    },
    { name: 'by id', paths: each((index) => `/api/v1/transactions/${at(index).transaction_id}`) },
    {
      name: 'by hash',
      paths: each(
        (index) => `/api/v1/transactions/${Buffer.from(at(index).transaction_hash, 'base64').toString('hex')}`,
      ),
    },
    { name: 'blocks', paths: each((index) => `/api/v1/blocks?limit=${(index % 25) + 1}`) },
    {
      name: 'nodes',
      paths: each((index) => `/api/v1/network/nodes?limit=25&node.id=gte:${index % 7}&variant=${index}`),
    },
    {
      // The standard mix has no hooks: this is the way to them, a page of them costs what a page of nodes does.
      name: 'hooks of an account',
      paths: each((index) => `/api/v1/accounts/${accounts[index % accounts.length]}/hooks?variant=${index}`),
    },
  ]
}

/** Transactions spread over the ledger's time. */
async function sample(address: string): Promise<Listed[]> {
  const page = async (query: string): Promise<Listed[]> =>
    ((await (await fetch(`${address}/api/v1/transactions?${query}`)).json()) as { transactions: Listed[] }).transactions
  const first = Number((await page('order=asc&limit=1'))[0]?.consensus_timestamp)
  const last = Number((await page('limit=1'))[0]?.consensus_timestamp)
  const listed: Listed[] = []
  for (let part = 0; part < samplePages; part++) {
    const upper = (first + ((last - first) * (part + 1)) / samplePages).toFixed(9)
    listed.push(...(await page(`limit=100&timestamp=lte:${upper}`)))
  }
  return listed
}

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type ApiResult, load } from '#test/bench/api.ts'

export interface StatusOptions {
  /** Per kind of request. */
  readonly seconds: number
  readonly onResult: (result: ApiResult) => void
}

const kinds = [
  { name: 'status page: summary.json', path: '/api/v2/summary.json' },
  { name: 'status page: uptime.json', path: '/api/v2/components/grp0000reads/uptime.json' },
  { name: 'status page: the page', path: '/' },
  { name: 'status page: Atom feed', path: '/history.atom' },
]

/** The status page on a thread of its own, asked over HTTP by 16 connections from this one. */
export async function measureStatus({ seconds, onResult }: StatusOptions): Promise<void> {
  const worker = new Worker(new URL('./status-server.ts', import.meta.url))
  try {
    const [address] = (await once(worker, 'message')) as [string]
    for (const { name, path } of kinds) {
      await load(address, [path], 1)
      const { requests, latency, non2xx, errors } = await load(address, [path], seconds)
      if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} answers were not 2xx, ${errors} failed`)
      const peakMiB = Math.round(process.memoryUsage.rss() / 2 ** 20)
      onResult({ name, requestsPerSecond: requests.average, p50Ms: latency.p50, p99Ms: latency.p99, peakMiB })
    }
  } finally {
    await worker.terminate()
  }
}

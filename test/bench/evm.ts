import { once } from 'node:events'
import { get } from 'node:http'
import type autocannon from 'autocannon'
import { type HexAddress, longZeroOf } from '#src/evm/addresses.ts'
import { addressWord, encoded, word } from '#src/simulator/evm/words.ts'
import { type ApiResult, loadRequests } from '#test/bench/api.ts'
import { type CliResources, ended, resourcesOf, spawnModule } from '#test/bench/cli-process.ts'
import { evmBench } from '#test/bench/evm-requests.ts'
import { senderAddress } from '#test/evm/call-ledger.ts'

export interface EvmOptions {
  /** Per kind of call. */
  readonly seconds: number
  readonly onResult: (result: ApiResult) => void
}

/** The best of some, for what is measured is the work and not who else has the machine. */
export interface TraceFigures {
  readonly wholeMs: number
  readonly firstMs: number
  /** Of the process that serves, with all of it. */
  readonly peakMiB: number
}

const [contract, computing, token] = [2_001, 2_002, evmBench.token].map((number) => longZeroOf(BigInt(number)))
const tracesMeasured = 5

const kinds: readonly { readonly name: string; readonly bodies: () => readonly object[] }[] = [
  {
    name: 'ERC-20 balance by its contract',
    bodies: () => evmBench.holders.map((holder) => balanceOf(contract!, holder)),
  },
  { name: 'token balance at its address', bodies: () => evmBench.holders.map((holder) => balanceOf(token!, holder)) },
  { name: 'call of 1,000,000 gas', bodies: () => [{ to: computing, gas: 1_000_000 }] },
  {
    name: 'estimate of a transfer',
    bodies: () =>
      evmBench.holders.map((holder) => ({
        from: senderAddress,
        to: contract,
        estimate: true,
        data: hex(encoded('transfer(address,uint256)', addressWord(holder.slice(2)), word(1))),
      })),
  },
]

function balanceOf(to: HexAddress, holder: HexAddress): object {
  return { to, data: hex(encoded('balanceOf(address)', addressWord(holder.slice(2)))) }
}

function hex(bytes: Buffer): string {
  return `0x${bytes.toString('hex')}`
}

/** Calls and traces of a server in a process of its own, asked over HTTP by 16 connections from this one. */
export async function measureEvm({ seconds, onResult }: EvmOptions): Promise<TraceFigures> {
  const server = spawnModule(new URL('./evm-server.ts', import.meta.url))
  const resources = (): CliResources => resourcesOf(server.pid ?? 0) ?? { peakMiB: 0, cpuSeconds: 0 }
  try {
    const [{ address, hash }] = (await once(server, 'message')) as [{ address: string; hash: string }]
    for (const { name, bodies } of kinds) {
      const requests = bodies().map(requestOf)
      await loadRequests(address, requests, 2)
      const before = resources()
      const { requests: answers, latency, non2xx, errors } = await loadRequests(address, requests, seconds)
      if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} answers were not 2xx, ${errors} failed`)
      const { peakMiB, cpuSeconds } = resources()
      onResult({
        name,
        requestsPerSecond: answers.average,
        p50Ms: latency.p50,
        p99Ms: latency.p99,
        peakMiB,
        cpuUs: ((cpuSeconds - before.cpuSeconds) * 1e6) / answers.total,
      })
    }
    const traces: { firstMs: number; wholeMs: number }[] = []
    for (let each = 0; each < tracesMeasured; each++) traces.push(await trace(`${address}${pathOf(hash)}`))
    const best = traces.toSorted((a, b) => a.wholeMs - b.wholeMs)[0]!
    return { ...best, peakMiB: resources().peakMiB }
  } finally {
    await ended(server)
  }
}

function pathOf(hash: string): string {
  return `/api/v1/contracts/results/${hash}/opcodes`
}

function requestOf(body: object): autocannon.Request {
  return {
    method: 'POST',
    path: '/api/v1/contracts/call',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

async function trace(url: string): Promise<{ firstMs: number; wholeMs: number }> {
  const started = performance.now()
  const request = get(url, { headers: { 'accept-encoding': 'gzip' } })
  const [answer] = (await once(request, 'response')) as [NodeJS.ReadableStream & { statusCode: number }]
  if (answer.statusCode !== 200) throw new Error(`the trace answers ${answer.statusCode}`)
  let firstMs = 0
  for await (const _ of answer) firstMs ||= performance.now() - started
  return { firstMs: Math.round(firstMs), wholeMs: Math.round(performance.now() - started) }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signed } from '#test/queries/network-files/submitted.ts'
import { versioned } from '#test/support/read-model-versions.ts'
import { Program, run } from './support.ts'

let folder: string
let url: string
let serving: Program

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-threads-'))
  await run(['network', 'simulate', '--out', 'streams', '--blocks', '2', '--seed', 'threads'], { cwd: folder })
  await run(['start', '--source', 'streams', '--once'], { cwd: folder })
  serving = new Program(['serve', '--port', '0', '--api-threads', '2'], { cwd: folder })
  url = (await serving.printed(/ at (http:\S+)\/api\/v1/))[1]!
}, 60_000)
afterAll(async () => {
  await serving.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The answer over a connection of its own, which the system gives to any of the threads. */
function ask(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url + path, { agent: false }, (answer) => resolve(text(answer))).on('error', reject)
  })
}

async function untilAllAnswered(begin: () => Promise<number>): Promise<void> {
  const seen = new Set<number>()
  // Of 64 connections in a row one thread gets all once in 9 * 10^18 times.
  for (let count = 0; seen.size < 2 && count < 64; count++) seen.add(await begin())
  expect([...seen].sort()).toEqual([1, 2])
}

async function figure(series: string): Promise<number> {
  const line = (await ask('/metrics')).split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1))
}

describe.sequential('serve on two threads', () => {
  it('answers on each of them', async () => {
    await untilAllAnswered(async () => {
      const status = JSON.parse(await ask('/health/status'))
      expect(status).toMatchObject({ ready: true, process: { threads: 2, port: Number(new URL(url).port) } })
      return status.process.thread
    })
  })

  it('tells the sum of what they did and may use, whichever is asked', async () => {
    for (let count = 0; count < 20; count++) await ask('/api/v1/blocks?limit=1')
    const answered = 'ledger_http_request_duration_seconds_count{route="/api/v1/blocks",method="GET",status="200"}'
    // What others did is at most a second old.
    await vi.waitFor(async () => {
      for (let count = 0; count < 6; count++) expect(await figure(answered)).toBe(20)
    }, 10_000)
    expect(await figure('ledger_cache_bytes_max{cache="answers"}')).toBe(32 << 20)
    expect(await figure('ledger_cache_bytes_max{cache="readers"}')).toBe(64 << 20)
    expect(await figure(versioned('ledger_serving_instance{projection="blocks",version="N",build="1"}'))).toBe(1)
    expect(await figure('ledger_http_requests_at_once')).toBe(0)
  })

  it('keeps every other process off its port', async () => {
    const { code, err } = await run(['serve', '--port', new URL(url).port, '--api-threads', '2'], { cwd: folder })
    expect([code, err]).toEqual([1, expect.stringMatching(/Port \d+ on 127.0.0.1 is taken .*--port.*\[port_taken\]/)])
  })

  it('answers what is under way on each of them when it is told to stop', async () => {
    const requests: Underway[] = []
    await untilAllAnswered(async () => {
      const request = await beginRequest()
      requests.push(request)
      return request.thread
    })
    serving.child.kill('SIGTERM')
    await vi.waitFor(() => expect(ask('/health/liveness')).rejects.toMatchObject({ code: 'ECONNREFUSED' }), {
      interval: 10,
    })
    for (const { end } of requests) expect(await end()).toMatch(/HTTP\/1.1 200 .*"total":/s)
    expect(await serving.finished).toMatchObject({ code: 0 })
  })
})

interface Underway {
  readonly thread: number
  /** Sends the rest, and resolves with the answer. */
  end(): Promise<string>
}

/** A request whose headers the server has read, and whose body it waits for: they came with another one that it has answered. */
async function beginRequest(): Promise<Underway> {
  const body = signed({ consensusSubmitMessage: { message: Buffer.alloc(128) } }, 2)
  const { hostname: host, port } = new URL(url)
  const socket = connect(Number(port), host)
  const type = 'Content-Type: application/protobuf'
  socket.write(
    `GET /health/status HTTP/1.1\r\nHost: ${host}\r\n\r\n` +
      `POST /api/v1/network/fees HTTP/1.1\r\nHost: ${host}\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  const status = await received(socket, /"thread":(\d+).*\}$/s)
  return {
    thread: Number(status[1]),
    end: async () => {
      socket.write(body)
      return (await received(socket, /^HTTP.*\}$/s))[0]
    },
  }
}

function received(socket: Socket, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let all = ''
    const take = (chunk: Buffer): void => {
      all += chunk.toString('latin1')
      const match = pattern.exec(all)
      if (match === null) return
      socket.off('data', take)
      resolve(match)
    }
    socket.on('data', take)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`closed after ${JSON.stringify(all)}`)))
  })
}

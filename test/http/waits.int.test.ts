import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { Load } from '#src/http/load.ts'
import { defaultHttpSettings, type HttpSettings } from '#src/http/settings.ts'
import { Waits } from '#src/http/waits.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { openTestLedger } from '#test/http/ledger.ts'

const path = '/api/v1/blocks'
const never = '9999999999.0'
const patience = 60_000
const tooMany = (reason: string) => ({
  _status: { messages: [{ message: 'Service unavailable', detail: `${reason}; ask again in 1 s` }] },
})
let ended: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ended.reverse()) await end()
  ended = []
})

type Server = Awaited<ReturnType<typeof listening>>

/** A server whose rows reach a time when they are told to, and figures of what it does. */
async function listening(given: Partial<HttpSettings> = {}) {
  const ledger = await openTestLedger()
  ended.push(() => ledger.close())
  const settings = { ...defaultHttpSettings, maxWaitMs: 600_000, closeGraceMs: 1_000, answerCacheBytesMax: 0, ...given }
  const load = new Load(settings.requestsAtOnceMax)
  const waits = new Waits({ atOnceMax: settings.waitsAtOnceMax, perClientMax: settings.waitsPerClientMax })
  const rows = { time: 1n, hanging: Promise.resolve() }
  const blocks: RowReader = {
    checkpoint: async () => ({ position: 1, time: rows.time }),
    find: () => rows.hanging.then(() => []),
    get: async () => [],
    scan: async () => [],
    parkedCount: async () => 0,
    parked: async () => [],
    close: async () => undefined,
  }
  const app = ledger.app(settings, { load, waits, readers: { transactions: blocks, blocks } })
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 })
  const { port } = app.server.address() as AddressInfo
  ended.push(() => app.close())
  const ask = (headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers, signal })
  return { app, load, waits, rows, port, ask }
}

/** Requests that wait for a time that never comes, a hundred of them on each connection, one connection after the other. */
async function flood({ port, waits, load }: Server, count: number): Promise<readonly Socket[]> {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nLedger-Wait-For: ${never}\r\n\r\n`
  const sockets: Socket[] = []
  ended.push(async () => {
    for (const socket of sockets) socket.destroy()
  })
  for (let sent = 0; sent < count; sent += 100) {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    sockets.push(socket.on('error', () => undefined).on('data', () => undefined))
    await once(socket, 'connect')
    socket.write(request.repeat(100))
    await waitUntil(() => waits.atOnce + waits.refused.client === sent + 100 && load.atOnce === 0)
  }
  return sockets
}

async function waitUntil(condition: () => unknown): Promise<void> {
  await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 20_000, interval: 20 })
}

it(
  'answers everybody else while 2,100 requests wait',
  async () => {
    const server = await listening({ waitsAtOnceMax: 2_100, waitsPerClientMax: 2_100 })
    await flood(server, 2_100)
    expect([server.waits.atOnce, server.load.atOnce]).toEqual([2_100, 0])
    expect((await server.ask()).status).toBe(200)
    const refused = await server.ask({ 'ledger-wait-for': never })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  },
  patience,
)

it(
  'lets one client wait a hundred times unless told otherwise, and tells him the rest in the form of errors',
  async () => {
    const server = await listening()
    const { ask, waits } = server
    await flood(server, 2_100)
    expect([waits.atOnce, waits.refused.client]).toEqual([100, 2_000])
    const refused = await ask({ 'ledger-wait-for': never })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toEqual(tooMany('100 requests of this address wait already, which is the most'))
    expect((await ask()).status).toBe(200)
    // What is there already need not be waited for.
    expect((await ask({ 'ledger-wait-for': '0.000000001' })).status).toBe(200)
  },
  patience,
)

it(
  'bounds the waits of all clients together',
  async () => {
    const { ask, waits } = await listening({ waitsAtOnceMax: 2, waitsPerClientMax: 1, trustedProxies: ['127.0.0.0/8'] })
    const gone = new AbortController()
    const wait = (from: string) => ask({ 'ledger-wait-for': never, 'x-forwarded-for': from }, gone.signal)
    const waiting = Promise.allSettled([wait('203.0.113.1'), wait('203.0.113.2')])
    await waitUntil(() => waits.atOnce === 2)
    const third = await wait('203.0.113.3')
    expect(await third.json()).toEqual(tooMany('2 requests wait already, which is the most'))
    expect(waits.refused).toEqual({ client: 0, all: 1 })
    gone.abort()
    await waiting
  },
  patience,
)

it(
  'takes whom a trusted proxy names for the client, and nobody else at his word',
  async () => {
    const trusting = await listening({ waitsPerClientMax: 1, trustedProxies: ['127.0.0.1', '10.0.0.0/8'] })
    const gone = new AbortController()
    const waitOf = (server: typeof trusting, from: string) =>
      server.ask({ 'ledger-wait-for': never, 'x-forwarded-for': from }, gone.signal)
    const waiting = [waitOf(trusting, '198.51.100.7, 203.0.113.1, 10.1.1.1'), waitOf(trusting, '2001:db8:0:1::1')]
    await waitUntil(() => trusting.waits.atOnce === 2)
    // Who is named before the client was named by himself.
    expect((await waitOf(trusting, '203.0.113.99, 203.0.113.1')).status).toBe(503)
    expect((await waitOf(trusting, '[2001:db8:0:1:ffff::2]:443')).status).toBe(503)
    waiting.push(waitOf(trusting, '2001:db8:0:2::1'), waitOf(trusting, '198.51.100.7'))
    await waitUntil(() => trusting.waits.atOnce === 4)
    const plain = await listening({ waitsPerClientMax: 1 })
    waiting.push(waitOf(plain, '203.0.113.1'))
    await waitUntil(() => plain.waits.atOnce === 1)
    expect((await waitOf(plain, '203.0.113.2')).status).toBe(503)
    gone.abort()
    await Promise.allSettled(waiting)
  },
  patience,
)

it(
  'gives the places of waits back when clients leave, when their time is over, and when the server closes',
  async () => {
    const server = await listening({ waitsPerClientMax: 250 })
    const { waits, load } = server
    const sockets = await flood(server, 200)
    expect(waits.atOnce).toBe(200)
    for (const socket of sockets) socket.destroy()
    await waitUntil(() => waits.atOnce === 0 && load.atOnce === 0)
    const hasty = await listening({ maxWaitMs: 300 })
    expect((await hasty.ask({ 'ledger-wait-for': never })).status).toBe(503)
    expect([hasty.waits.atOnce, hasty.load.atOnce]).toEqual([0, 0])
    const patient = await listening()
    const last = patient.ask({ 'ledger-wait-for': never })
    await waitUntil(() => patient.waits.atOnce === 1)
    await patient.app.close()
    expect((await last).status).toBe(503)
    expect([patient.waits.atOnce, patient.load.atOnce]).toEqual([0, 0])
  },
  patience,
)

it(
  'takes a place among those that are answered once its time has come, or is told that there is none',
  async () => {
    const { ask, rows, waits, load } = await listening({ requestsAtOnceMax: 1 })
    const waiting = ask({ 'ledger-wait-for': '5.0' })
    await waitUntil(() => waits.atOnce === 1 && load.atOnce === 0)
    rows.time = 5_000_000_000n
    expect((await waiting).status).toBe(200)
    const refused = ask({ 'ledger-wait-for': '7.0' })
    await waitUntil(() => waits.atOnce === 1 && load.atOnce === 0)
    const hanging = Promise.withResolvers<void>()
    rows.hanging = hanging.promise
    const working = ask()
    await waitUntil(() => load.atOnce === 1)
    rows.time = 7_000_000_000n
    const told = await refused
    expect([told.status, told.headers.get('retry-after')]).toEqual([503, '1'])
    hanging.resolve()
    expect((await working).status).toBe(200)
    expect([waits.atOnce, load.atOnce]).toEqual([0, 0])
  },
  patience,
)

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { capacityOf } from '#src/http/capacity.ts'
import { defaultHttpSettings, type HttpSettings } from '#src/http/settings.ts'
import { type Logger, silentLogger } from '#src/ports/logger.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'

const search = '/api/v1/transactions?type=credit'
let ledger: TestLedger
let open: FastifyInstance[] = []

beforeAll(async () => {
  ledger = await openTestLedger()
  await ledger.record([recordOf('TransactionRecorded', transactionRecorded())])
})
afterAll(async () => {
  await Promise.all(open.map((app) => app.close()))
  await ledger.close()
})

/** A server with transactions without end, none of which a search for credits finds, and the blocks of the ledger. */
async function listening(given: Partial<HttpSettings> = {}, logger: Logger = silentLogger) {
  const settings = { ...defaultHttpSettings, closeGraceMs: 50, ...given }
  const capacity = capacityOf(settings)
  const figures = { reads: 0 }
  const transactions: RowReader = {
    ...ledger.readers.transactions,
    checkpoint: async () => ({ position: 1, time: 1_700_000_000_000_000_000n }),
    find: async ({ upper, limit }) => {
      figures.reads += 1
      return Array.from({ length: limit }, (_, index) => ({
        consensusTimestamp: (upper?.value as bigint) - BigInt(index),
        type: 14,
        flags: 0,
      }))
    },
  }
  const readers = { ...ledger.readers, transactions }
  const app = ledger.app(settings, { readers, capacity, logger })
  open = [...open, app]
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 })
  const { port } = app.server.address() as AddressInfo
  return { capacity, figures, port, address: `http://127.0.0.1:${port}` }
}

async function ask(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return socket
}

it('ends a search with its client, whether it runs or waits for others', async () => {
  const lines: string[] = []
  const logger = { ...silentLogger, warn: (_: object, text: string) => lines.push(text) }
  const { capacity, figures, port } = await listening({ searchesAtOnceMax: 1 }, logger)
  const sockets = await Promise.all([1, 2, 3].map(() => ask(port, search)))
  await vi.waitFor(() => expect([capacity.searches.atOnce, capacity.searches.waiting]).toEqual([1, 2]))
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(() => expect([capacity.searches.atOnce, capacity.searches.waiting]).toEqual([0, 0]))
  const { reads } = figures
  await sleep(20)
  expect(figures.reads).toBe(reads)
  expect(lines).not.toContain('request given up')
})

it('refuses searches for which there is no place, and says when to ask again', async () => {
  const { capacity, port, address } = await listening({ searchesAtOnceMax: 1, searchesWaitingMax: 1 })
  const sockets = await Promise.all([1, 2].map(() => ask(port, search)))
  await vi.waitFor(() => expect(capacity.searches.waiting).toBe(1))
  const refused = await fetch(address + search)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toEqual({
    _status: {
      messages: [
        {
          message: 'Service unavailable',
          detail: 'Too many searches at once; narrow the search by time or account, or ask again in 5 s',
        },
      ],
    },
  })
  for (const socket of sockets) socket.destroy()
})

it('gives up a search that waits for others when its time is over', async () => {
  const { capacity, address } = await listening({ searchesAtOnceMax: 1, requestTimeoutMs: 150 })
  const answers = await Promise.all([1, 2].map(() => fetch(address + search)))
  expect(answers.map(({ status }) => status)).toEqual([503, 503])
  expect([capacity.searches.atOnce, capacity.searches.waiting]).toEqual([0, 0])
})

it('answers others at once while many search, leave or wait', async () => {
  const { capacity, port, address } = await listening()
  const sockets = await Promise.all(Array.from({ length: 300 }, () => ask(port, search)))
  // Three hundred requests are read in one turn of the event loop, before any timer.
  await vi.waitFor(() => expect(capacity.searches.atOnce).toBe(4), { timeout: 20_000 })
  for (const path of ['/health/liveness', '/api/v1/blocks']) {
    // CPU time, since other programs may have the core meanwhile.
    const before = process.cpuUsage()
    expect((await fetch(address + path)).status).toBe(200)
    const { user, system } = process.cpuUsage(before)
    // Three hundred searches would take turns of five milliseconds each.
    expect((user + system) / 1_000).toBeLessThan(1_000)
  }
  expect(capacity.searches.atOnce).toBe(4)
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(() => expect(capacity.searches.atOnce).toBe(0), { timeout: 20_000 })
})

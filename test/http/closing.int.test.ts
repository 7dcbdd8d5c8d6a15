import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RowReader } from '#src/ports/read-store.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'

let ledger: TestLedger

beforeAll(async () => {
  ledger = await openTestLedger()
})
afterAll(() => ledger.close())

async function listening(...options: Parameters<TestLedger['app']>): Promise<FastifyInstance> {
  const app = ledger.app(...options)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port
}

/** Rows without end that no search for credits finds. */
const endless: RowReader = {
  checkpoint: async () => ({ position: 1, time: 1_700_000_000_000_000_000n }),
  find: async ({ upper, limit }) =>
    Array.from({ length: limit }, (_, index) => ({
      consensusTimestamp: (upper?.value as bigint) - BigInt(index),
      type: 14,
      flags: 0,
    })),
  get: async () => [],
  scan: async () => [],
  parkedCount: async () => 0,
  parked: async () => [],
  close: async () => undefined,
}

it('closes although a client never sends the rest of its request', async () => {
  const app = await listening({ closeGraceMs: 50 })
  const arrived = once(app.server, 'connection')
  const socket = connect(portOf(app), '127.0.0.1')
  socket.on('error', () => undefined)
  await arrived
  socket.write('GET /api/v1/blocks HTTP/1.1\r\nHost: x\r\n')
  const cut = once(socket, 'close')
  await app.close()
  await cut
})

it('ends a wait for a time that has not come when it closes', async () => {
  const app = await listening({ maxWaitMs: 60_000, closeGraceMs: 60_000 })
  const url = `http://127.0.0.1:${portOf(app)}/api/v1/blocks`
  const begun = once(app.server, 'request')
  const waiting = fetch(url, { headers: { 'ledger-wait-for': '9999999999.0' } })
  await begun
  await app.close()
  expect((await waiting).status).toBe(503)
})

it('gives up a search that goes on when the time to finish is over', async () => {
  let reads = 0
  const transactions: RowReader = {
    ...endless,
    find: (query) => {
      reads += 1
      return endless.find(query)
    },
  }
  const app = await listening({ closeGraceMs: 50 }, { readers: { transactions, blocks: endless } })
  const begun = once(app.server, 'request')
  const searching = fetch(`http://127.0.0.1:${portOf(app)}/api/v1/transactions?type=credit`).catch(() => 'cut')
  await begun
  await app.close()
  expect(await searching).toBe('cut')
  await nextTurn()
  const readsAtEnd = reads
  expect(readsAtEnd).toBeGreaterThan(0)
  await sleep(20)
  expect(reads).toBe(readsAtEnd)
})

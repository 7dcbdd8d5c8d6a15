import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'

let ledger: TestLedger
let app: FastifyInstance

beforeAll(async () => {
  ledger = await openTestLedger()
  app = ledger.app()
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  await ledger.close()
})

/** Everything that the server says to these bytes until it closes the connection. */
async function sayTo(bytes: string): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let said = ''
  socket.on('data', (chunk) => {
    said += chunk.toString()
  })
  await once(socket, 'connect')
  socket.write(bytes)
  await once(socket, 'close')
  return said
}

const get = 'GET /api/v1/blocks HTTP/1.1\r\nHost: x\r\n'

it.each([
  ['bytes that are no request', '\x16\x03\x01 hello\r\n\r\n', 400, 'Bad request'],
  ['a method that does not exist', 'BREW /api/v1/blocks HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad request'],
  ['headers that are too long', `${get}X-Long: ${'a'.repeat(70_000)}\r\n\r\n`, 431, 'Request header fields too large'],
  ['no host', 'GET /api/v1/blocks HTTP/1.1\r\n\r\n', 400, 'Bad request'],
  ['no host for the page', 'GET / HTTP/1.1\r\nX: y\r\n\r\n', 400, 'Bad request'],
  ['an expectation', `${get}Expect: tea\r\nConnection: close\r\n\r\n`, 417, 'Expectation failed'],
])('answers %s like any other error', async (_, bytes, status, message) => {
  const said = await sayTo(bytes)
  const [head = '', body = ''] = said.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head.toLowerCase()).toContain('access-control-allow-origin: *')
  expect(head.toLowerCase()).toContain('content-type: application/json; charset=utf-8')
  expect(head).toMatch(/request-id: [\w-]+/i)
  expect(JSON.parse(body)).toEqual({ _status: { messages: [{ message }] } })
})

it('asks HTTP/1.0 for no host', async () => {
  expect(await sayTo('GET /health/liveness HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK\r\n/)
})

it('says the time is over to whoever does not send a whole request', async () => {
  const late: Error & { code?: string } = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const arrived = once(app.server, 'connection')
  const said = sayTo(get)
  const [socket] = await arrived
  // What the server does itself after ten seconds.
  app.server.emit('clientError', late, socket)
  const answer = await said
  expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  expect(answer).toContain('{"message":"Request timeout"}')
})

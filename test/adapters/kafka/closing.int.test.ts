import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openKafkaLog } from '#src/adapters/kafka/message-log.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { testOptions } from '#test/adapters/kafka/support.ts'

/** Takes connections and requests, and answers nothing, as a broker that was stopped. */
const sockets = new Set<net.Socket>()
const server = net.createServer((socket) => sockets.add(socket.on('error', () => socket.destroy()).resume()))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const newLog = () => openKafkaLog(testOptions([`127.0.0.1:${(server.address() as AddressInfo).port}`]))
const connected = async () => {
  await new Promise((resolve) => server.once('connection', resolve))
}

it('a broker that does not answer holds up nobody who stops reading', async () => {
  const log = newLog()
  const stop = new AbortController()
  const options = { after: 0, countMax: 1, bytesMax: 1_000, follow: true, signal: stop.signal }
  const waiting = log.read(options)[Symbol.asyncIterator]().next()
  await connected()
  stop.abort()
  expect(await waiting).toEqual({ done: true, value: undefined })
  await log.close()
})

it('a broker that does not answer holds up nobody who closes the log', async () => {
  const log = newLog()
  const waiting = [
    log.read({ after: 0, countMax: 1, bytesMax: 1_000, follow: true })[Symbol.asyncIterator]().next(),
    log.head(),
    log.openWriter(),
  ]
  await connected()
  const all = Promise.allSettled(waiting)
  await log.close()
  for (const each of await all) expect(each).toSatisfy(({ reason }) => isLedgerError(reason, 'log_unavailable'))
})

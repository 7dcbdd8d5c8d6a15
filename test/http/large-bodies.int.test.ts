import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openCallLedger } from '#test/evm/call-ledger.ts'
import type { TestLedger } from '#test/http/ledger.ts'

const atOnceMax = 3
const largeBytes = 100_000
let ledger: TestLedger
let port: number
let close: () => Promise<void>

beforeAll(async () => {
  ;({ ledger } = await openCallLedger(['00']))
  const app = ledger.app({ largeBodiesAtOnceMax: atOnceMax })
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  close = () => app.close()
})
afterAll(async () => {
  await close()
  await ledger.close()
})

/** A request of which the server has the head alone. */
async function begin(bytes: number, header = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const head = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${header}\r\n`
  socket.write(`POST /api/v1/contracts/call HTTP/1.1\r\n${head}`)
  return socket
}

async function answerOf(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes.toString('utf8')
}

const body = (bytes: number) => JSON.stringify({ to: null, data: '' }).padEnd(bytes)

it('reads so many large bodies at once, and refuses further ones before they are sent', async () => {
  const underway: Socket[] = []
  for (let each = 0; each < atOnceMax; each++) underway.push(await begin(largeBytes))
  const refused = await begin(largeBytes)
  expect(await answerOf(refused)).toMatch(/^HTTP\/1.1 503 .*retry-after: 1\r\n/is)
  const small = await begin(200)
  small.write(body(200))
  expect(await answerOf(small)).toMatch(/^HTTP\/1.1 400 /)
  for (const socket of underway) socket.write(body(largeBytes))
  for (const socket of underway) expect(await answerOf(socket)).toMatch(/^HTTP\/1.1 400 /)
  for (const socket of [...underway, refused, small]) socket.destroy()
})

it('takes what a client still sends after it was refused, who would not see the answer otherwise', async () => {
  const underway: Socket[] = []
  for (let each = 0; each < atOnceMax; each++) underway.push(await begin(largeBytes))
  const refused = await begin(largeBytes, 'Connection: close\r\n')
  expect(await answerOf(refused)).toMatch(/^HTTP\/1.1 503 /)
  refused.write(body(largeBytes))
  await sleep(200)
  expect([refused.errored, refused.readableEnded]).toEqual([null, false])
  for (const socket of [...underway, refused]) socket.destroy()
})

it('has room again once a client is gone, whether or not it was answered', async () => {
  const gone: Socket[] = []
  for (let each = 0; each < atOnceMax; each++) gone.push(await begin(largeBytes))
  expect(await answerOf(await begin(largeBytes))).toMatch(/^HTTP\/1.1 503 /)
  for (const socket of gone) socket.destroy()
  await expect
    .poll(async () => {
      const next = await begin(largeBytes)
      next.write(body(largeBytes))
      const answer = await answerOf(next)
      next.destroy()
      return answer.slice(0, 12)
    })
    .toBe('HTTP/1.1 400')
})

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { S3SourceOptions } from '#src/adapters/s3/s3-source.ts'
import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import { withSource as withSourceAt } from '#test/adapters/s3/with-source.ts'

// A bucket, or who took its place, does its worst. It costs a bounded time and memory, and is never taken for an empty one.

const mebibyte = 1 << 20
/** More than what is read may fill the buffers on the way. */
const onTheWayMax = 16 * mebibyte
const patience = 60_000
const escapes = '\u001b[2J\u001b]0;owned\u0007\u202egone'
/** What a terminal would obey. */
const control = /[\p{Cc}\p{Cf}]/u

let server: Server
let answer: (response: ServerResponse) => void
let asked: number
let sent: number
let endpoint: string

beforeEach(async () => {
  asked = 0
  sent = 0
  server = createServer((_, response) => {
    asked += 1
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** As long as the client takes it, and at most so much. */
function pour(response: ServerResponse, beginning: string, piece: string, bytesMax = Number.POSITIVE_INFINITY): void {
  const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  response.write(beginning)
  let left = bytesMax
  const pump = (): void => {
    for (; left > 0 && !response.destroyed; left -= block.length) {
      sent += block.length
      if (!response.write(block)) return
    }
    if (!response.destroyed) response.end()
  }
  response.on('drain', pump)
  pump()
}

function withSource<T>(options: Partial<S3SourceOptions>, use: (source: StreamSource) => Promise<T>): Promise<T> {
  return withSourceAt({ endpoint, requestTimeoutMs: 10_000, ...options }, use)
}

const asking = {
  list: (source: StreamSource) => source.list({ folder: 'a/b', after: '', countMax: 50 }),
  listFolders: (source: StreamSource) => source.listFolders('a', 50),
  fetch: (source: StreamSource) => source.fetch('a/b/one.rcd', { bytesMax: 1_000 }),
} as const
type Verb = keyof typeof asking
const verbs = Object.keys(asking) as readonly Verb[]
const listings = ['list', 'listFolders'] as const

async function failureOf(verb: Verb, options: Partial<S3SourceOptions> = {}): Promise<LedgerError> {
  const ask: (source: StreamSource) => Promise<unknown> = asking[verb]
  const outcome = await withSource(options, ask).catch((error: unknown) => error)
  if (isLedgerError(outcome, 'source_unavailable')) return outcome
  throw new Error(`not refused: ${JSON.stringify(outcome)} ${String(outcome)}`)
}

const opening = '<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>'
const entry = '<Contents><Key>a/b/one.rcd</Key><Size>12</Size></Contents>'

describe('a listing', () => {
  it.each(listings)('without end is not read beyond its limit (%s)', async (verb) => {
    answer = (response) => pour(response.setHeader('content-type', 'application/xml'), opening, entry)
    const error = await failureOf(verb)
    expect(error.message).toMatch(/more than the limit of 4194304/)
    expect(sent).toBeLessThan(onTheWayMax)
  })

  it.each(listings)('that announces too much is not read at all (%s)', async (verb) => {
    answer = (response) => response.setHeader('content-length', 40 * mebibyte).write(opening)
    expect((await failureOf(verb)).message).toMatch(/41943040 bytes, more than the limit/)
  })

  it.each([
    ['objects without names', '<Contents/>'],
    ['objects', entry],
    ['folders', '<CommonPrefixes><Prefix>a/b/</Prefix></CommonPrefixes>'],
    ['elements within elements', '<a>'],
    ['attributes', '<Contents a="b" c="d"/>'],
    ['entities', '<Key>&amp;&#38;&lt;</Key>'],
  ])(
    'that is full of %s gives no more than was asked for, in bounded time',
    async (_, piece) => {
      const body = `${opening}${piece.repeat(Math.floor((3 * mebibyte) / piece.length))}</ListBucketResult>`
      answer = (response) => response.setHeader('content-type', 'application/xml').end(body)
      for (const verb of listings) {
        const began = performance.now()
        const ask: (source: StreamSource) => Promise<readonly unknown[]> = asking[verb]
        const found = await withSource({}, ask).catch((error: unknown) => error)
        if (Array.isArray(found)) expect(found.length).toBeLessThanOrEqual(50)
        else expect(found).toMatchObject({ code: 'source_unavailable' })
        expect(performance.now() - began).toBeLessThan(30_000)
      }
    },
    patience,
  )

  const strange: readonly (readonly [string, string, string])[] = [
    ['a page of a web site', 'text/html', '<!doctype html><html><body>Sign in</body></html>'],
    ['a page that says that it is XML', 'application/xml', '<?xml version="1.0"?><html><body/></html>'],
    ['JSON', 'application/json', '{"items":[]}'],
    ['nothing', 'application/xml', ''],
    ['half a listing', 'application/xml', `${opening}${entry}<Contents><Key>a/b`],
    ['another document', 'application/xml', '<ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>'],
    ['an error', 'application/xml', '<Error><Code>NoSuchKey</Code></Error>'],
    [
      'a document that defines entities',
      'application/xml',
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><ListBucketResult><Name>&b;</Name></ListBucketResult>',
    ],
  ]
  it.each(strange)('is not empty where the answer is %s', async (_, type, body) => {
    answer = (response) => response.setHeader('content-type', type).end(body)
    for (const verb of listings) {
      const { message } = await failureOf(verb, { attemptsMax: 3 })
      expect(message).toMatch(/it answers with status 200, and with what is not a listing/)
      expect(message).toContain(type)
    }
    // To ask again at once would not help.
    expect(asked).toBe(2)
  })
})

describe('an answer', () => {
  it.each(verbs)('of a byte now and then ends when its time is over (%s)', async (verb) => {
    answer = (response) => {
      response.writeHead(verb === 'fetch' ? 500 : 200, { 'content-type': 'application/xml' })
      response.write('<')
      const timer = setInterval(() => response.write(' '), 100)
      response.once('close', () => clearInterval(timer))
    }
    const error = await failureOf(verb, { requestTimeoutMs: 500 })
    expect([error.details['reason'], error.message]).toEqual([
      'timeout',
      expect.stringContaining('not answered wholly within 1000 ms'),
    ])
  })

  it.each(verbs)('whose head comes a byte now and then ends when its time is over (%s)', async (verb) => {
    answer = ({ socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\nx-a: ')
      const timer = setInterval(() => socket?.write('x'), 100)
      socket?.once('close', () => clearInterval(timer))
    }
    expect((await failureOf(verb, { requestTimeoutMs: 500 })).details['reason']).toBe('timeout')
  })

  it.each(verbs)('that asks to be asked again in an hour ends when the time is over (%s)', async (verb) => {
    answer = (response) => response.writeHead(503, { 'retry-after': '3600' }).end()
    const error = await failureOf(verb, { requestTimeoutMs: 500, attemptsMax: 2 })
    expect(['timeout', 'busy']).toContain(error.details['reason'])
  })

  it.each(verbs)('that refuses is not read beyond its limit (%s)', async (verb) => {
    answer = (response) => {
      response.writeHead(403, { 'content-type': 'application/xml' })
      pour(response, '<Error><Code>AccessDenied</Code><Message>', 'no ')
    }
    const error = await failureOf(verb)
    expect(error.details).toMatchObject({ status: 403, reason: 'anonymous' })
    expect(sent).toBeLessThan(onTheWayMax)
  })

  it.each(verbs)('is told without what a terminal would obey (%s)', async (verb) => {
    const text = `<Error><Code>Access${escapes}</Code><Message>${escapes}</Message></Error>`
    for (const body of [text, `<html>${escapes}</html>`]) {
      answer = (response) => response.writeHead(403, { 'content-type': 'application/xml' }).end(body)
      expect((await failureOf(verb)).message).not.toMatch(control)
    }
  })

  it('of a proxy in front is told by its status, and what passes is asked again', async () => {
    const page = '<html><body>Bad gateway</body></html>'
    answer = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end(page)
    for (const verb of verbs) {
      const error = await failureOf(verb, { attemptsMax: 2 })
      expect(error.details).toMatchObject({ status: 502, reason: 'busy' })
    }
    expect(asked).toBe(6)
  })

  it('that there is no such object need not be a document', async () => {
    answer = (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
    expect(await withSource({}, asking.fetch)).toBeUndefined()
  })
})

it.each(['listings', 'errors'])(
  'tells 24 bombs of 40 MiB, %s, within ten seconds and in bounded memory',
  async (kind) => {
    answer = (response) => {
      response.writeHead(kind === 'listings' ? 200 : 500, { 'content-type': 'application/xml' })
      pour(response, kind === 'listings' ? opening : '<Error><Message>', entry, 40 * mebibyte)
    }
    const before = process.memoryUsage().rss
    let peak = before
    const look = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 10)
    const began = performance.now()
    const failures = await withSource({}, (source) =>
      Promise.allSettled(
        Array.from({ length: 24 }, (_, node) => source.list({ folder: `${node}`, after: '', countMax: 50 })),
      ),
    )
    const seconds = (performance.now() - began) / 1_000
    clearInterval(look)
    const grownMiB = (peak - before) / mebibyte
    console.log(`24 ${kind} of 40 MiB: ${seconds.toFixed(1)} s, ${grownMiB.toFixed(0)} MiB more`)
    for (const failure of failures) expect(failure).toMatchObject({ reason: { code: 'source_unavailable' } })
    expect(seconds).toBeLessThan(10)
    expect(grownMiB).toBeLessThan(512)
  },
  patience,
)

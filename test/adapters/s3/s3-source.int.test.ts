import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openS3Source, type S3SourceOptions } from '#src/adapters/s3/s3-source.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

interface Asked {
  readonly url: URL
  readonly headers: IncomingMessage['headers']
}

let server: Server
let asked: Asked[]
let answer: (request: Asked, response: ServerResponse) => void
let endpoint: string

beforeEach(async () => {
  asked = []
  answer = (_, response) => response.end()
  server = createServer((request, response) => {
    const one = { url: new URL(request.url ?? '/', 'http://127.0.0.1'), headers: request.headers }
    asked.push(one)
    answer(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function withSource<T>(options: Partial<S3SourceOptions>, use: (source: StreamSource) => Promise<T>): Promise<T> {
  const source = await openS3Source({
    bucket: 'streams',
    region: 'us-east-1',
    endpoint,
    pathStyle: true,
    requestTimeoutMs: 2_000,
    attemptsMax: 1,
    ...options,
  })
  try {
    return await use(source)
  } finally {
    await source.close()
  }
}

const keys = { accessKeyId: 'GOOG1EXAMPLE', secretAccessKey: 'secret' }
const listing = `<?xml version="1.0"?><ListBucketResult><Name>streams</Name><IsTruncated>false</IsTruncated>
  <Contents><Key>a/b/one.rcd</Key><Size>12</Size></Contents><Contents><Key>a/b/one.rcd_sig</Key><Size>3</Size></Contents>
</ListBucketResult>`

describe('requests to a bucket', () => {
  it('list one folder behind a marker, at the cost of the reader', async () => {
    answer = (_, response) => response.setHeader('content-type', 'application/xml').end(listing)
    const objects = await withSource({ credentials: keys }, (source) =>
      source.list({ folder: 'a/b', after: '2022-07-13T08_46_08Z_', countMax: 50 }),
    )
    expect(objects).toEqual([
      { name: 'one.rcd', size: 12 },
      { name: 'one.rcd_sig', size: 3 },
    ])
    const { url, headers } = asked[0]!
    expect(url.pathname).toBe('/streams/')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      'list-type': '2',
      prefix: 'a/b/',
      delimiter: '/',
      'max-keys': '50',
      'start-after': 'a/b/2022-07-13T08_46_08Z_',
    })
    expect(headers['x-amz-request-payer']).toBe('requester')
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=GOOG1EXAMPLE\//)
  })

  it('fetch an object, at the cost of the reader', async () => {
    answer = (_, response) => response.end(Buffer.from([1, 2, 3]))
    const bytes = await withSource({ credentials: keys }, (source) => source.fetch('a/b/one.rcd', { bytesMax: 10 }))
    expect([...(bytes ?? [])]).toEqual([1, 2, 3])
    expect(asked[0]?.url.pathname).toBe('/streams/a/b/one.rcd')
    expect(asked[0]?.headers['x-amz-request-payer']).toBe('requester')
  })

  it('are not signed without credentials', async () => {
    answer = (_, response) => response.setHeader('content-type', 'application/xml').end(listing)
    await withSource({}, (source) => source.list({ folder: 'a/b', after: '', countMax: 50 }))
    expect(asked[0]?.headers.authorization).toBeUndefined()
    expect(asked[0]?.url.searchParams.has('start-after')).toBe(false)
  })

  it('tell a missing object from a source that cannot be asked', async () => {
    answer = ({ url }, response) => {
      const isMissing = url.pathname.endsWith('missing')
      response.statusCode = isMissing ? 404 : 403
      const code = isMissing ? 'NoSuchKey' : 'SignatureDoesNotMatch'
      response
        .setHeader('content-type', 'application/xml')
        .end(`<Error><Code>${code}</Code><Message>no</Message></Error>`)
    }
    await withSource({ credentials: keys }, async (source) => {
      expect(await source.fetch('missing', { bytesMax: 10 })).toBeUndefined()
      const error = await source.fetch('other', { bytesMax: 10 }).catch((thrown: unknown) => thrown)
      expect(isLedgerError(error, 'source_unavailable') && error.message).toMatch(/SignatureDoesNotMatch.*check bucket/)
      expect(String(error)).not.toContain('secret')
    })
  })

  it('do not read an object beyond its limit', async () => {
    answer = (_, response) => response.setHeader('content-length', '1000').end(Buffer.alloc(1000))
    const error = await withSource({}, (source) =>
      source.fetch('big', { bytesMax: 999 }).catch((thrown: unknown) => thrown),
    )
    expect(isLedgerError(error, 'source_unavailable') && error.message).toMatch(
      /1000 bytes, more than the limit of 999/,
    )
  })

  it('do not read an object beyond its limit when its length was not announced', async () => {
    let sent = 0
    answer = (_, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(1_000)) && sent++, 1)
      response.on('close', () => clearInterval(timer))
    }
    const error = await withSource({}, (source) =>
      source.fetch('endless', { bytesMax: 2_999 }).catch((thrown: unknown) => thrown),
    )
    expect(isLedgerError(error, 'source_unavailable') && error.message).toMatch(/more than the limit of 2999/)
    expect(sent).toBeLessThan(1_000)
  })

  it.each(['fetch', 'list'] as const)(
    'end with an error when the answer to %s stalls within its body',
    async (which) => {
      answer = (_, response) => {
        response.setHeader('content-length', '1000')
        response.write('<?xml version="1.0"?>')
      }
      const error = await withSource({ requestTimeoutMs: 100 }, (source) =>
        (which === 'fetch'
          ? source.fetch('stalls', { bytesMax: 9_999 })
          : source.list({ folder: 'a', after: '', countMax: 1 })
        ).catch((thrown: unknown) => thrown),
      )
      server.closeAllConnections()
      expect(isLedgerError(error, 'source_unavailable') && error.message).toMatch(/not answered wholly within 200 ms/)
    },
  )

  it('end at the signal, also within a body', async () => {
    answer = (_, response) => response.setHeader('content-length', '1000').write('x')
    const signal = AbortSignal.timeout(30)
    const error = await withSource({}, (source) =>
      source.fetch('stalls', { bytesMax: 9_999, signal }).catch((thrown: unknown) => thrown),
    )
    server.closeAllConnections()
    expect(isLedgerError(error, 'source_unavailable') && error.cause).toBe(signal.reason)
  })

  it('ask for the pages that follow a short one, also where more than one page is wanted', async () => {
    answer = ({ url }, response) => {
      const page = Number(url.searchParams.get('continuation-token') ?? 0)
      const key = `<Contents><Key>a/b/${page}.rcd</Key><Size>1</Size></Contents>`
      const end =
        page < 2 ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page + 1}</NextContinuationToken>` : ''
      response
        .setHeader('content-type', 'application/xml')
        .end(`<?xml version="1.0"?><ListBucketResult>${end}${page === 1 ? '' : key}</ListBucketResult>`)
    }
    const objects = await withSource({}, (source) => source.list({ folder: 'a/b', after: '', countMax: 1_500 }))
    expect(objects.map(({ name }) => name)).toEqual(['0.rcd', '2.rcd'])
    expect(asked.map(({ url }) => url.searchParams.get('max-keys'))).toEqual(['1000', '1000', '1000'])
  })

  it('end with an error when nobody answers', async () => {
    answer = () => undefined
    const asking = withSource({ requestTimeoutMs: 100 }, (source) =>
      source.list({ folder: 'a', after: '', countMax: 1 }),
    )
    const error = await asking.catch((thrown: unknown) => thrown)
    server.closeAllConnections()
    expect(isLedgerError(error, 'source_unavailable')).toBe(true)
  })

  it('stop waiting at the signal', async () => {
    await withSource({}, (source) => source.waitForChange(60_000, AbortSignal.timeout(10)))
  })
})

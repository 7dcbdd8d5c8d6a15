import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { S3SourceOptions, ServiceTime } from '#src/adapters/s3/s3-source.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import { withSource as withSourceAt } from '#test/adapters/s3/with-source.ts'

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

function withSource<T>(options: Partial<S3SourceOptions>, use: (source: StreamSource) => Promise<T>): Promise<T> {
  return withSourceAt({ endpoint, requestTimeoutMs: 2_000, ...options }, use)
}

const keys = { accessKeyId: 'GOOG1EXAMPLE', secretAccessKey: 'hush-hush' }
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
      expect(isLedgerError(error, 'source_unavailable') && error.message).toMatch(
        /SignatureDoesNotMatch.*check --source-s3-access-key/,
      )
      expect(String(error)).not.toContain('hush-hush')
    })
  })

  const refusals: [string, number, string, string, string][] = [
    ['AccessDenied', 403, 'Access Denied', 'denied', 'allow listing and reading'],
    ['AllAccessDisabled', 403, 'All access is disabled', 'denied', 'allow listing and reading'],
    ['InvalidAccessKeyId', 403, 'No such key', 'credentials', '--source-s3-access-key'],
    ['ExpiredToken', 400, 'Expired', 'credentials', '--source-s3-access-key'],
    ['NoSuchBucket', 404, 'No such bucket', 'no_bucket', 'check the name'],
    ['UserProjectMissing', 400, 'Bucket is a requester pays bucket', 'requester_pays', '--source-s3-billing-project'],
    ['InvalidRequest', 400, 'Bucket is requester pays bucket but no user project', 'requester_pays', 'billing-project'],
    ['UserProjectAccessDenied', 403, 'No access to the project', 'requester_pays', '--source-s3-billing-project'],
    ['RequestTimeTooSkewed', 403, 'Too large a difference', 'clock', 'NTP'],
    ['PermanentRedirect', 301, 'Use another endpoint', 'region', '--source-s3-region'],
    ['AuthorizationHeaderMalformed', 400, 'The region is wrong', 'region', '--source-s3-region'],
    ['SlowDown', 503, 'Slow down', 'busy', 'asked again'],
    ['Whatever', 418, 'Something new', 'other', 'check bucket, endpoint and credentials'],
  ]
  it.each(refusals)('%s is told as a reason, with what to do', async (code, status, message, reason, step) => {
    answer = (_, response) => {
      response.statusCode = status
      const body = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`
      response.setHeader('content-type', 'application/xml').end(body)
    }
    await withSource({ credentials: keys }, async (source) => {
      for (const asking of [source.listFolders('', 10), source.fetch('a/b', { bytesMax: 10 })]) {
        const error = await asking.then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        if (!isLedgerError(error, 'source_unavailable')) throw new Error(`not refused: ${String(error)}`)
        expect(error.details['reason']).toBe(reason)
        expect(error.message).toContain(step)
      }
    })
  })

  it('that are denied without a key ask for one', async () => {
    answer = (_, response) => {
      response.statusCode = 403
      response.setHeader('content-type', 'application/xml').end('<Error><Code>AccessDenied</Code></Error>')
    }
    const error = await withSource({}, (source) => source.listFolders('', 10).catch((thrown: unknown) => thrown))
    expect(isLedgerError(error) && error.details['reason']).toBe('anonymous')
    expect(String(error)).toContain('it takes no requests without a key')
  })

  it.each([
    ['http://nowhere.invalid', 'unknown_host'],
    ['http://127.0.0.1:1', 'unreachable'],
    ['tls', 'tls'],
  ])('to %s fail with the reason %s', async (where, reason) => {
    const at = where === 'tls' ? endpoint.replace('http:', 'https:') : where
    const error = await withSource({ endpoint: at }, (source) =>
      source.listFolders('', 10).catch((thrown: unknown) => thrown),
    )
    expect(isLedgerError(error) && error.details['reason'], String(error)).toBe(reason)
  })

  it('tell the time of the service, also where it refuses', async () => {
    const service = Date.parse('2026-11-25T14:00:00Z')
    answer = (_, response) => {
      response.statusCode = 403
      response.setHeader('date', new Date(service).toUTCString()).end()
    }
    const told: ServiceTime[] = []
    const onTime = (time: ServiceTime) => void told.push(time)
    await withSource({ onTime }, (source) => source.listFolders('', 10).catch(() => undefined))
    expect(told).toMatchObject([{ service }])
    expect(Math.abs(told[0]!.here - Date.now())).toBeLessThan(60_000)
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

import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { ListObjectsV2CommandOutput, S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { withDeadline } from '#src/adapters/deadline.ts'
import { boundAnswer } from '#src/adapters/s3/bounded-answer.ts'
import { bucketFailure, isMissingObject } from '#src/adapters/s3/failure.ts'
import { readBody, tooLarge } from '#src/adapters/s3/read-body.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { FetchOptions, ListOptions, StreamObject, StreamSource } from '#src/ports/stream-source.ts'

export interface S3Credentials {
  /** Also the access id of an HMAC key. */
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface S3SourceOptions {
  readonly bucket: string
  readonly region: string
  /** Another service that speaks the protocol, such as `https://storage.googleapis.com`. */
  readonly endpoint?: string | undefined
  /** Bucket in the path instead of in the host name; most own servers want that. */
  readonly pathStyle: boolean
  /** None: requests are not signed (buckets that everyone may read). */
  readonly credentials?: S3Credentials | undefined
  /** Project at Google that pays, where the reader of a bucket has to. */
  readonly billingProject?: string | undefined
  /** Milliseconds until one request is answered; all of an object has to be there within twice that for each try. */
  readonly requestTimeoutMs: number
  /** Tries of one request, the first included. */
  readonly attemptsMax: number
  /** Told of what time the service has whenever it answers. */
  readonly onTime?: ((told: ServiceTime) => void) | undefined
}

/** The time of a service as it told it, and by our clock when that came; milliseconds since the epoch. */
export interface ServiceTime {
  readonly service: number
  readonly here: number
}

const listTimeoutMs = 30_000
const pageObjectsMax = 1_000
const pagesMax = 100

/** An S3-compatible bucket. The reader pays for the requests where the bucket wants it so. */
export async function openS3Source(options: S3SourceOptions): Promise<StreamSource> {
  // Loaded here, since it is heavy and most installations read folders.
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client(clientConfig(options))
  if (options.billingProject !== undefined) bill(client, options.billingProject)
  if (options.onTime !== undefined) tellTime(client, options.onTime)
  return new S3Source(options, client, sdk)
}

/** Before the request is signed, since the header belongs to what is signed. */
function bill(client: S3Client, project: string): void {
  client.middlewareStack.add(
    (next) => (input) => {
      const { headers } = input.request as { readonly headers: Record<string, string> }
      headers['x-goog-user-project'] = project
      return next(input)
    },
    { step: 'build', name: 'billingProject' },
  )
}

/** As close to the wire as possible: answers that refuse have a time as well. */
function tellTime(client: S3Client, onTime: (told: ServiceTime) => void): void {
  client.middlewareStack.add(
    (next) => async (input) => {
      const output = await next(input)
      const { headers } = output.response as { readonly headers: Record<string, string> }
      const service = Date.parse(headers['date'] ?? '')
      if (!Number.isNaN(service)) onTime({ service, here: Date.now() })
      return output
    },
    { step: 'deserialize', name: 'serviceTime', priority: 'low' },
  )
}

type Sdk = Pick<typeof import('@aws-sdk/client-s3'), 'ListObjectsV2Command' | 'GetObjectCommand'>

function clientConfig(options: S3SourceOptions): S3ClientConfig {
  const { credentials, region, endpoint, pathStyle, attemptsMax, requestTimeoutMs } = options
  const config: S3ClientConfig = {
    region,
    forcePathStyle: pathStyle,
    maxAttempts: attemptsMax,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      requestTimeout: requestTimeoutMs,
      connectionTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
  }
  if (endpoint !== undefined) config.endpoint = endpoint
  if (credentials === undefined) return { ...config, ...anonymous }
  const { accessKeyId, secretAccessKey } = credentials
  return { ...config, credentials: { accessKeyId, secretAccessKey } }
}

/** A signer that does not sign; credentials are never looked for in the environment. */
const anonymous: S3ClientConfig = {
  credentials: { accessKeyId: '', secretAccessKey: '' },
  signer: { sign: async (request) => request },
}

class S3Source implements StreamSource {
  readonly description: string
  readonly #bucket: string
  readonly #client: S3Client
  readonly #sdk: Sdk
  readonly #fetchTimeoutMs: number
  readonly #isSigned: boolean

  constructor(options: S3SourceOptions, client: S3Client, sdk: Sdk) {
    const { bucket, endpoint, credentials, requestTimeoutMs, attemptsMax } = options
    this.#fetchTimeoutMs = 2 * requestTimeoutMs * attemptsMax
    this.description = endpoint === undefined ? `s3://${bucket}` : `${endpoint}/${bucket}`
    this.#bucket = bucket
    this.#isSigned = credentials !== undefined
    this.#client = client
    this.#sdk = sdk
  }

  async list({ folder, after, countMax, signal }: ListOptions): Promise<readonly StreamObject[]> {
    const timeoutMs = Math.min(listTimeoutMs, this.#fetchTimeoutMs)
    return this.#ask(folder, timeoutMs, signal, async (ending) => {
      const objects: StreamObject[] = []
      let token: string | undefined
      // The service ends a page where it likes, so that a short one may not be the last.
      for (let page = 0; page < pagesMax; page++) {
        const answer = await this.#listPage(folder, after, countMax - objects.length, token, ending)
        // Whatever it was asked for, it may give more.
        objects.push(...objectsOf(answer, folder).slice(0, countMax - objects.length))
        token = answer.IsTruncated ? answer.NextContinuationToken : undefined
        if (token === undefined || objects.length >= countMax) return objects
      }
      throw new Error(`its listing does not end after ${pagesMax} pages`)
    })
  }

  async listFolders(folder: string, countMax: number, signal?: AbortSignal): Promise<readonly string[]> {
    const timeoutMs = Math.min(listTimeoutMs, this.#fetchTimeoutMs)
    const prefix = folder === '' ? '' : `${folder}/`
    return this.#ask(folder, timeoutMs, signal, async (ending) => {
      const command = new this.#sdk.ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        Delimiter: '/',
        MaxKeys: Math.min(countMax, pageObjectsMax),
        RequestPayer: 'requester',
      })
      boundAnswer(command, 'ListBucketResult', ending)
      const { CommonPrefixes = [] } = await this.#client.send(command, { abortSignal: ending })
      const names = CommonPrefixes.flatMap(({ Prefix }) => (Prefix ? [Prefix.slice(prefix.length, -1)] : []))
      return names.sort().slice(0, countMax)
    })
  }

  async fetch(path: string, { bytesMax, signal }: FetchOptions): Promise<Uint8Array | undefined> {
    const command = new this.#sdk.GetObjectCommand({ Bucket: this.#bucket, Key: path, RequestPayer: 'requester' })
    try {
      return await this.#ask(path, this.#fetchTimeoutMs, signal, async (ending) => {
        boundAnswer(command, 'bytes', ending)
        const answer = await this.#client.send(command, { abortSignal: ending })
        const body = answer.Body as Readable
        const size = answer.ContentLength ?? 0
        if (size <= bytesMax) return await readBody(body, bytesMax, ending)
        // Nobody reads it, so the connection must not wait for it.
        body.destroy()
        throw tooLarge(String(size), bytesMax)
      })
    } catch (error) {
      if (error instanceof LedgerError && isMissingObject(error.cause)) return undefined
      throw error
    }
  }

  async waitForChange(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await delay(milliseconds, undefined, signal ? { signal } : {}).catch((error: unknown) => {
      if (!signal?.aborted) throw error
    })
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  #listPage(
    folder: string,
    after: string,
    countMax: number,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<ListObjectsV2CommandOutput> {
    const command = new this.#sdk.ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: `${folder}/`,
      Delimiter: '/',
      MaxKeys: Math.min(countMax, pageObjectsMax),
      RequestPayer: 'requester',
      ...(after === '' ? {} : { StartAfter: `${folder}/${after}` }),
      ...(token === undefined ? {} : { ContinuationToken: token }),
    })
    boundAnswer(command, 'ListBucketResult', signal)
    return this.#client.send(command, { abortSignal: signal })
  }

  async #ask<T>(
    path: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await withDeadline(timeoutMs, signal, call)
    } catch (cause) {
      throw bucketFailure({ description: this.description, path, isSigned: this.#isSigned }, cause)
    }
  }
}

function objectsOf({ Contents = [] }: ListObjectsV2CommandOutput, folder: string): StreamObject[] {
  return Contents.map(({ Key = '', Size = 0 }) => ({ name: Key.slice(folder.length + 1), size: Size })).filter(
    ({ name }) => name !== '',
  )
}

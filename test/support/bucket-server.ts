import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** How a bucket answers instead of giving what is asked for. */
export interface Refusal {
  readonly status: number
  /** Code of the protocol, such as `AccessDenied`. */
  readonly code: string
  readonly message?: string
  /** Listings alone, or objects alone; undefined: both. */
  readonly only?: 'list' | 'get'
}

export interface BucketServer {
  readonly endpoint: string
  /** By name; what has none is served. */
  readonly refusals: Map<string, Refusal>
  /** Of requests, as `<bucket> <list or get> <signed or not> <who pays>`. */
  readonly asked: Set<string>
  /** Takes connections and answers nothing. */
  silent: boolean
  /** How much its clock is ahead, milliseconds. */
  aheadMs: number
  close(): Promise<void>
}

/** Folders as buckets, by name, as far as the product asks: one folder listed, one object read. */
export async function serveBuckets(folders: Readonly<Record<string, string>>): Promise<BucketServer> {
  const refusals = new Map<string, Refusal>()
  const asked = new Set<string>()
  const server = createServer((request, response) => {
    if (state.silent) return
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [, bucket = '', ...parts] = url.pathname.split('/')
    const kind = url.searchParams.has('list-type') ? 'list' : 'get'
    const payer = request.headers['x-goog-user-project'] ?? request.headers['x-amz-request-payer']
    asked.add(`${bucket} ${kind} ${request.headers.authorization === undefined ? 'anonymous' : 'signed'} ${payer}`)
    response.setHeader('date', new Date(Date.now() + state.aheadMs).toUTCString())
    const refusal = refusals.get(bucket)
    if (refusal && (refusal.only ?? kind) === kind) return refuse(response, refusal)
    const folder = folders[bucket]
    if (folder === undefined) return refuse(response, { status: 404, code: 'NoSuchBucket' })
    if (kind === 'list') return list(response, folder, url.searchParams)
    const file = join(folder, decodeURIComponent(parts.join('/')))
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      return refuse(response, { status: 404, code: 'NoSuchKey' })
    const bytes = readFileSync(file)
    response.setHeader('etag', `"${createHash('md5').update(bytes).digest('hex')}"`).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: BucketServer = { endpoint, refusals, asked, silent: false, aheadMs: 0, close }
  return state
}

function refuse(response: ServerResponse, { status, code, message = 'no' }: Refusal): void {
  response.statusCode = status
  xml(response, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`)
}

function list(response: ServerResponse, folder: string, query: URLSearchParams): void {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('start-after') ?? ''
  const countMax = Number(query.get('max-keys') ?? 1_000)
  const path = join(folder, prefix)
  const entries = statSync(path, { throwIfNoEntry: false }) ? readdirSync(path, { withFileTypes: true }) : []
  const names = entries
    .filter(({ name }) => !name.startsWith('.') && `${prefix}${name}` > after)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, countMax)
  const texts = names.map((entry) =>
    entry.isDirectory()
      ? `<CommonPrefixes><Prefix>${prefix}${entry.name}/</Prefix></CommonPrefixes>`
      : `<Contents><Key>${prefix}${entry.name}</Key><Size>${statSync(join(path, entry.name)).size}</Size></Contents>`,
  )
  xml(response, `<ListBucketResult><IsTruncated>false</IsTruncated>${texts.join('')}</ListBucketResult>`)
}

function xml(response: ServerResponse, body: string): void {
  response.setHeader('content-type', 'application/xml').end(`<?xml version="1.0"?>${body}`)
}

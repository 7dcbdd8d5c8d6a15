import { lookup as lookUp } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { DeadlinePassed, withDeadline } from '#src/adapters/deadline.ts'
import { isPublicAddress } from '#src/adapters/explorers/public-address.ts'
import type { ExplorerAnswer } from '#src/adapters/explorers/read-answer.ts'
import { VerificationProblem } from '#src/domain/verification/problem.ts'

/** The addresses of a host, all of them. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

export interface FetchOptions {
  /** Name of the explorer, for what is told. */
  readonly name: string
  /** May be asked by http, and at a private address. */
  readonly local: boolean
  readonly timeoutMs: number
  readonly bytesMax: number
  readonly resolve?: Resolve
  readonly signal?: AbortSignal | undefined
}

const resolveAll: Resolve = (host) => lookUp(host, { all: true })

/** One GET: no redirects, one time for all of it, so many bytes. The address that is connected to is the one that was looked at. */
export async function fetchAnswer(url: URL, options: FetchOptions): Promise<ExplorerAnswer> {
  const { name, local, timeoutMs, signal } = options
  if (!local && url.protocol !== 'https:') throw failed(name, 'it is not at an https address')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!local && isIP(host) !== 0 && !isPublicAddress(host)) throw failed(name, 'its address is not a public one')
  try {
    return await withDeadline(timeoutMs, signal, (over) => exchange(url, options, over))
  } catch (error) {
    if (error instanceof VerificationProblem) throw error
    // Errors of sockets name addresses, and some name the whole request: what is told is the code alone.
    const code = error instanceof DeadlinePassed ? 'ETIMEDOUT' : ((error as NodeJS.ErrnoException).code ?? 'EFAILED')
    throw new VerificationProblem('explorer_network_error', `Request to the explorer ${name} failed with code ${code}`)
  }
}

function exchange(url: URL, options: FetchOptions, signal: AbortSignal): Promise<ExplorerAnswer> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'ledger-history' }
    const request = send(url, { agent: false, lookup: pinned(options), signal, headers }, (response) => {
      readBody(response, options).then(resolve, (error: unknown) => {
        reject(error)
        request.destroy()
      })
    })
    request.on('error', reject)
    request.end()
  })
}

/** Every address that the name stands for has to be allowed; the connection goes to one of those, whatever the name says later. */
function pinned({ local, name, resolve = resolveAll }: FetchOptions): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (found) => {
        const [first] = found
        const isOpen = found.every(({ address }) => isPublicAddress(address))
        if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
        else if (!local && !isOpen) callback(failed(name, 'its address is not a public one'), '')
        else if (all) callback(null, found.slice())
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

async function readBody(response: IncomingMessage, { bytesMax, name }: FetchOptions): Promise<ExplorerAnswer> {
  const { statusCode: status = 0, headers } = response
  const tooLarge = () => failed(name, `its answer is larger than ${bytesMax} bytes`)
  if (Number(headers['content-length']) > bytesMax) throw tooLarge()
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw failed(name, 'its answer is compressed, though nobody asked for that')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  const { 'content-type': contentType, 'retry-after': retryAfter } = headers
  return { status, contentType, retryAfter, body: Buffer.concat(chunks).toString('utf8') }
}

function failed(name: string, why: string): VerificationProblem {
  return new VerificationProblem('explorer_network_error', `The explorer ${name} is not asked: ${why}`)
}

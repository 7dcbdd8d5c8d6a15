import { explorerSources } from '#src/adapters/explorers/read-sources.ts'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import type { PublishedSources } from '#src/ports/source-explorer.ts'

export interface ExplorerAnswer {
  readonly status: number
  readonly contentType: string | undefined
  readonly retryAfter: string | undefined
  readonly body: string
}

const toldTextMax = 200
const retryAfterMaxSeconds = 86_400

/** What an explorer says of a contract. Throws a `VerificationProblem` where that is nothing. */
export function readAnswer({ status, contentType, retryAfter, body }: ExplorerAnswer, name: string): PublishedSources {
  if (status === 429) throw rateLimited(name, retryAfter)
  if (status < 200 || status > 299)
    throw new VerificationProblem('explorer_http_error', `The explorer ${name} answered with status ${status}`)
  const document = parseObject(body)
  if (document === undefined) {
    const type = contentType === undefined ? '' : ` but ${contentType.slice(0, toldTextMax)}`
    throw new VerificationProblem('explorer_api_error', `The explorer ${name} did not answer with JSON${type}`)
  }
  const { result, message } = document
  if (Array.isArray(result)) return ofList(result, name)
  const text = typeof result === 'string' ? result : String(message ?? 'none')
  if (/rate limit/i.test(text)) throw rateLimited(name, retryAfter)
  if (/not verified/i.test(text)) throw notVerified(name)
  const told = text.slice(0, toldTextMax)
  throw new VerificationProblem('explorer_api_error', `Error in explorer API response. Result message: ${told}`)
}

function ofList(result: readonly unknown[], name: string): PublishedSources {
  const [first] = result
  if (first === undefined) throw notVerified(name)
  if (typeof first !== 'object' || first === null)
    throw new VerificationProblem('explorer_malformed_answer', `The explorer ${name} lists what is no contract`)
  const fields = first as Readonly<Record<string, unknown>>
  if (typeof fields['SourceCode'] !== 'string' || fields['SourceCode'].trim() === '') throw notVerified(name)
  return explorerSources(fields, name)
}

function parseObject(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function notVerified(name: string): VerificationProblem {
  return new VerificationProblem('explorer_not_verified', 'This contract is not verified on the explorer', {
    explorer: name,
  })
}

function rateLimited(name: string, retryAfter: string | undefined): VerificationProblem {
  const seconds = Number(retryAfter)
  const isSaid = retryAfter !== undefined && Number.isInteger(seconds) && seconds > 0
  return new VerificationProblem('explorer_rate_limit', 'Explorer API rate limit reached, try later', {
    explorer: name,
    ...(isSaid && { retryAfterSeconds: Math.min(seconds, retryAfterMaxSeconds) }),
  })
}

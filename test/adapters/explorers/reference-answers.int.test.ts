import { describe, expect, it } from 'vitest'
import { readAnswer } from '#src/adapters/explorers/read-answer.ts'
import { isVerificationProblem, type VerificationProblemCode } from '#src/domain/verification/problem.ts'
import { storedPaths } from '#src/domain/verification/stored-path.ts'
import type { PublishedSources } from '#src/ports/source-explorer.ts'
import { hasReference, referenceCases, withoutReference } from '#test/verification/reference.ts'

interface Expected {
  readonly form?: string
  readonly language?: string
  readonly compilerVersion?: string
  readonly target?: object
  readonly sources?: readonly string[]
  readonly settings?: object
  readonly libraries?: object
  readonly proxy?: boolean
  readonly implementation?: string
  readonly storedPathIsInsideRepository?: boolean
  readonly error?: { readonly kind: string; readonly status: number; readonly retryAfterSeconds?: number }
}

interface Case {
  readonly id: string
  readonly http: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly expect: Expected
}

const kinds: Readonly<Record<string, readonly VerificationProblemCode[]>> = {
  'language-not-supported': ['language_not_supported'],
  'not-verified-there': ['explorer_not_verified'],
  'rate-limit': ['explorer_rate_limit'],
  'explorer-error': ['explorer_api_error', 'explorer_http_error'],
  'malformed-answer': ['explorer_malformed_answer'],
}

function answerTo({ http, headers = {}, body }: Case): PublishedSources {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { 'content-type': contentType, 'retry-after': retryAfter } = headers
  return readAnswer({ status: http, contentType, retryAfter, body: text }, 'test')
}

function problemOf(each: Case): unknown {
  try {
    return answerTo(each)
  } catch (error) {
    return error
  }
}

describe.skipIf(!hasReference)(`the answers of the reference${withoutReference}`, () => {
  const cases = referenceCases<Case>('explorer-answers.json')
  const [refused, read] = [cases.filter((each) => each.expect.error), cases.filter((each) => !each.expect.error)]

  it.each(refused.map((each) => [each.id, each] as const))('%s is refused as it should be', (_id, each) => {
    const problem = problemOf(each)
    const { kind, status, retryAfterSeconds } = each.expect.error!
    if (!isVerificationProblem(problem)) throw new Error(`It is no problem: ${String(problem)}`)
    expect(kinds[kind]).toContain(problem.code)
    expect([problem.status, problem.details.retryAfterSeconds]).toEqual([status, retryAfterSeconds])
  })

  it.each(read.map((each) => [each.id, each] as const))('%s is read', (_id, each) => {
    const found = answerTo(each)
    const { sources, libraries, proxy: _proxy, storedPathIsInsideRepository, ...plain } = each.expect
    expect(found).toMatchObject(plain)
    if (plain.settings) expect(found.settings).toEqual(plain.settings)
    if (sources) expect([...found.sources.keys()].toSorted()).toEqual(sources)
    if (storedPathIsInsideRepository)
      expect([...storedPaths(found.sources.keys()).values()]).toEqual(['etc/Counter.sol'])
    if (libraries) expect(Object.fromEntries(found.libraries)).toEqual(libraries)
  })
})

import { isDeepStrictEqual } from 'node:util'
import type { CaseFile, CaseRequest } from '#test/conformance/case-file.ts'

/**
 * What a later version of the established service answers otherwise than the recorded one did: a function of the case and its
 * recorded answer. It touches nothing but what its change names, and gives back the same request where that is not in it.
 */
export interface Amendment {
  readonly name: string
  /** Of the established service, since which it is so. */
  readonly version: string
  readonly amend: (request: CaseRequest, file: CaseFile) => CaseRequest
}

export interface AmendedRequest {
  /** With the answer as it is expected today. */
  readonly request: CaseRequest
  /** Of the amendments that changed something. */
  readonly names: readonly string[]
}

/** Applies the amendments in their order, each to what those before it left. */
export function amended(file: CaseFile, recorded: CaseRequest, amendments: readonly Amendment[]): AmendedRequest {
  let request = recorded
  const names: string[] = []
  for (const { name, amend } of amendments) {
    const next = amend(request, file)
    if (next === request || isDeepStrictEqual(next, request)) continue
    request = next
    names.push(name)
  }
  return { request, names }
}

/** The path of a request below `/api/v1/`, without its query. */
export function resourceOf({ url }: Pick<CaseRequest, 'url'>): string {
  return (url.split('?')[0] ?? '').replace(/^\/api\/v1\//i, '')
}

type Json = Readonly<Record<string, unknown>>

/** The answer with its body changed. */
export function withBody(request: CaseRequest, change: (body: Json) => Json): CaseRequest {
  const { body } = request
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject ? { ...request, body: change(body as Json) } : request
}

/** The answer with every element of one of its lists changed; as it is where it has no such list. */
export function withElements(request: CaseRequest, list: string, change: (element: Json) => Json): CaseRequest {
  return withBody(request, (body) => {
    const elements = body[list]
    return Array.isArray(elements) ? { ...body, [list]: elements.map((each) => change(each as Json)) } : body
  })
}

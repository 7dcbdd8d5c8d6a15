import type { ErrorMessage } from '#queries/common/errors.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import { type NextLinkOptions, nextLink } from '#queries/common/links.ts'
import { nextLinkOfB } from '#queries/common/links-of-b.ts'
import type { Filters, Parameters } from '#queries/common/parameters.ts'
import { parseExactQuery, parseQuery } from '#queries/common/parse-query.ts'
import { parseQueryOfB } from '#queries/common/parse-query-of-b.ts'
import { type PathParameters, readPath } from '#queries/common/path-parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { parseQueryString, parseQueryStringAsSent } from '#queries/common/query-string.ts'
import type { QuerySettings } from '#queries/common/settings.ts'

/**
 * The endpoints fall into two dialects, since two programs answered before this one: history (A), and network, hooks and
 * what came later (B).
 * `A`: filters, of which the last two pieces of a value count.
 * `A-exact`: unknown names and invalid values are reported in their order, values have two pieces at most, and an order
 * given twice or with an operator counts as none: /accounts, /balances, and endpoints without query parameters.
 * `B`: names in their case, unknown ones ignored, texts in `detail`.
 * `B-object`: B, but what cannot be read, is too many or out of range is named in `message`: /network/nodes and
 * /network/registered-nodes.
 * `B-call`: B with `data` beside each text, as what runs contracts has it.
 */
export type DialectName = 'A' | 'A-exact' | 'B' | 'B-object' | 'B-call'

/** What a dialect does in its own way. */
export interface Dialect {
  readonly name: 'A' | 'B'
  /** What is checked first unless a route says otherwise. */
  readonly checksFirst: 'query' | 'path'
  parseQueryString(text: string, settings: QuerySettings): QueryParameters
  /** Throws `invalid_parameter`. */
  parseQuery<P extends Parameters>(query: QueryParameters, parameters: P, settings: QuerySettings): Filters<P>
  /** Throws `invalid_parameter`. */
  parsePath(
    parameters: PathParameters,
    texts: Readonly<Record<string, string>>,
    settings: QuerySettings,
  ): Readonly<Record<string, unknown>>
  /** The address of the next page; null where it can have no rows. */
  nextLink(options: NextLinkOptions): string | null
  /** An error's entries in a body: of a client's mistake with the texts that say it. */
  errorMessages(status: number, texts: readonly string[]): ErrorMessage[]
}

const dialectA: Dialect = {
  name: 'A',
  checksFirst: 'query',
  parseQueryString: (text, { maxRepeatedParameters }) => parseQueryString(text, maxRepeatedParameters),
  parseQuery,
  parsePath(parameters, texts, settings) {
    const { values, invalid, refused } = readPath(parameters, texts, settings)
    // What a rule says of a value is told where all values have their form.
    const complaints = invalid.length > 0 ? invalid.map((name) => `Invalid parameter: ${name}`) : refused
    if (complaints.length > 0) throw invalidParameters(complaints)
    return values
  },
  nextLink,
  errorMessages(status, texts) {
    const own = textsOfA[status] ?? 'Bad request'
    if (texts.length === 0) return [{ message: own }]
    // What is away is said in one way; why stands beside it.
    return texts.map((text) => (status === 503 ? { message: own, detail: text } : { message: text }))
  },
}

const textsOfA: Readonly<Record<number, string>> = {
  404: 'Not found',
  408: 'Request timeout',
  414: 'URI too long',
  417: 'Expectation failed',
  431: 'Request header fields too large',
  500: 'Internal error',
  503: 'Service unavailable',
}

const dialectB: Dialect = {
  name: 'B',
  checksFirst: 'path',
  parseQueryString: parseQueryStringAsSent,
  parseQuery: (query, parameters, settings) =>
    parseQueryOfB(query, parameters, settings, (name) => invalidParameters([`Failed to convert '${name}'`])),
  parsePath(parameters, texts, settings) {
    const { values, invalid, refused } = readPath(parameters, texts, settings)
    if (invalid[0] !== undefined) throw invalidParameters([`Failed to convert '${invalid[0]}'`])
    if (refused.length > 0) throw invalidParameters(refused)
    return values
  },
  nextLink: nextLinkOfB,
  errorMessages(status, texts) {
    const message = reasons[status] ?? 'Bad Request'
    return (texts.length > 0 ? texts : ['']).map((detail) => ({ message, detail }))
  },
}

/** Reason phrases of HTTP. */
const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
}

const dialects: Readonly<Record<DialectName, Dialect>> = {
  A: dialectA,
  'A-exact': { ...dialectA, parseQuery: parseExactQuery },
  B: dialectB,
  'B-call': {
    ...dialectB,
    errorMessages: (status, texts) => dialectB.errorMessages(status, texts).map((each) => ({ ...each, data: '' })),
  },
  'B-object': {
    ...dialectB,
    parseQuery: (query, parameters, settings) =>
      parseQueryOfB(
        query,
        parameters,
        settings,
        (name) => invalidParameters([`Invalid parameter: ${name}`], { asMessage: true }),
        true,
      ),
  },
}

export function dialectOf(name: DialectName = 'A'): Dialect {
  return dialects[name]
}

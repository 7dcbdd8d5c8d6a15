import type { Filters, Parameters } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
import type { Checkpoint, RowReader } from '#src/ports/read-store.ts'

export type ReadModel = 'transactions' | 'blocks'

/** What a query reads from and is bounded by. The checkpoint is read once per request and bounds every page. */
export interface QueryContext {
  readonly reader: RowReader
  readonly checkpoint: Checkpoint
  readonly settings: QuerySettings
  /** Wall clock in nanoseconds. */
  readonly now: bigint
  /** Throws `unavailable` once the request has searched too long, and lets other requests run. */
  readonly pause: () => Promise<void>
}

export interface QueryRequest<P extends Parameters> {
  /** Path as sent, without the query string. */
  readonly path: string
  /** Decoded path parameter; empty on a route without one. */
  readonly id: string
  readonly query: QueryParameters
  readonly filters: Filters<P>
}

export interface Answer {
  /** JSON text. */
  readonly body: string
  /**
   * Weak entity tag without quotes: changes whenever the body does, and only then for the same address and instance of the
   * read model, which the router adds.
   */
  readonly tag: string
  /** Seconds; the route's unless given. */
  readonly maxAge?: number
  /** Address of the next page. */
  readonly next?: string | null
  /** Whether the answer depends on the clock as well, so that it must not be kept. */
  readonly dependsOnClock?: boolean
}

/** One endpoint as data: what the router, the parameter parser and the documentation need. */
export interface ApiRoute<P extends Parameters> {
  /** Path below /api/v1; its parameter, where it has one, is written `:id` and goes by the name that `id` gives. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  /** Name and description of the path parameter, where there is one. */
  readonly id?: { readonly name: string; readonly description: string }
  readonly parameters: P
  readonly readModel: ReadModel
  /** Cache life time in seconds. */
  readonly maxAge: number
  /** JSON schema of a successful answer's body, for the documentation. */
  readonly body: object
  /**
   * How to answer, by version of the read model. The version that serves when a request begins answers it, so the entry of a
   * version stays here as long as the version may serve: a new one comes beside it, under its own number.
   */
  readonly answers: Readonly<Record<number, AnswerFunction<P>>>
}

export type AnswerFunction<P extends Parameters> = (request: QueryRequest<P>, context: QueryContext) => Promise<Answer>

/** Keeps the types of the parameters for `answer`, and forgets them for the router. */
export function defineRoute<P extends Parameters>(route: ApiRoute<P>): ApiRoute<Parameters> {
  return route as unknown as ApiRoute<Parameters>
}

/** The versions among these that every route of their read model can answer from. */
export function answerable<S extends { readonly name: string; readonly version: number }>(
  routes: readonly ApiRoute<Parameters>[],
  versions: readonly S[],
): S[] {
  return versions.filter(({ name, version }) => {
    const own = routes.filter(({ readModel }) => readModel === name)
    return own.length > 0 && own.every(({ answers }) => answers[version] !== undefined)
  })
}

import type { DialectName } from '#queries/common/dialects.ts'
import type { Filters, Parameters } from '#queries/common/parameters.ts'
import type { PathParameters, PathValues } from '#queries/common/path-parameters.ts'
import type { Payload } from '#queries/common/payload.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
import type { LiveHealth } from '#src/domain/status/live-health.ts'
import type { ContractCalls } from '#src/evm/contract-calls.ts'
import type { Checkpoint, ProjectionSchema, RowsAt } from '#src/ports/read-store.ts'

/** The read models of an answer by name, each with the schema of the version that it knows how to read. */
export type Reads = Readonly<Record<string, ProjectionSchema>>

/**
 * What a query reads from, and as of when. All read models are taken in one step when the request begins, and stay what
 * they are until it ends, whatever is promoted meanwhile.
 */
export interface QueryContext<R extends Reads> {
  /** As they were at the instant. */
  readonly rows: { readonly [N in keyof R]: RowsAt<R[N]> }
  /**
   * The instant: the smallest checkpoint of the read models, and what the answer says it reflects. Facts beyond it are not of
   * the answer, and state that is newer gives way to its version at the instant.
   */
  readonly checkpoint: Checkpoint
  /** Where each read model stands by itself: its lists are merged further as it moves on, however far the others are behind. */
  readonly checkpoints: { readonly [N in keyof R]: Checkpoint }
  /** Which builds of the read models it reads, and where all of them stand: what is the same of equal ones never changes. */
  readonly instances: string
  readonly stamp: string
  readonly settings: QuerySettings
  /** Wall clock in nanoseconds. */
  readonly now: bigint
  /** What this process measured of the deployment last, where it does: newer than any row, and of no read model. */
  readonly health?: LiveHealth | undefined
  /** What runs contracts, where this process does. */
  readonly evm?: ContractCalls | undefined
  /** How many events of a read model could not be folded and are set aside: what they would have written is missing. */
  readonly setAside: (readModel: keyof R & string) => Promise<number>
  /** Throws `unavailable` once the request has searched too long, and lets other requests run. */
  readonly pause: () => Promise<void>
}

export type NoParameters = Readonly<Record<never, never>>

export interface QueryRequest<P extends Parameters, A extends PathParameters = NoParameters, B = undefined> {
  /** Path as sent, without the query string. */
  readonly path: string
  /** Parameters of the path by name. */
  readonly params: PathValues<A>
  readonly query: QueryParameters
  /** Parameters of the query. On a route that checks them late, they are read, and refused, when this is first asked for. */
  readonly filters: Filters<P>
  /** What the body of the request holds; undefined on a route that takes none. */
  readonly payload: B
  /** Whether the client reads what is compressed by gzip. */
  readonly acceptsGzip?: boolean
}

export interface Answer {
  /** JSON text, unless `type` says otherwise. Nothing where it comes in parts. */
  readonly body: string
  /** The body as it is made, compressed by gzip: sent as it comes, and never kept. */
  readonly parts?: AsyncIterable<Uint8Array>
  /** 200 unless given. */
  readonly status?: number
  /** Media type of a body that is not JSON. */
  readonly type?: string
  /**
   * Weak entity tag without quotes, where something is known that costs less than a digest of the body, which is the tag
   * otherwise. It changes whenever the body does, for the same address and the same instances of the read models, which the
   * router adds. Only rows that never change can be told by less than their text.
   */
  readonly tag?: string
  /** Seconds; the route's unless given. */
  readonly maxAge?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Address of the next page. */
  readonly next?: string | null
  /** Whether the answer depends on the clock as well, so that it must not be kept. */
  readonly dependsOnClock?: boolean
}

export type AnswerFunction<P extends Parameters, A extends PathParameters, B, R extends Reads> = (
  request: QueryRequest<P, A, B>,
  context: QueryContext<R>,
) => Promise<Answer>

/** How to answer from certain versions of the read models. */
interface VersionedAnswer<P extends Parameters, A extends PathParameters, B, R extends Reads> {
  readonly reads: R
  readonly answer: AnswerFunction<P, A, B, R>
}

/** One endpoint as data: what the router, the parameter parser and the documentation need. */
export interface RouteParts<P extends Parameters, A extends PathParameters, B> {
  /** GET unless given, and HEAD with it. */
  readonly method?: 'GET' | 'POST'
  /** Where the path begins; `/api/v1` unless given. */
  readonly prefix?: '/api/v1' | '/api/v2' | ''
  /** Path below the prefix. A parameter is written `:name`, and `pathParameters` says what it is. */
  readonly path: string
  readonly pathParameters?: A
  readonly summary: string
  readonly tag: string
  /** How requests are read and errors are written; the one of the history endpoints unless given. */
  readonly dialect?: DialectName
  /**
   * What is checked first where path and query are both wrong. `lookup`: the path, then whatever the answer looks up before
   * it asks for `filters`, then the query. Unless given, the query in dialect A and the path in dialect B.
   */
  readonly checksFirst?: 'query' | 'path' | 'lookup'
  readonly parameters: P
  /** What the body of the request holds. */
  readonly payload?: Payload<B>
  /** Cache life time in seconds. */
  readonly maxAge: number
  /** What else caches may do with an answer, as it stands in `Cache-Control`. */
  readonly cacheExtensions?: string
  /**
   * true: what it last answered is given again while its read models can't be read, and nothing but the path counts. For what
   * is most wanted while everything else is down.
   */
  readonly keepsLast?: boolean
  /** JSON schema of a successful answer's body, for the documentation. */
  readonly body: object
  /** Media type of a successful answer, for the documentation, where it is not JSON. */
  readonly type?: string
  /** Says what a successful answer in plain text holds, where there is one. */
  readonly plainText?: string
  /** What other statuses mean, for the documentation: those of the dialect need no mention. */
  readonly statuses?: Readonly<Record<number, string>>
}

interface RouteDefinition<P extends Parameters, A extends PathParameters, B, R extends readonly Reads[]>
  extends RouteParts<P, A, B> {
  /**
   * How to answer, by versions of the read models: the first entry of which all versions serve when a request begins answers
   * it. So an entry stays here as long as its versions may serve, and those of a new version come beside it.
   */
  readonly answers: { readonly [I in keyof R]: VersionedAnswer<P, A, B, R[I]> }
}

/** A route that answers from one version of its read models. */
interface SingleRoute<P extends Parameters, A extends PathParameters, B, R extends Reads>
  extends RouteParts<P, A, B>,
    VersionedAnswer<P, A, B, R> {}

/** A route whose types only its own answers know. */
export interface ApiRoute extends RouteParts<Parameters, PathParameters, unknown> {
  readonly answers: readonly VersionedAnswer<Parameters, PathParameters, unknown, Reads>[]
}

/** Keeps the types for the answers, and forgets them for the router, which hands each answer what its route declares. */
export function defineRoute<
  P extends Parameters,
  const R extends Reads,
  A extends PathParameters = NoParameters,
  B = undefined,
>(route: SingleRoute<P, A, B, R>): ApiRoute
export function defineRoute<
  P extends Parameters,
  const R extends readonly Reads[],
  A extends PathParameters = NoParameters,
  B = undefined,
>(route: RouteDefinition<P, A, B, R>): ApiRoute
export function defineRoute(given: ApiRoute | SingleRoute<Parameters, PathParameters, unknown, Reads>): ApiRoute {
  const route = 'answers' in given ? given : withAnswers(given)
  const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const declared = Object.keys(route.pathParameters ?? {})
  if (named.join() !== declared.join()) throw new Error(`${route.path} declares the parameters ${declared.join()}`)
  for (const { reads } of route.answers) {
    const other = Object.entries(reads).find(([name, schema]) => schema.name !== name)
    if (other !== undefined) throw new Error(`${route.path} reads ${other[1].name} as ${other[0]}`)
  }
  // Who calls an answer gives it what the route declares: parameters parsed by them, rows of its schemas.
  return route
}

function withAnswers({ reads, answer, ...parts }: SingleRoute<Parameters, PathParameters, unknown, Reads>): ApiRoute {
  return { ...parts, answers: [{ reads, answer }] }
}

/** The versions among these that every route of their read model can answer from. */
export function answerable<S extends { readonly name: string; readonly version: number }>(
  routes: readonly { readonly answers: readonly { readonly reads: Reads }[] }[],
  versions: readonly S[],
): S[] {
  return versions.filter(({ name, version }) => {
    const own = routes.filter(({ answers }) => answers.some(({ reads }) => reads[name] !== undefined))
    return own.length > 0 && own.every(({ answers }) => answers.some(({ reads }) => reads[name]?.version === version))
  })
}

import { dialectOf } from '#queries/common/dialects.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'
import {
  type AnyParameter,
  type Filters,
  lastValue,
  type Order,
  type Parameter,
  type Parameters,
} from '#queries/common/parameters.ts'
import { splitOperator } from '#queries/common/parse-query.ts'
import type { PathParameters, PathValues } from '#queries/common/path-parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import {
  type Answer,
  type ApiRoute,
  defineRoute,
  type NoParameters,
  type QueryContext,
  type QueryRequest,
  type Reads,
  type RouteParts,
} from '#queries/common/route.ts'
import type { QuerySettings } from '#queries/common/settings.ts'

export type ListParameters = Parameters & {
  readonly limit: Parameter<bigint> | Parameter<number>
  readonly order: Parameter<Order>
}

/** What a page is asked for: a request, and what its limit and order come to. */
export interface ListRequest<P extends Parameters, A extends PathParameters = NoParameters> extends QueryRequest<P, A> {
  readonly order: Order
  /** Most rows of the page. */
  readonly limit: number
}

/**
 * Where a page goes on: beyond these values of the parameters that compare what the list is ordered by, in the order of the
 * sort. One without a value, which only dialect B has, loses its bounds in the direction of travel.
 */
export type Position<P extends Parameters> = { readonly [N in keyof P]?: bigint | undefined }

/** What there is to say of a page beside its rows. */
export interface ListPage<Row, P extends Parameters> extends Pick<Answer, 'status' | 'dependsOnClock'> {
  readonly rows: readonly Row[]
  /** JSON members that stand before the list. */
  readonly head?: string
  /** Where a search that was cut short goes on, where the page is not full. */
  readonly edge?: Position<P> | undefined
}

type Shown<Row, C extends readonly string[]> = C extends readonly [] ? Row : Pick<Row, C[number] & keyof Row>

interface ListDefinition<
  P extends ListParameters,
  A extends PathParameters,
  R extends Reads,
  C extends readonly string[],
  Row,
> extends Omit<RouteParts<P, A, undefined>, 'method' | 'payload' | 'body'> {
  /** The member of the body that has the rows. */
  readonly list: string
  /** JSON schema of a row, with its title. */
  readonly item: { readonly title?: string }
  /** Those of members that stand before the list. */
  readonly members?: object
  /** Name of the type of a page; the one of a row and `List` unless given. */
  readonly title?: string
  readonly reads: R
  /** What of a row is selected, where the list is of rows as they are stored: no more is rendered. */
  readonly columns?: C
  /** The first rows of the page, up to the limit. */
  readonly find: (
    request: ListRequest<P, A> & { readonly columns: C },
    context: QueryContext<R>,
  ) => Promise<readonly Row[] | ListPage<Row, P>>
  /** Where the page that follows a last row begins; undefined where none does. */
  readonly position: (last: Shown<Row, C>, request: ListRequest<P, A>) => Position<P> | undefined
  /** Entity tag of a page, for rows that never change; the place where the next one begins is undefined where there is none. */
  readonly entityTag?: (rows: readonly Shown<Row, C>[], next: Position<P> | undefined) => string
}

type Rendering<P extends ListParameters, A extends PathParameters, R extends Reads, Item> =
  | {
      /** JSON text of a row. */
      readonly render: (row: Item, request: ListRequest<P, A>) => string
      readonly renderAll?: never
    }
  | {
      readonly render?: never
      /** The same of all rows of a page, where that takes less or more is read for them. */
      readonly renderAll: (
        rows: readonly Item[],
        request: ListRequest<P, A>,
        context: QueryContext<R>,
      ) => readonly string[] | Promise<readonly string[]>
    }

/** An endpoint that answers pages of a list, each with the address of the next one. */
export function defineListRoute<
  P extends ListParameters,
  const R extends Reads,
  Row,
  A extends PathParameters = NoParameters,
  const C extends readonly string[] = readonly [],
>(definition: ListDefinition<P, A, R, C, Row> & Rendering<P, A, R, Shown<Row, C>>): ApiRoute {
  const { list, reads, columns, find, render, renderAll, position, entityTag, ...described } = definition
  const { item, members, title = `${item.title}List`, ...route } = described
  const body = objectSchema({ ...members, [list]: { type: 'array', items: item }, links: linksSchema }, { title })
  const answer = async (request: QueryRequest<P, A>, context: QueryContext<R>): Promise<Answer> => {
    const asked = new AskedPage(request, route.parameters, columns as C, context.settings)
    const found = await find(asked, context)
    const { rows, head, edge, ...others } = 'rows' in found ? found : ({ rows: found } as ListPage<Row, P>)
    const shown = rows as readonly Shown<Row, C>[]
    const texts = render ? shown.map((row) => render(row, asked)) : await renderAll(shown, asked, context)
    const last = shown.length < asked.limit ? undefined : shown.at(-1)
    const place = last === undefined ? edge : position(last, asked)
    const next = place === undefined ? null : linkTo(place, asked, route, context.settings)
    const text = listBody(list, texts, next)
    return {
      ...others,
      ...(entityTag && { tag: entityTag(shown, next === null ? undefined : place) }),
      body: head === undefined ? text : `{${head},${text.slice(1)}`,
      next,
    }
  }
  return defineRoute({ ...route, body, reads, answer })
}

/** Reads what the request says when it is asked for, as the request does. */
class AskedPage<P extends ListParameters, A extends PathParameters, C> implements ListRequest<P, A> {
  readonly path: string
  readonly query: QueryParameters
  readonly params: PathValues<A>
  readonly payload = undefined
  readonly columns: C
  readonly #request: QueryRequest<P, A>
  readonly #parameters: P
  readonly #settings: QuerySettings

  constructor(request: QueryRequest<P, A>, parameters: P, columns: C, settings: QuerySettings) {
    this.path = request.path
    this.query = request.query
    this.params = request.params
    this.columns = columns
    this.#request = request
    this.#parameters = parameters
    this.#settings = settings
  }

  get filters(): Filters<P> {
    return this.#request.filters
  }

  get order(): Order {
    const { order } = this.filters as Filters<ListParameters>
    return lastValue(order) ?? (this.#parameters.order.schema.default as Order)
  }

  get limit(): number {
    const { limit } = this.filters as Filters<ListParameters>
    return sizeOf(lastValue(limit), this.#parameters.limit, this.#settings)
  }
}

function sizeOf(asked: bigint | number | undefined, { schema, bounds }: AnyParameter, settings: QuerySettings): number {
  const { default: byDefault, maximum = 0 } = bounds?.(settings) ?? schema
  if (asked === undefined) return Number(byDefault)
  return asked > maximum ? maximum : Number(asked)
}

/** The address of the page that goes on at a place; null where it can have no rows. */
function linkTo<P extends Parameters>(
  place: Position<P>,
  { path, query, order }: Pick<ListRequest<P>, 'path' | 'query' | 'order'>,
  { parameters, dialect }: Pick<RouteParts<P, PathParameters, undefined>, 'parameters' | 'dialect'>,
  settings: QuerySettings,
): string | null {
  const columns = Object.entries(place).map(([name, value]) => {
    const { parse, write = String } = parameters[name] as Parameter<unknown>
    return {
      name,
      last: value === undefined ? undefined : write(value),
      numberOf: (given: string) => numberOf(parse(splitOperator(given).text, settings)),
    }
  })
  return dialectOf(dialect).nextLink({ path, query, order, columns })
}

/** What a value comes to in an order of numbers: an address comes to none. */
function numberOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return (value as Partial<EntityReference> | undefined)?.kind === 'id' ? (value as { id: bigint }).id : undefined
}

/** JSON text of a page: the rows under their name, and the address of the next page. */
function listBody(name: string, rows: readonly string[], next: string | null): string {
  return `{"${name}":[${rows.join(',')}],"links":{"next":${next === null ? 'null' : JSON.stringify(next)}}}`
}

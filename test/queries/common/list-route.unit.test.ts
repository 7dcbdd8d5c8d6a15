import { describe, expect, it } from 'vitest'
import { dialectOf } from '#queries/common/dialects.ts'
import { defineListRoute, type ListPage } from '#queries/common/list-route.ts'
import { limitParameter, orderParameter, type Parameters } from '#queries/common/parameters.ts'
import { entityParameterOfB, limitParameterOfB, orderParameterOfB } from '#queries/common/parameters-of-b.ts'
import type { Answer, ApiRoute, QueryContext, Reads } from '#queries/common/route.ts'
import { defaultQuerySettings } from '#queries/common/settings.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'

const settings = { ...defaultQuerySettings, pageSizeDefault: 2, pageSizeMax: 3 }
const parts = { summary: '', tag: 'things', maxAge: 1, item: { title: 'Thing' }, reads: {}, list: 'things' } as const
const parameters = { limit: limitParameter(), order: orderParameter('desc'), timestamp: timestampParameter('') }
const all = [5n, 4n, 3n, 2n, 1n].map((time) => ({ time, name: `n${time}` }))

/** What a route answers to a query string, or what it throws. */
function ask({ dialect, parameters, answers }: ApiRoute, text: string): Promise<Answer> {
  const { parseQuery, parseQueryString } = dialectOf(dialect)
  const query = parseQueryString(text, settings)
  const context = { settings } as QueryContext<Reads>
  const filters = parseQuery(query, parameters as Parameters, settings)
  return answers[0]!.answer({ path: '/things', params: {}, query, filters, payload: undefined }, context)
}

function routeOf(found: (limit: number) => ListPage<(typeof all)[number], typeof parameters>) {
  return defineListRoute({
    ...parts,
    path: '/things',
    parameters,
    find: async ({ limit }) => found(limit),
    render: ({ name }) => JSON.stringify(name),
    position: ({ time }) => ({ timestamp: time }),
    entityTag: (rows, next) => `${rows.length}-${next?.timestamp}`,
  })
}

describe('a list route', () => {
  const whole = routeOf((limit) => ({ rows: all.slice(0, limit) }))

  it.each([
    ['', ['n5', 'n4'], '/things?timestamp=lt:0.000000004'],
    ['limit=1&order=asc', ['n5'], '/things?limit=1&order=asc&timestamp=gt:0.000000005'],
    ['limit=9', ['n5', 'n4', 'n3'], '/things?limit=9&timestamp=lt:0.000000003'],
    ['limit=2&limit=1', ['n5'], '/things?limit=2&limit=1&timestamp=lt:0.000000005'],
    ['limit=9223372036854775807', ['n5', 'n4', 'n3'], '/things?limit=9223372036854775807&timestamp=lt:0.000000003'],
    ['limit=1&timestamp=gte:0.000000005', ['n5'], null],
  ])('asked for %j has as many rows as a page may, and where the next one begins', async (text, things, next) => {
    const { body, next: link } = await ask(whole, text)
    expect(JSON.parse(body)).toEqual({ things, links: { next } })
    expect(link).toBe(next)
  })

  it('ends with a page that is not full, but where a search was cut short', async () => {
    const few = [all[0]!]
    expect(
      (
        await ask(
          routeOf(() => ({ rows: few })),
          '',
        )
      ).next,
    ).toBeNull()
    const cut = await ask(
      routeOf(() => ({ rows: few, edge: { timestamp: 3n }, dependsOnClock: true })),
      '',
    )
    expect(cut).toMatchObject({ next: '/things?timestamp=lt:0.000000003', dependsOnClock: true, tag: '1-3' })
    expect(
      (
        await ask(
          routeOf(() => ({ rows: few, edge: undefined })),
          '',
        )
      ).tag,
    ).toBe('1-undefined')
  })

  it('has further members before the list', async () => {
    const { body } = await ask(
      routeOf(() => ({ rows: [], head: '"hook_id":7' })),
      '',
    )
    expect(body).toBe('{"hook_id":7,"things":[],"links":{"next":null}}')
  })

  it('goes on as its dialect does, and drops what the last row has no value of', async () => {
    const bound = defineListRoute({
      ...parts,
      path: '/things',
      dialect: 'B',
      parameters: {
        'account.id': entityParameterOfB({ name: 'account.id', description: '', most: { field: 'ids', count: 2 } }),
        limit: limitParameterOfB({ byDefault: 1, max: 5, cutTo: 2 }),
        order: orderParameterOfB('asc'),
        'token.id': entityParameterOfB({ name: 'token.id', description: '', most: { field: 'ids', count: 2 } }),
      },
      find: async ({ limit }) => all.slice(0, limit),
      renderAll: async (rows) => rows.map(({ name }) => JSON.stringify(name)),
      position: ({ time }) => ({ 'account.id': time, 'token.id': time === 4n ? undefined : 9n }),
    })
    expect((await ask(bound, '')).next).toBe('/things?account.id=gte:0.0.5&token.id=gt:0.0.9')
    expect((await ask(bound, 'limit=4&token.id=gt:3')).next).toBe('/things?limit=4&account.id=gt:0.0.4')
  })

  it('renders what it selects, and goes on by its parameters', () => {
    const list = { ...parts, path: '/things', parameters, columns: ['time'], find: async () => all } as const
    const position = () => ({ timestamp: 1n })
    defineListRoute({ ...list, render: ({ time }) => `${time}`, position })
    // @ts-expect-error: not among the columns
    defineListRoute({ ...list, render: ({ name }) => name, position })
    // @ts-expect-error: no parameter
    defineListRoute({ ...list, render: () => '', position: () => ({ index: 1n }) })
    // @ts-expect-error: nothing renders it
    defineListRoute({ ...list, position })
    // @ts-expect-error: no order
    expect(() => defineListRoute({ ...list, parameters: { limit: limitParameter() }, render: () => '', position }))
  })
})

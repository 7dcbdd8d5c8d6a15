import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { statusRoutes } from '#queries/status/routes.ts'
import { addressOf } from '#src/http/api-route.ts'
import { longStory, storyNow } from '#test/queries/status/long-story.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

let page: StatusPage
beforeAll(async () => {
  page = await openStatusPage({ now: storyNow, docs: true })
  await page.tell(longStory)
})
afterAll(() => page?.close())

const documents = statusRoutes.filter(({ path }) => path.endsWith('.json'))

it('describes every address that it answers, each under a name of its own', async () => {
  const { paths } = (await page.json('/api/v1/docs/openapi.json')) as {
    paths: Record<string, { get?: { operationId: string; responses: Record<string, { content: object }> } }>
  }
  const described = statusRoutes.map((route) => addressOf(route).replace(/:(\w+)/g, '{$1}'))
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(described))
  const names = described.map((path) => paths[path]?.get?.operationId)
  expect(new Set(names).size).toBe(described.length)
  expect(paths['/history.atom']?.get?.responses['200']?.content).toHaveProperty('application/atom+xml')
})

it.each(documents.map((route) => [addressOf(route), route] as const))(
  'answers %s as its schema says',
  async (path, route) => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(route.body)
    const answer = await page.json(path.replace(':id', 'grp0000reads'))
    expect({ valid: validate(answer), errors: validate.errors }).toEqual({ valid: true, errors: null })
  },
)

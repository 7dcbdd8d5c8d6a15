import { expect, it } from 'vitest'
import { objectSchema } from '#queries/common/object-schema.ts'
import { defineRoute } from '#queries/common/route.ts'
import { DescribedAnswers } from '#test/support/described-answers.ts'

const route = (path: string, names: readonly string[], body: object) =>
  defineRoute({
    path,
    pathParameters: Object.fromEntries(
      names.map((name) => [
        name,
        { description: '', schema: { type: 'string' as const }, parse: (text: string) => text },
      ]),
    ),
    summary: '',
    tag: '',
    parameters: {},
    maxAge: 1,
    body,
    answers: [],
  })

const described = new DescribedAnswers([
  route('/things/:id', ['id'], objectSchema({ id: { type: 'integer' }, name: { type: 'string', nullable: true } })),
  route('/things/all', [], objectSchema({ count: { type: 'integer' } })),
])

it('says what is missing, of another type, or not described', () => {
  expect(described.problemsOf('/api/v1/things/7?limit=1', '{"id":7,"name":null}')).toEqual([])
  expect(described.problemsOf('/api/v1/things/all', '{"count":2}')).toEqual([])
  expect(described.problemsOf('/api/v1/things/7', '{"id":"7","more":1}')).toEqual([
    `/things/:id  must have required property 'name' {"missingProperty":"name"}`,
    '/things/:id  must NOT have additional properties {"additionalProperty":"more"}',
    '/things/:id /id must be integer {"type":"integer"}',
  ])
})

it('throws for an address that no route describes', () => {
  expect(() => described.problemsOf('/api/v1/others', '{}')).toThrow('no route describes /api/v1/others')
})

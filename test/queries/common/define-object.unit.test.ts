import { expect, it } from 'vitest'
import { defineObject } from '#queries/common/define-object.ts'

const text = { type: 'string' }

const thing = defineObject<{ readonly name: string; readonly size: bigint | null }>(
  {
    name: [text, ({ name }) => JSON.stringify(name)],
    size: [{ type: 'integer', nullable: true }, ({ size }) => size],
    is_empty: [{ type: 'boolean' }, ({ size }) => size === 0n],
  },
  { title: 'Thing' },
)

it('renders its members in their order, each as the text or the value that it comes to', () => {
  expect(thing.render({ name: 'a "b"', size: 2n ** 63n })).toBe(
    '{"name":"a \\"b\\"","size":9223372036854775808,"is_empty":false}',
  )
  expect(thing.render({ name: '', size: null })).toBe('{"name":"","size":null,"is_empty":false}')
})

it('leaves out an optional member where it is undefined', () => {
  const { schema, render } = defineObject<{ readonly size: number | undefined }>({
    name: [text, () => '"a"'],
    size: [text, ({ size }) => size, 'optional'],
    is_last: [text, () => true],
  })
  expect(render({ size: 0 })).toBe('{"name":"a","size":0,"is_last":true}')
  expect(render({ size: undefined })).toBe('{"name":"a","is_last":true}')
  expect(schema).toMatchObject({ required: ['name', 'is_last'] })
})

it('is described by the same members, all of which are always there', () => {
  expect(thing.schema).toEqual({
    type: 'object',
    title: 'Thing',
    required: ['name', 'size', 'is_empty'],
    properties: { name: text, size: { type: 'integer', nullable: true }, is_empty: { type: 'boolean' } },
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { statusEventSchemas } from '#schemas/decisions/status.ts'
import { decisionTypes } from '#schemas/decisions/types.ts'
import { verificationEventSchemas } from '#schemas/decisions/verification.ts'
import { type DecisionSchema, unreadable } from '#test/schemas/unreadable.ts'

type Release = Readonly<Record<string, DecisionSchema>>

const folder = join(import.meta.dirname, '../../schemas/decisions/released')
const releases = readdirSync(folder).map((file): [string, Release] => [
  file,
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as Release,
])
/** As JSON says it, without what the library keeps beside. */
const current = JSON.parse(JSON.stringify({ ...statusEventSchemas, ...verificationEventSchemas })) as Release

describe('schemas of decisions', () => {
  it.each(releases)('read everything that was written with %s', (_file, released) => {
    const reasons = Object.entries(released).map(([type, before]) => {
      const now = current[type]
      return now === undefined ? `${type} is gone` : unreadable(now, before, type)
    })
    expect(reasons.filter((reason) => reason !== undefined)).toEqual([])
  })

  it('are all part of a release, so that whatever was written stays readable', () => {
    const known = new Set(
      releases.flatMap(([, released]) => Object.entries(released).map((entry) => JSON.stringify(entry))),
    )
    const missing = decisionTypes.filter((type) => !known.has(JSON.stringify([type, current[type]])))
    expect(missing, 'run "npm run generate -- --decisions-release <next number>"').toEqual([])
  })
})

describe('the check of decisions', () => {
  const before = { id: Type.String(), state: Type.Union([Type.Literal('a'), Type.Null()]), count: Type.Integer() }
  const plain = (fields: Parameters<typeof Type.Object>[0]) =>
    JSON.parse(JSON.stringify(Type.Object(fields))) as DecisionSchema
  const words = (...of: string[]) => Type.Unsafe<string>({ type: 'string', enum: of })
  const reason = (now: Parameters<typeof Type.Object>[0], old: Parameters<typeof Type.Object>[0] = before) =>
    unreadable(plain(now), plain(old))

  it('takes new optional fields, more words, and null where there was none', () => {
    expect(reason({ ...before, more: Type.Optional(Type.String()) })).toBeUndefined()
    expect(reason({ id: words('a', 'b') }, { id: words('a') })).toBeUndefined()
    expect(reason({ id: Type.Union([Type.String(), Type.Null()]) }, { id: Type.String() })).toBeUndefined()
  })

  it('names what old events would fail on', () => {
    const { count: _count, ...fewer } = before
    expect(reason(fewer)).toBe('/count is gone')
    expect(reason({ ...before, more: Type.String() })).toBe('/more is required now')
    expect(reason({ ...before, count: Type.String() })).toBe('/count was integer and is string')
    expect(reason({ id: words('a') }, { id: words('a', 'b') })).toBe('/id does not take b any more')
    expect(reason({ id: Type.String() }, { id: Type.Union([Type.String(), Type.Null()]) })).toBe(
      '/id was null and is string',
    )
    expect(reason({ id: Type.String({ pattern: '^a' }) }, { id: Type.String() })).toBe('/id has another pattern')
    expect(reason({ id: Type.Integer({ minimum: 2 }) }, { id: Type.Integer({ minimum: 1 }) })).toBe(
      '/id has a greater minimum',
    )
    expect(reason({ id: Type.Array(words('a')) }, { id: Type.Array(words('a', 'b')) })).toBe(
      '/id[] does not take b any more',
    )
    expect(reason({ id: Type.Record(Type.String(), words('a')) }, { id: Type.Record(Type.String(), words('b')) })).toBe(
      '/id{} does not take b any more',
    )
  })
})

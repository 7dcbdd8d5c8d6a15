import { afterEach, describe, expect, it } from 'vitest'
import { registerEventSchemas } from '#src/adapters/registry/register-schemas.ts'
import { openSchemaRegistry } from '#src/adapters/registry/schema-registry.ts'
import { typesOn } from '#src/events/event-types.ts'
import { currentSchema, schemasOn } from '#src/events/schemas.ts'
import { type Intervention, type RegistryDouble, startRegistryDouble } from './registry-double.ts'

const topic = 'ledger.transactions'
const { schema } = currentSchema('BlockRecorded')
let double: RegistryDouble | undefined

afterEach(async () => {
  await double?.close()
  double = undefined
})

async function start(intervene?: Intervention): Promise<RegistryDouble> {
  double = await startRegistryDouble(intervene)
  return double
}

describe('registering the event schemas', () => {
  it('gives every schema of every release an identifier, under one subject per type', async () => {
    const { url, subjects } = await start()

    const ids = await registerEventSchemas(openSchemaRegistry({ url, timeoutMs: 5_000 }), topic)

    expect([...ids.keys()].sort()).toEqual(
      schemasOn('transactions')
        .map(({ fingerprint }) => fingerprint)
        .sort(),
    )
    const ofEvents = typesOn('transactions').map((type) => `ledger.transactions-ledger.history.events.${type}`)
    expect([...subjects.keys()].sort()).toEqual([...ofEvents, 'ledger.transactions-value'].sort())
  })

  it('registers nothing at all when one subject says no, and names it with the reason', async () => {
    const { url, subjects } = await start(({ path }) =>
      path.includes('/compatibility/') && path.includes('BlockNumbersShifted')
        ? { status: 200, body: '{"is_compatible":false,"messages":["shift is a string"]}' }
        : undefined,
    )

    const registering = registerEventSchemas(openSchemaRegistry({ url, timeoutMs: 5_000 }), topic)

    await expect(registering).rejects.toMatchObject({
      code: 'schema_incompatible',
      message: expect.stringMatching(/BlockNumbersShifted .*shift is a string.*another registry$/),
    })
    expect(subjects.size).toBe(0)
  })

  it('takes a refusal while registering for the same', async () => {
    const { url } = await start(({ path }) =>
      path.endsWith('BlockRecorded/versions') && path.startsWith('/subjects')
        ? { status: 409, body: '{"error_code":409,"message":"being changed elsewhere"}' }
        : undefined,
    )

    await expect(registerEventSchemas(openSchemaRegistry({ url, timeoutMs: 5_000 }), topic)).rejects.toMatchObject({
      code: 'schema_incompatible',
      details: { reason: 'being changed elsewhere' },
    })
  })
})

describe('the subject of the topic itself', () => {
  const value = `${topic}-value`
  const register = (url: string) => registerEventSchemas(openSchemaRegistry({ url, timeoutMs: 5_000 }), topic)

  it('is left alone by what knows less than who registered the newest union', async () => {
    const { url, subjects, requests } = await start()
    await register(url)
    const newest = JSON.parse(subjects.get(value)!.at(-1)!) as { schema: string; references: { version: number }[] }
    const names = [...(JSON.parse(newest.schema) as string[]), 'ledger.history.events.SomethingNew']
    const references = newest.references.map((reference) => ({ ...reference, version: reference.version + 1 }))
    const newer = JSON.stringify({ schema: JSON.stringify(names), references })
    subjects.get(value)!.push(newer)
    requests.length = 0

    await register(url)

    expect(subjects.get(value)!.at(-1)).toBe(newer)
    expect(requests.filter((request) => request.includes(`/subjects/${value}`))).toEqual([
      `GET /subjects/${value}/versions/latest`,
    ])
  })

  it('is completed where a registration ended half-way', async () => {
    const { url, subjects } = await start()
    await register(url)
    const whole = subjects.get(value)!
    subjects.set(value, whole.slice(0, 3))

    await register(url)

    expect(subjects.get(value)).toEqual(whole)
  })

  it.each([
    ['a record', '{"type":"record","name":"Other","namespace":"of.others","fields":[]}'],
    ['a primitive', '"string"'],
    ['a JSON schema', '{"type":"object"}'],
    ['a schema in another language', 'syntax = "proto3"; message Other {}'],
  ])('is not taken from somebody who has %s there, and nothing is registered', async (_what, schema) => {
    const { url, subjects } = await start()
    subjects.set(value, [JSON.stringify({ schema })])

    await expect(register(url)).rejects.toMatchObject({
      code: 'schema_incompatible',
      message: expect.stringMatching(/ledger\.transactions-value .*no schema of our events; nothing was published/),
    })
    expect([...subjects.keys()]).toEqual([value])
  })
})

describe('a schema registry', () => {
  it('is logged in to, also with what its address says', async () => {
    const seen: (string | undefined)[] = []
    const { url } = await start(({ headers }) => {
      seen.push(headers.authorization)
      return undefined
    })
    const inAddress = url.replace('//', '//an%40na:p%3Aw@')

    await openSchemaRegistry({ url, username: 'ben', password: 'secret', timeoutMs: 5_000 }).findCompatibility('x')
    const registry = openSchemaRegistry({ url: inAddress, timeoutMs: 5_000 })
    await registry.findCompatibility('x')

    expect(seen.map((value) => Buffer.from(value?.slice(6) ?? '', 'base64').toString())).toEqual([
      'ben:secret',
      'an@na:p:w',
    ])
    expect(registry.url).not.toContain('p%3Aw')
  })

  it.each([401, 403])('that answers %i makes a person look at the credentials', async (status) => {
    const { url } = await start(() => ({ status, body: '{"message":"no"}' }))

    await expect(openSchemaRegistry({ url, timeoutMs: 5_000 }).register('x', schema)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('--registry-username'),
    })
  })

  it.each<[string, Intervention]>([
    ['fails', () => ({ status: 500, body: '{"message":"the disk is full"}' })],
    ['answers with a page', () => ({ status: 200, body: '<html>' })],
    ['answers with a list', () => ({ status: 200, body: '[]' })],
    ['gives no identifier', () => ({ status: 200, body: '{"id":null}' })],
    ['stays silent', () => 'silence'],
  ])('that %s is away, which may pass', async (_what, intervene) => {
    const { url } = await start(intervene)

    await expect(openSchemaRegistry({ url, timeoutMs: 300 }).register('x', schema)).rejects.toMatchObject({
      code: 'registry_unavailable',
      message: expect.stringContaining(url),
    })
  })

  it.each(['ann:secret-word@registry:8081', 'htp://ann:secret-word@registry', 'http://ann:secret%wo%rd@registry:8081'])(
    'whose address cannot be used is refused without showing what may be a password: %s',
    (url) => {
      let error: unknown
      try {
        openSchemaRegistry({ url, timeoutMs: 5_000 })
      } catch (thrown) {
        error = thrown
      }
      expect(error).toMatchObject({
        code: 'config_invalid',
        message: expect.stringMatching(/address of the schema registry/),
      })
      expect(String(error)).not.toContain('secret')
    },
  )

  it('that nobody runs is away', async () => {
    const { url, close } = await start()
    await close()

    await expect(openSchemaRegistry({ url, timeoutMs: 2_000 }).find('x', schema)).rejects.toMatchObject({
      code: 'registry_unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it.each(['registry:8081', 'ftp://registry', 'registry'])('has no address %s', (url) => {
    expect(() => openSchemaRegistry({ url, timeoutMs: 1 })).toThrow(expect.objectContaining({ code: 'config_invalid' }))
  })
})

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { registerEventSchemas, subjectOf } from '#src/adapters/registry/register-schemas.ts'
import { openSchemaRegistry } from '#src/adapters/registry/schema-registry.ts'
import { registerForTopic, topicSubjectOf } from '#src/adapters/registry/topic-subject.ts'
import { type AvroRecord, fullName } from '#src/events/avro-schema.ts'
import { type EventType, typesOn } from '#src/events/event-types.ts'
import type { SchemaIds } from '#src/events/framing.ts'
import { currentSchema, schemasOn } from '#src/events/schemas.ts'
import { describeWithRegistry } from '#test/support/services.ts'

const blockRecorded = currentSchema('BlockRecorded').schema

describeWithRegistry('registering schemas', ({ url }) => {
  const registry = openSchemaRegistry({ url, timeoutMs: 20_000 })
  const newTopic = () => `test-${randomUUID()}.transactions`
  const ask = async (path: string) => (await fetch(`${url}${path}`)).json() as Promise<Record<string, unknown>>

  const topic = newTopic()
  let ids: SchemaIds
  beforeAll(async () => {
    ids = await registerEventSchemas(registry, topic)
  })

  it('gives each an identifier by which anybody gets it back', async () => {
    expect(ids.size).toBe(schemasOn('transactions').length)
    for (const { fingerprint, schema } of schemasOn('transactions')) {
      const { schema: text } = await ask(`/schemas/ids/${ids.get(fingerprint)}`)
      expect(JSON.parse(String(text))).toEqual(schema)
    }
  })

  it('is the same however often it is done', async () => {
    expect(await registerEventSchemas(registry, topic)).toEqual(ids)
    for (const type of typesOn('transactions')) {
      const subject = encodeURIComponent(subjectOf(topic, currentSchema(type).schema))
      const schemas = schemasOn('transactions').filter(({ eventType }) => eventType === type)
      expect(await ask(`/subjects/${subject}/versions`)).toHaveLength(schemas.length)
    }
    const versions = await ask(`/subjects/${encodeURIComponent(topicSubjectOf(topic))}/versions`)
    expect(versions).toHaveLength(schemasOn('transactions').length + 1)
  })

  it('leads from the topic alone to every schema, and to a union of the current ones as the newest', async () => {
    const subject = topicSubjectOf(topic)

    for (const { schema, fingerprint } of schemasOn('transactions')) {
      expect(await registry.find(subject, schema)).toMatchObject({ id: ids.get(fingerprint) })
    }
    const latest = await registry.findLatest(subject)
    const names = typesOn('transactions').map((type) => fullName(currentSchema(type).schema))
    expect([...(JSON.parse(latest!.text) as string[])].sort()).toEqual(names.sort())
    for (const { name, subject: own, version } of latest!.references) {
      expect(own).toBe(`${topic}-${name}`)
      const { schema } = await ask(`/subjects/${encodeURIComponent(own)}/versions/${version}`)
      expect(JSON.parse(String(schema))).toEqual(currentSchema(name.split('.').at(-1) as EventType).schema)
    }
  })

  it('gives the topic a new union when a schema changes', async () => {
    const subject = topicSubjectOf(topic)
    const before = await registry.findLatest(subject)
    const changed = withField({ name: 'extra', type: ['null', 'long'], default: null })
    await registry.register(subjectOf(topic, blockRecorded), changed)
    const version = (await registry.find(subjectOf(topic, blockRecorded), changed))!.version
    const places = before!.references.map(({ name, subject: own, version: known }) => {
      const { schema } = currentSchema(name.split('.').at(-1) as EventType)
      const isChanged = schema.name === blockRecorded.name
      return { subject: own, id: 0, ...(isChanged ? { schema: changed, version } : { schema, version: known }) }
    })

    await registerForTopic({ registry, topic, latest: before, places })

    const after = await registry.findLatest(subject)
    expect(after!.text).toBe(before!.text)
    expect(after!.references.find(({ name }) => name.endsWith('.BlockRecorded'))).toMatchObject({ version })
    expect(await registry.find(subject, changed)).toBeDefined()
    // The release before, still running or started again, changes nothing.
    await registerEventSchemas(registry, topic)
    expect(await registry.findLatest(subject)).toEqual(after)
  })

  it('gives two importers that start at once the same identifiers', async () => {
    const topic = newTopic()

    const [first, second] = await Promise.all([
      registerEventSchemas(registry, topic),
      registerEventSchemas(registry, topic),
    ])

    expect(second).toEqual(first)
    expect(await registerEventSchemas(registry, topic)).toEqual(first)
  })

  it('makes every subject take only what is fully compatible', async () => {
    const topic = newTopic()
    await registerEventSchemas(registry, topic)
    const subject = subjectOf(topic, blockRecorded)

    expect(await registry.findCompatibility(subject)).toBe('FULL_TRANSITIVE')
    await expect(registry.register(subject, withField({ name: 'extra', type: 'long' }))).rejects.toMatchObject({
      code: 'schema_incompatible',
      message: expect.stringContaining(subject),
    })
    await expect(
      registry.register(subject, withField({ name: 'extra', type: ['null', 'long'], default: null })),
    ).resolves.toBeGreaterThan(0)
  })

  it('is refused where a subject holds what ours does not go together with, before any other is registered', async () => {
    const topic = newTopic()
    const subject = subjectOf(topic, blockRecorded)
    await registry.register(subject, withField({ name: 'number', type: 'string', default: '' }))

    await expect(registerEventSchemas(registry, topic)).rejects.toMatchObject({
      code: 'schema_incompatible',
      message: expect.stringMatching(/BlockRecorded .*LONG.*STRING.*nothing was published/),
      details: { subject },
    })
    const others = schemasOn('transactions').filter(({ schema }) => schema.name !== blockRecorded.name)
    for (const { schema } of others) expect(await registry.find(subjectOf(topic, schema), schema)).toBeUndefined()
  })

  it('says where it looked when the address lacks the path of the API', async () => {
    const root = new URL('/', url).href
    await expect(
      registerEventSchemas(openSchemaRegistry({ url: root, timeoutMs: 5_000 }), newTopic()),
    ).rejects.toMatchObject({
      code: 'registry_unavailable',
    })
  })
})

/** Our schema with one field more, or with another one of that name. */
function withField(field: AvroRecord['fields'][number]): AvroRecord {
  const others = blockRecorded.fields.filter(({ name }) => name !== field.name)
  return { ...blockRecorded, fields: [...others, field] }
}

import { incompatible, type RegisteredSchema, type SchemaRegistry } from '#src/adapters/registry/schema-registry.ts'
import { ensureRule, getRegistered, registerOnce } from '#src/adapters/registry/subject-steps.ts'
import { findTopicSchema, registerForTopic } from '#src/adapters/registry/topic-subject.ts'
import { type AvroRecord, fullName } from '#src/events/avro-schema.ts'
import type { TopicName } from '#src/events/event-types.ts'
import type { SchemaIds } from '#src/events/framing.ts'
import { schemasOn } from '#src/events/schemas.ts'

/** Every version reads what every other one wrote; see schemas/events. */
const compatibility = 'FULL_TRANSITIVE'

/** TopicRecordNameStrategy: events of several types share a topic, and other topics may have other rules. */
export function subjectOf(topic: string, schema: AvroRecord): string {
  return `${topic}-${fullName(schema)}`
}

/**
 * Makes sure that the registry has every schema that events on a topic of this kind may be written with, those of releases
 * included, that each subject takes only fully compatible ones, and that the topic's own subject leads to all of them.
 * Resolves to the identifiers. All schemas are tested before the first is registered; `schema_incompatible` when a subject
 * holds what ours does not go together with.
 */
export async function registerEventSchemas(
  registry: SchemaRegistry,
  topic: string,
  kind: TopicName = 'transactions',
): Promise<SchemaIds> {
  const latest = await findTopicSchema(registry, topic)
  const writers = schemasOn(kind).map((writer) => ({ ...writer, subject: subjectOf(topic, writer.schema) }))
  // The rule first: a registry tests by it.
  for (const subject of new Set(writers.map((writer) => writer.subject))) {
    await ensureRule(registry, subject, compatibility)
  }
  const registered = new Map<string, RegisteredSchema>()
  for (const { subject, schema, fingerprint } of writers) {
    const found = await registry.find(subject, schema)
    if (found === undefined) await assertCompatible(registry, subject, schema)
    else registered.set(fingerprint, found)
  }
  for (const { subject, schema, fingerprint } of writers) {
    if (registered.has(fingerprint)) continue
    await registerOnce(registry, subject, schema)
    registered.set(fingerprint, await getRegistered(registry, subject, schema))
  }
  const places = writers.map(({ schema, subject, fingerprint }) => ({
    schema,
    subject,
    ...registered.get(fingerprint)!,
  }))
  await registerForTopic({ registry, topic, latest, places })
  return new Map(writers.map(({ fingerprint }) => [fingerprint, registered.get(fingerprint)!.id]))
}

async function assertCompatible(registry: SchemaRegistry, subject: string, schema: AvroRecord): Promise<void> {
  const { compatible, reason } = await registry.testCompatibility(subject, schema)
  if (!compatible) throw incompatible(subject, registry.url, reason)
}

import { incompatible, type SchemaRegistry } from '#src/adapters/registry/schema-registry.ts'
import { type AvroRecord, fullName } from '#src/events/avro-schema.ts'
import type { SchemaIds } from '#src/events/framing.ts'
import { allSchemas } from '#src/events/schemas.ts'

/** Every version reads what every other one wrote; see schemas/events. */
const compatibility = 'FULL_TRANSITIVE'

/** TopicRecordNameStrategy: events of several types share a topic, and other topics may have other rules. */
export function subjectOf(topic: string, schema: AvroRecord): string {
  return `${topic}-${fullName(schema)}`
}

/**
 * Makes sure that the registry has every schema that events on the topic may be written with, those of releases
 * included, and that each subject takes only fully compatible ones. Resolves to the identifiers. All schemas are tested
 * before the first is registered; `schema_incompatible` when a subject holds what ours does not go together with.
 */
export async function registerEventSchemas(registry: SchemaRegistry, topic: string): Promise<SchemaIds> {
  const writers = allSchemas().map((writer) => ({ ...writer, subject: subjectOf(topic, writer.schema) }))
  // The rule first: a registry tests by it.
  for (const subject of new Set(writers.map((writer) => writer.subject))) await ensureRule(registry, subject)
  const ids = new Map<string, number>()
  for (const { subject, schema, fingerprint } of writers) {
    const id = await registry.findId(subject, schema)
    if (id === undefined) await assertCompatible(registry, subject, schema)
    else ids.set(fingerprint, id)
  }
  for (const { subject, schema, fingerprint } of writers) {
    if (!ids.has(fingerprint)) ids.set(fingerprint, await registerOnce(registry, subject, schema))
  }
  return ids
}

async function ensureRule(registry: SchemaRegistry, subject: string): Promise<void> {
  if ((await registry.findCompatibility(subject)) === compatibility) return
  try {
    await registry.setCompatibility(subject, compatibility)
  } catch (error) {
    // Another process that starts now may have been faster.
    if ((await registry.findCompatibility(subject)) !== compatibility) throw error
  }
}

async function assertCompatible(registry: SchemaRegistry, subject: string, schema: AvroRecord): Promise<void> {
  const { compatible, reason } = await registry.testCompatibility(subject, schema)
  if (!compatible) throw incompatible(subject, registry.url, reason)
}

async function registerOnce(registry: SchemaRegistry, subject: string, schema: AvroRecord): Promise<number> {
  try {
    return await registry.register(subject, schema)
  } catch (error) {
    // As above: what counts is that it is there.
    const id = await registry.findId(subject, schema)
    if (id === undefined) throw error
    return id
  }
}

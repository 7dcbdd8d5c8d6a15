import {
  incompatible,
  type LatestSchema,
  type RegisteredSchema,
  type SchemaReference,
  type SchemaRegistry,
} from '#src/adapters/registry/schema-registry.ts'
import { ensureRule, registerOnce, untilThere } from '#src/adapters/registry/subject-steps.ts'
import { type AvroRecord, fullName } from '#src/events/avro-schema.ts'
import { currentSchema } from '#src/events/schemas.ts'

/** A schema of an event under the event's own subject. */
export interface PlacedSchema extends RegisteredSchema {
  readonly schema: AvroRecord
  readonly subject: string
}

/** TopicNameStrategy: where tools look that are told nothing but the topic. */
export function topicSubjectOf(topic: string): string {
  return `${topic}-value`
}

const { namespace } = currentSchema('BlockRecorded').schema

/** Records of different names go together by no rule; what may change is decided by the events' own subjects. */
const compatibility = 'NONE'

/** The newest version of the topic's subject; `schema_incompatible` when it is somebody else's. */
export async function findTopicSchema(registry: SchemaRegistry, topic: string): Promise<LatestSchema | undefined> {
  const subject = topicSubjectOf(topic)
  const latest = await registry.findLatest(subject)
  if (latest === undefined || isOurs(latest.text)) return latest
  throw incompatible(subject, registry.url, 'its newest version is no schema of our events')
}

export interface TopicRegistration {
  readonly registry: SchemaRegistry
  readonly topic: string
  /** What the topic's subject had as its newest version before. */
  readonly latest: LatestSchema | undefined
  /** In the order of their versions. */
  readonly places: readonly PlacedSchema[]
}

/**
 * Tools that are told nothing but the topic ask its subject for two things: which version the schema is that wrote a value
 * (Kafka Connect), and what the newest version is (`use.latest.version`, ksqlDB). So it gets every schema of every event and,
 * as its newest version, a union of the current ones by reference: what reads by that reads every event. The union of a newer
 * release stays the newest.
 */
export async function registerForTopic({ registry, topic, latest, places }: TopicRegistration): Promise<void> {
  const subject = topicSubjectOf(topic)
  const references = referencesTo(places)
  if (hasAll(latest, references)) return
  // Some registries know a rule only of a subject that is there.
  if (latest === undefined) await registerOnce(registry, subject, places[0]!.schema)
  await ensureRule(registry, subject, compatibility)
  for (const { schema } of places) await registerOnce(registry, subject, schema)
  const names = references.map(({ name }) => name)
  const isThere = async (): Promise<boolean> => hasAll(await registry.findLatest(subject), references)
  await untilThere(() => registry.register(subject, names, references), isThere)
}

function hasAll(latest: LatestSchema | undefined, references: readonly SchemaReference[]): boolean {
  return references.every((ours) => latest?.references.some((theirs) => covers(theirs, ours)) ?? false)
}

/** The last of a name is the current one. */
function referencesTo(places: readonly PlacedSchema[]): readonly SchemaReference[] {
  const newest = new Map(places.map(({ schema, subject, version }) => [fullName(schema), { subject, version }]))
  return [...newest].map(([name, place]) => ({ name, ...place }))
}

function covers(theirs: SchemaReference, ours: SchemaReference): boolean {
  return theirs.subject === ours.subject && theirs.version >= ours.version
}

/** Events of releases that we do not know are in our namespace as well. */
function isOurs(text: string): boolean {
  const schema = parsed(text)
  const names = Array.isArray(schema) ? schema.map(String) : [isNamed(schema) ? fullName(schema) : '']
  return names.every((name) => name.startsWith(`${namespace}.`))
}

function isNamed(schema: unknown): schema is AvroRecord {
  return typeof schema === 'object' && schema !== null && 'name' in schema && typeof schema.name === 'string'
}

/** undefined where the text is no JSON, as of a schema in another language. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { RegisteredSchema, SchemaRegistry } from '#src/adapters/registry/schema-registry.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { AvroRecord } from '#src/events/avro-schema.ts'

// Of each step another process that starts now may have been faster: what counts is that it is done.

export async function ensureRule(registry: SchemaRegistry, subject: string, level: string): Promise<void> {
  if ((await registry.findCompatibility(subject)) === level) return
  try {
    await registry.setCompatibility(subject, level)
  } catch (error) {
    if ((await registry.findCompatibility(subject)) !== level) throw error
  }
}

export async function registerOnce(registry: SchemaRegistry, subject: string, schema: AvroRecord): Promise<void> {
  const isThere = async (): Promise<boolean> => (await registry.find(subject, schema)) !== undefined
  await untilThere(() => registry.register(subject, schema), isThere)
}

/** A registry numbers the versions of a subject, and may refuse one of two processes that add to it at the same moment. */
const attemptsMax = 3
const waitMs = 100

/** Takes a step that another process may take as well; rejects with what it rejects with when nobody has. */
export async function untilThere(step: () => Promise<unknown>, isThere: () => Promise<boolean>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await step()
      return
    } catch (error) {
      if (await isThere()) return
      if (attempt === attemptsMax) throw error
    }
    await sleep(waitMs * attempt)
  }
}

/** `registry_unavailable` when the registry does not know what it took; one of several may lag behind the others. */
export async function getRegistered(
  registry: SchemaRegistry,
  subject: string,
  schema: AvroRecord,
): Promise<RegisteredSchema> {
  const registered = await registry.find(subject, schema)
  if (registered) return registered
  const { url } = registry
  const message = `The schema registry ${url} took a schema for ${subject}, but does not know it yet; start again`
  throw new LedgerError('registry_unavailable', message, { url, subject })
}

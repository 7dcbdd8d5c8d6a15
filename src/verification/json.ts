import type { Json } from '#src/verification/verification-input.ts'

/** What is at a path within a value of JSON; undefined where there is nothing. Names of sources may be any text, `__proto__` as well. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** Names and values of an object; none of anything else. */
export function entriesAt(value: unknown, ...path: readonly string[]): [string, unknown][] {
  const found = valueAt(value, ...path)
  return typeof found === 'object' && found !== null ? Object.entries(found) : []
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export type JsonObject = { readonly [key: string]: Json }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of names and values, none of which reaches a prototype. */
export function objectOf(entries: Iterable<readonly [string, Json]>): JsonObject {
  const made: Record<string, Json> = Object.create(null)
  for (const [name, value] of entries) made[name] = value
  return made
}

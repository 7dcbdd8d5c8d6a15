type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

/** Parses JSON without losing a digit: integers beyond 2^53-1 become bigints. */
export function parseExactJson(text: string): unknown {
  const revive: Reviver = (_key, value, { source }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value
    return /^-?\d+$/.test(source) ? BigInt(source) : value
  }
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1])
}

/** Where two JSON values differ, as readable lines; key order is free, array order is not. */
export function differencesOf(expected: unknown, actual: unknown, path = 'body'): string[] {
  if (Object.is(expected, actual)) return []
  if (Array.isArray(expected) && Array.isArray(actual)) return arrayDifferences(expected, actual, path)
  if (isObject(expected) && isObject(actual)) return objectDifferences(expected, actual, path)
  return [`${path}: expected ${show(expected)}, got ${show(actual)}`]
}

function arrayDifferences(expected: readonly unknown[], actual: readonly unknown[], path: string): string[] {
  const lengths =
    expected.length === actual.length ? [] : [`${path}: expected ${expected.length} elements, got ${actual.length}`]
  const common = Math.min(expected.length, actual.length)
  const inside = Array.from({ length: common }, (_, index) =>
    differencesOf(expected[index], actual[index], `${path}[${index}]`),
  )
  return [...lengths, ...inside.flat()]
}

function objectDifferences(expected: JsonObject, actual: JsonObject, path: string): string[] {
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...keys].flatMap((key) => {
    const here = `${path}.${key}`
    if (!Object.hasOwn(actual, key)) return [`${here}: expected ${show(expected[key])}, but the key is missing`]
    if (!Object.hasOwn(expected, key)) return [`${here}: unexpected, got ${show(actual[key])}`]
    return differencesOf(expected[key], actual[key], here)
  })
}

type JsonObject = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}

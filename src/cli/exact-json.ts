/** Of the language since 2025, not of the compiler's library yet. */
interface JsonWithRaw extends JSON {
  rawJSON(text: string): object
}

/** JSON with 64-bit integers as numbers of all their digits, which `jq` and most parsers of other languages keep. */
export function exactJson(value: unknown): string {
  const { rawJSON } = JSON as JsonWithRaw
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? rawJSON(String(each)) : each))
}

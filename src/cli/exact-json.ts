/** Of the language since 2025, not of the compiler's library yet. */
interface JsonWithRaw extends JSON {
  rawJSON(text: string): object
}

/** What a terminal may obey, or shows as nothing; in JSON it stands in texts alone. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * JSON with 64-bit integers as numbers of all their digits, which `jq` and most parsers of other languages keep, and with texts of
 * others as they are, but written in characters that may be printed.
 */
export function exactJson(value: unknown): string {
  const { rawJSON } = JSON as JsonWithRaw
  const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? rawJSON(String(each)) : each))
  return text.replace(unprintable, escaped)
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16)
    return `\\u${unit.padStart(4, '0')}`
  }).join('')
}

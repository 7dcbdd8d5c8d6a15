import { invalidParameters } from '#queries/common/errors.ts'

/** All values that a request gives one parameter, in order; the name in lower case. */
export interface QueryParameter {
  readonly name: string
  readonly values: readonly string[]
}

/** Parameters in the order in which their names occur first. */
export type QueryParameters = readonly QueryParameter[]

/** Most `name=value` pairs of one request. */
const pairsMax = 1_000
const noParameters: QueryParameters = []
/** Values of these are compared, and repeated in links, in lower case. */
const lowerCaseValues = new Set(['order', 'result'])

/**
 * Reads a query string as established clients know it: names in any case, `+` and percent escapes decoded (a broken
 * escape stands for itself), values of one name gathered at its first place, those of an earlier spelling first.
 * Never fails on malformed text; throws `invalid_parameter` for too many values of one spelling, too many pairs, or
 * brackets nested deeper than one level.
 */
export function parseQueryString(text: string, maxRepeatedParameters: number): QueryParameters {
  if (text === '') return noParameters
  const unbracketed = text.includes('%5') ? text.replace(/%5b/gi, '[').replace(/%5d/gi, ']') : text
  return mergeSpellings(readSpellings(unbracketed, maxRepeatedParameters))
}

/** Reads a query string as dialect B knows it: names and values decoded, and otherwise as they are. */
export function parseQueryStringAsSent(text: string): QueryParameters {
  if (text === '') return noParameters
  return Array.from(readSpellings(text, pairsMax), ([name, values]) => ({ name, values }))
}

function readSpellings(text: string, maxRepeatedParameters: number): Map<string, string[]> {
  const bySpelling = new Map<string, string[]>()
  const pairs = text.split('&', pairsMax + 1)
  if (pairs.length > pairsMax) {
    throw invalidParameters([`Parameter limit exceeded. Only ${pairsMax} parameters allowed.`])
  }
  for (const pair of pairs) addPair(bySpelling, pair, maxRepeatedParameters)
  return bySpelling
}

function addPair(bySpelling: Map<string, string[]>, pair: string, valuesMax: number): void {
  const bracketEnd = pair.indexOf(']=')
  const equals = bracketEnd === -1 ? pair.indexOf('=') : bracketEnd + 1
  const spelling = decode(equals === -1 ? pair : pair.slice(0, equals))
  if (spelling === '') return
  const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
  const values = bySpelling.get(spelling)
  if (values === undefined) {
    bySpelling.set(spelling, [value])
    return
  }
  if (values.length >= valuesMax) {
    const elements = valuesMax === 1 ? 'element' : 'elements'
    throw invalidParameters([`Array limit exceeded. Only ${valuesMax} ${elements} allowed in an array.`])
  }
  values.push(value)
}

function mergeSpellings(bySpelling: ReadonlyMap<string, string[]>): QueryParameters {
  const byName = new Map<string, string[]>()
  for (const [spelling, values] of bySpelling) {
    const { name, nested } = nameOf(spelling)
    // An object where a value belongs is no valid value of any parameter, like an empty one.
    const read = nested ? values.map(() => '') : lowerCaseValues.has(name) ? values.map(lowerCase) : values
    const known = byName.get(name)
    if (known === undefined) byName.set(name, read)
    else known.push(...read)
  }
  return Array.from(byName, ([name, values]) => ({ name, values }))
}

/** `a[]` and `a[0]` are values of `a`; `a[b]` is an object; anything deeper is refused. */
function nameOf(spelling: string): { name: string; nested: boolean } {
  const bracket = spelling.indexOf('[')
  if (bracket <= 0) return { name: spelling.toLowerCase(), nested: false }
  const levels = spelling.slice(bracket).match(/\[[^[\]]*\]/g) ?? []
  if (levels.length > 1) {
    throw invalidParameters(['Input depth exceeded depth option of 1 and strictDepth is true'])
  }
  if (levels.length === 0) return { name: spelling.toLowerCase(), nested: false }
  return { name: spelling.slice(0, bracket).toLowerCase(), nested: !/^\[\d{0,3}\]$/.test(levels[0] ?? '') }
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

function lowerCase(text: string): string {
  return text.toLowerCase()
}

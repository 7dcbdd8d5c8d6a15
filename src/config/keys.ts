import { parseVersion, type SemanticVersion } from '#src/domain/semantic-version.ts'

/** What stands for a secret wherever the configuration is printed. */
export const redacted = '[redacted]'

/** What one configuration key accepts, means and defaults to. The reference page, flags and checks all come from it. */
export interface Key<T> {
  /** What is accepted, as the reference page shows it: `integer 1 to 100`. */
  readonly accepts: string
  readonly default: T
  readonly description: string
  readonly unit?: string
  /** Never printed. */
  readonly secret?: boolean
  /** A secret value as `config print --json` shows it; `[redacted]` as a whole unless given. */
  readonly redact?: (value: T) => unknown
  /** Name of the flag without dashes; derived from the key's path unless given. */
  readonly flag?: string
  /** Takes no value on the command line: `--once`. */
  readonly switch?: boolean
  /** Takes text (flag, environment) or JSON (file). */
  parse(input: unknown): Parsed<T>
}

export type Parsed<T> = { readonly value: T } | Expectation

/** Reads after "must be"; the hint comes at the end of the sentence. */
interface Expectation {
  readonly expected: string
  readonly hint?: string
}

export interface KeyTexts {
  readonly description: string
  readonly unit?: string
  readonly secret?: boolean
  readonly flag?: string
}

interface KeyParts<T> extends KeyTexts {
  readonly default: T
  readonly redact?: (value: T) => unknown
}

const articles: Readonly<Record<string, string>> = {
  integer: 'an',
  number: 'a',
  UTC: 'a',
  list: 'a',
  share: 'a',
  version: 'a',
}

/** As it reads after "must be": `integer 1 to 5` is `an integer 1 to 5`. */
function withArticle(accepts: string): string {
  const article = articles[accepts.split(' ')[0] ?? '']
  return article === undefined ? accepts : `${article} ${accepts}`
}

function define<T>(
  parts: KeyParts<T>,
  accepts: string,
  convert: (input: unknown) => T | undefined,
  hint?: string,
): Key<T> {
  const expectation = { expected: withArticle(accepts), ...(hint === undefined ? {} : { hint }) }
  return {
    ...parts,
    accepts,
    parse(input) {
      const value = convert(input)
      return value === undefined ? expectation : { value }
    },
  }
}

function toNumber(input: unknown): number | undefined {
  if (typeof input === 'number') return input
  return typeof input === 'string' && input.trim() !== '' ? Number(input) : undefined
}

/** Text that is not empty. */
export function text(parts: KeyParts<string>): Key<string> {
  return define(parts, 'text', (input) => (typeof input === 'string' && input !== '' ? input : undefined))
}

/** Text that is not empty and passes a check; `accepts` says which text does. */
export function checkedText(parts: KeyParts<string>, accepts: string, fits: (input: string) => boolean): Key<string> {
  return define(parts, accepts, (input) =>
    typeof input === 'string' && input !== '' && fits(input) ? input : undefined,
  )
}

/** Text, or nothing: an empty text means "not set". */
export function optionalText(
  parts: KeyTexts & Pick<KeyParts<string | null>, 'redact'>,
  accepts = 'text or nothing',
): Key<string | null> {
  return define({ default: null, ...parts }, accepts, (input) => {
    if (input === null || input === '') return null
    return typeof input === 'string' ? input : undefined
  })
}

export function integer(parts: KeyParts<number> & { readonly min: number; readonly max: number }): Key<number> {
  return define(parts, `integer ${parts.min} to ${parts.max}`, (input) => {
    const value = toNumber(input)
    return Number.isInteger(value) && value! >= parts.min && value! <= parts.max ? value : undefined
  })
}

export function optionalInteger(parts: KeyTexts & { readonly min: number; readonly max: number }): Key<number | null> {
  return define<number | null>(
    { default: null, ...parts },
    `integer ${parts.min} to ${parts.max}, or nothing`,
    (input) => {
      if (input === null || input === '') return null
      const value = toNumber(input)
      return Number.isInteger(value) && value! >= parts.min && value! <= parts.max ? value : undefined
    },
  )
}

export function decimal(parts: KeyParts<number> & { readonly min: number; readonly max: number }): Key<number> {
  return define(parts, `number ${parts.min} to ${parts.max}`, (input) => {
    const value = toNumber(input)
    return value !== undefined && value >= parts.min && value <= parts.max ? value : undefined
  })
}

export function flag(parts: KeyParts<boolean>): Key<boolean> {
  const key = define(parts, 'true or false', (input) => {
    if (input === true || input === 'true') return true
    return input === false || input === 'false' ? false : undefined
  })
  return { ...key, switch: true }
}

export function choice<const T extends string>(parts: KeyParts<T> & { readonly of: readonly T[] }): Key<T> {
  return define(parts, parts.of.join(' | '), (input) => parts.of.find((option) => option === input))
}

/**
 * A list: comma-separated as text, an array in the file. Empty text or array means no element. `elements` is what a
 * problem adds about the elements that there are.
 */
export function list<T>(
  parts: KeyParts<readonly T[]> & { readonly elements?: string },
  accepts: string,
  element: (input: unknown) => T | undefined,
): Key<readonly T[]> {
  const { elements, ...keyParts } = parts
  const convert = (input: unknown): readonly T[] | undefined => {
    const inputs = typeof input === 'string' ? input.split(',').filter((part) => part !== '') : input
    if (!Array.isArray(inputs)) return undefined
    const values = inputs.map((each) => element(typeof each === 'string' ? each.trim() : each))
    return values.some((value) => value === undefined) ? undefined : (values as T[])
  }
  return define<readonly T[]>(keyParts, accepts, convert, elements)
}

/** A share between 0 and 1, as a fraction of two integers: exact where a float would lose a third. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

function parseRatio(input: unknown): Ratio | undefined {
  const given = typeof input === 'number' ? String(input) : input
  if (typeof given !== 'string') return undefined
  const fraction = /^(\d{1,9})\/(\d{1,9})$/.exec(given)
  const decimalForm = /^([01])(?:\.(\d{1,18}))?$/.exec(given)
  const digits = decimalForm?.[2] ?? ''
  const numerator = fraction ? BigInt(fraction[1]!) : decimalForm ? BigInt(decimalForm[1]! + digits) : -1n
  const denominator = fraction ? BigInt(fraction[2]!) : 10n ** BigInt(digits.length)
  return numerator < 0n || denominator === 0n || numerator > denominator ? undefined : { numerator, denominator }
}

export function ratio(parts: KeyParts<Ratio>): Key<Ratio> {
  return define(parts, 'share 0 to 1, such as 1/3 or 0.5', parseRatio)
}

/** An instant of UTC as nanoseconds since the epoch: `2019-09-13`, `2019-09-13T21:53:51.396440Z`, or `seconds.nanos`. */
function parseInstant(input: unknown): bigint | undefined {
  if (typeof input !== 'string') return undefined
  const epoch = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(input)
  if (epoch) return BigInt(epoch[1]!) * 1_000_000_000n + BigInt((epoch[2] ?? '').padEnd(9, '0'))
  const iso = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z)?$/.exec(input)
  const millis = iso ? Date.parse(`${iso[1]}T${iso[2] ?? '00:00:00'}Z`) : Number.NaN
  if (Number.isNaN(millis)) return undefined
  return BigInt(millis) * 1_000_000n + BigInt((iso?.[3] ?? '').padEnd(9, '0'))
}

export function optionalInstant(parts: KeyTexts): Key<bigint | null> {
  return define<bigint | null>(
    { default: null, ...parts },
    'UTC instant such as 2019-09-13T21:53:51Z, or nothing',
    (input) => (input === null || input === '' ? null : parseInstant(input)),
  )
}

function toVersion(input: unknown): SemanticVersion | undefined {
  return typeof input === 'string' ? parseVersion(input) : undefined
}

export function version(parts: KeyParts<SemanticVersion>): Key<SemanticVersion> {
  return define(parts, 'version such as 0.79.0', toVersion)
}

export function optionalVersion(parts: KeyTexts): Key<SemanticVersion | null> {
  return define<SemanticVersion | null>({ default: null, ...parts }, 'version such as 0.75.0, or nothing', (input) =>
    input === null || input === '' ? null : toVersion(input),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: keys of every value type meet here
export type AnyKey = Key<any>
export interface ConfigTree {
  readonly [name: string]: AnyKey | ConfigTree
}

/** What one configuration key accepts, means and defaults to. The reference page, flags and checks all come from it. */
export interface Key<T> {
  /** What is accepted, as the reference page shows it: `integer 1 to 100`. */
  readonly accepts: string
  readonly default: T
  readonly description: string
  readonly unit?: string
  /** Never printed. */
  readonly secret?: boolean
  /** Name of the flag without dashes; derived from the key's path unless given. */
  readonly flag?: string
  /** Takes no value on the command line: `--once`. */
  readonly switch?: boolean
  /** Takes text (flag, environment) or JSON (file). */
  parse(input: unknown): Parsed<T>
}

export type Parsed<T> = { readonly value: T } | { readonly expected: string }

export interface KeyTexts {
  readonly description: string
  readonly unit?: string
  readonly secret?: boolean
  readonly flag?: string
}

interface KeyParts<T> extends KeyTexts {
  readonly default: T
}

function define<T>(parts: KeyParts<T>, accepts: string, convert: (input: unknown) => T | undefined): Key<T> {
  return {
    ...parts,
    accepts,
    parse(input) {
      const value = convert(input)
      return value === undefined ? { expected: accepts } : { value }
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

/** Text, or nothing: an empty text means "not set". */
export function optionalText(parts: KeyTexts, accepts = 'text or nothing'): Key<string | null> {
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

/** A list: comma-separated as text, an array in the file. Empty text or array means no element. */
export function list<T>(
  parts: KeyTexts & { readonly default: readonly T[] },
  accepts: string,
  element: (input: unknown) => T | undefined,
): Key<readonly T[]> {
  return define<readonly T[]>(parts, accepts, (input) => {
    const inputs = typeof input === 'string' ? input.split(',').filter((part) => part !== '') : input
    if (!Array.isArray(inputs)) return undefined
    const values = inputs.map((each) => element(typeof each === 'string' ? each.trim() : each))
    return values.some((value) => value === undefined) ? undefined : (values as T[])
  })
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

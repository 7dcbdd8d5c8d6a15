import { allOperators, type Filter, type Operator, type Parameter, parseInteger } from '#queries/common/parameters.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** The current balance of an account in tinybars. */
export const accountBalanceParameter: Parameter<bigint> = {
  name: 'account.balance',
  description: 'Only accounts whose balance in tinybars compares so.',
  schema: { type: 'string', pattern: '^((eq|gte?|lte?|ne):)?\\d{1,19}$' },
  example: 'gte:100000000',
  operators: allOperators,
  repeatable: true,
  parse: (text) => parseInteger(text, 0n, maxInt64),
}

const keyForm = /^(?:0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{66}|[0-9a-fA-F]{88})$/

/** A public key as lower-case hex digits; of one wrapped as DER (88 digits) only the key itself. */
export function publicKeyParameter(name: 'account.publickey' | 'publickey', description: string): Parameter<string> {
  return {
    name,
    description,
    schema: { type: 'string', pattern: '^(eq:)?(0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{66}|[0-9a-fA-F]{88})$' },
    operators: allOperators,
    repeatable: false,
    parse: (text) => {
      const digits = keyForm.exec(text)?.[1]?.toLowerCase()
      return digits?.length === 88 ? digits.slice(-64) : digits
    },
  }
}

/** What the keys of accounts must be like. */
export interface KeyCondition {
  /** Hex digits of the key, where one is given. */
  readonly equal: string | undefined
  /** Whether a key, as hex digits, meets all that is given: keys compare as texts. Who has none meets nothing. */
  readonly matches: (key: string | null | undefined) => boolean
}

/** undefined: any key, or none. */
export function keyCondition(filters: readonly Filter<string>[]): KeyCondition | undefined {
  if (filters.length === 0) return undefined
  const equal = filters.find(({ operator }) => operator === 'eq')?.value
  return {
    equal,
    matches: (key) => typeof key === 'string' && filters.every(({ operator, value }) => compares[operator](key, value)),
  }
}

const compares: Readonly<Record<Operator, (a: string, b: string) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
}

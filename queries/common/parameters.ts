import type { QuerySettings } from '#queries/common/settings.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'

export const allOperators: readonly Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte']
export const rangeAndEqual: readonly Operator[] = ['eq', 'gt', 'gte', 'lt', 'lte']

/** The part of JSON schema that describes a single value in the OpenAPI document. */
export interface ValueSchema {
  readonly type: 'string' | 'integer' | 'boolean'
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: string | number | boolean
}

/** A value of the right form that lies outside what can exist; reported only when nothing else is wrong. */
export class Refusal {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/** One query parameter: the single source of its validation, its type and its page in the documentation. */
export interface Parameter<T> {
  readonly name: string
  readonly description: string
  readonly schema: ValueSchema
  /** What the settings of the process add to the schema. */
  readonly bounds?: (settings: QuerySettings) => Pick<ValueSchema, 'default' | 'maximum'>
  /** A value with an operator, for the documentation of what compares. */
  readonly example?: string
  /** Operators that make a value valid; some parameters accept all and ignore them. Dialect B: none, and the value is the whole text. */
  readonly operators: readonly Operator[]
  readonly repeatable: boolean
  /** Dialect B: most values, and the field that its complaint names. */
  readonly most?: { readonly field: string; readonly count: number }
  /** The typed value of the text after the operator; undefined when it is invalid. */
  readonly parse: (text: string, settings: QuerySettings) => T | Refusal | undefined
  /** How a link says the value of the last row, where a list is ordered by it; as it is unless given. */
  readonly write?: (value: bigint) => string
}

export type AnyParameter = Parameter<unknown>
export type Parameters = Readonly<Record<string, AnyParameter>>

export interface Filter<T> {
  readonly operator: Operator
  readonly value: T
}

/** What a request gave each parameter, in order; an empty list where it gave nothing. */
export type Filters<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? readonly Filter<T>[] : never
}

/** Digits only, from `min` to `max`; both at most 2^63-1. */
export function parseInteger(text: string, min: bigint, max: bigint): bigint | undefined {
  if (!/^\d{1,19}$/.test(text)) return undefined
  const value = BigInt(text)
  return value < min || value > max ? undefined : value
}

export type Order = 'asc' | 'desc'

export function limitParameter(): Parameter<bigint> {
  return {
    name: 'limit',
    description: 'Most rows to return; larger values are cut down to the maximum. The last of repeated values counts.',
    schema: { type: 'integer', format: 'int64', minimum: 1 },
    bounds: ({ pageSizeDefault, pageSizeMax }) => ({
      default: pageSizeDefault,
      maximum: pageSizeMax,
    }),
    operators: allOperators,
    repeatable: false,
    parse: (text) => parseInteger(text, 1n, maxInt64),
  }
}

export function orderParameter(byDefault: Order): Parameter<Order> {
  return {
    name: 'order',
    description: 'Direction in which the rows are listed. The last of repeated values counts.',
    schema: { type: 'string', enum: ['asc', 'desc'], default: byDefault },
    operators: allOperators,
    repeatable: false,
    parse: (text) => (text === 'asc' || text === 'desc' ? text : undefined),
  }
}

export function booleanParameter(name: string, description: string): Parameter<boolean> {
  return {
    name,
    description,
    schema: { type: 'boolean' },
    operators: ['eq'],
    repeatable: false,
    parse: (text) => {
      const lower = text.toLowerCase()
      return lower === 'true' ? true : lower === 'false' ? false : undefined
    },
  }
}

export function lastValue<T>(filters: readonly Filter<T>[]): T | undefined {
  return filters.at(-1)?.value
}

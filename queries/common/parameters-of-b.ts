import { parseEntityNumber } from '#queries/common/entity-id-parameter.ts'
import { allOperators, type Order, type Parameter, parseInteger, Refusal } from '#queries/common/parameters.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { maxInt64, nanosPerSecond } from '#src/domain/ledger-time.ts'

// Parameters as dialect B reads them: values that have no form cannot be converted, those out of range are refused in words.

const integerForm = /^[+-]?\d{1,10}$/
const maxInt32 = 2_147_483_647n

export interface LimitOfB {
  readonly byDefault: number
  readonly max: number
  /** What larger values that are accepted are cut down to. */
  readonly cutTo?: number
}

/** A limit that is refused beyond its maximum, not cut down. */
export function limitParameterOfB({
  byDefault = 25,
  max = 100,
  cutTo = max,
}: Partial<LimitOfB> = {}): Parameter<number> {
  return {
    name: 'limit',
    description: `Most rows to return, up to ${max}.`,
    schema: { type: 'integer', minimum: 1, maximum: max, default: byDefault },
    operators: [],
    repeatable: false,
    parse: (text) => {
      const limit = integerForm.test(text) ? BigInt(text) : undefined
      if (limit === undefined || limit > maxInt32 || limit < -maxInt32 - 1n) return undefined
      if (limit <= 0n) return new Refusal('limit must be greater than 0')
      return limit > BigInt(max)
        ? new Refusal(`limit must be less than or equal to ${max}`)
        : Math.min(Number(limit), cutTo)
    },
  }
}

/** One of some words, in any case. */
export function choiceParameterOfB<T extends string>(
  name: string,
  words: readonly T[],
  description: string,
  byDefault?: T,
): Parameter<T> {
  return {
    name,
    description,
    schema: { type: 'string', enum: words, ...(byDefault !== undefined && { default: byDefault }) },
    operators: [],
    repeatable: false,
    parse: (text) => words.find((word) => word.toLowerCase() === text.toLowerCase()),
  }
}

export function orderParameterOfB(byDefault: Order): Parameter<Order> {
  return choiceParameterOfB('order', ['asc', 'desc'], 'Direction in which the rows are listed.', byDefault)
}

type RangeParts = Pick<Parameter<bigint>, 'name' | 'description'> & Required<Pick<Parameter<bigint>, 'most'>>

/** Numbers from 0 to 2^63-1 with any operator. */
export function numberParameterOfB(parts: RangeParts): Parameter<bigint> {
  return {
    ...parts,
    schema: { type: 'string', pattern: '^((eq|gte?|lte?|ne):)?\\d{1,19}$' },
    example: 'gte:1',
    operators: allOperators,
    repeatable: true,
    parse: (text) => parseInteger(text, 0n, maxInt64),
  }
}

/** Encoded ids of entities, in number form with any operator. */
export function entityParameterOfB(parts: RangeParts): Parameter<bigint> {
  return {
    ...parts,
    schema: { type: 'string', pattern: '^((eq|gte?|lte?|ne):)?(\\d{1,4}\\.)?(\\d{1,5}\\.)?\\d{1,12}$' },
    example: 'gte:0.0.1001',
    operators: allOperators,
    repeatable: true,
    parse: (text, settings) => {
      const id = parseEntityNumber(text, settings)
      return typeof id === 'bigint' ? id : undefined
    },
    write: formatEntityId,
  }
}

const timeForm = /^(\d{1,17})(?:\.(\d{1,9}))?$/
/** A number without a dot of up to so many digits is seconds; a longer one is nanoseconds. */
const secondDigitsMax = 10

/** Consensus times in nanoseconds. The digits after the dot are a whole number of nanoseconds: 1.1 is one past one second. */
export function timestampParameterOfB(field: 'timestamp' | 'timestamps' = 'timestamp'): Parameter<bigint> {
  return {
    name: 'timestamp',
    description: 'Consensus time as seconds.nanoseconds; equal means at or before.',
    schema: { type: 'string', pattern: '^((eq|gte?|lte?):)?\\d{1,17}(\\.\\d{1,9})?$' },
    example: 'lt:1234567890.000000001',
    operators: ['eq', 'gt', 'gte', 'lt', 'lte'],
    repeatable: true,
    most: { field, count: 2 },
    parse: parseTimeOfB,
  }
}

function parseTimeOfB(text: string): bigint | undefined {
  const [whole, seconds, nanos] = timeForm.exec(text) ?? []
  if (whole === undefined || seconds === undefined) return undefined
  const isSeconds = nanos !== undefined || seconds.length <= secondDigitsMax
  const time = isSeconds ? BigInt(seconds) * nanosPerSecond + BigInt(nanos ?? 0) : BigInt(seconds)
  return time > maxInt64 ? undefined : time
}

import type { Instant } from '#queries/balances/instant.ts'
import { accountBalanceParameter, publicKeyParameter } from '#queries/common/account-parameters.ts'
import { type AccountReference, parseAccountReference } from '#queries/common/account-path.ts'
import { parseEntityNumber } from '#queries/common/entity-id-parameter.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import {
  allOperators,
  type Filter,
  limitParameter,
  orderParameter,
  type Parameter,
  Refusal,
} from '#queries/common/parameters.ts'
import { type Selection, selectionOf } from '#queries/common/range.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'

/** A holder by number, or by a name: long-zero addresses count as names. */
type HolderReference = bigint | { readonly name: AccountReference }

const dotted = /\./

const holderParameter: Parameter<HolderReference> = {
  name: 'account.id',
  description: 'Only accounts whose id compares so; an alias or EVM address only alone and equal.',
  schema: { type: 'string' },
  operators: allOperators,
  repeatable: true,
  parse: (text, settings) => {
    const id = parseEntityNumber(text, settings)
    if (id instanceof Refusal || typeof id === 'bigint') return id
    // Names stand without shard and realm here.
    const name = dotted.test(text) ? undefined : parseAccountReference(text, settings)
    return name && { name }
  },
  write: formatEntityId,
}

export const balanceParameters = {
  'account.balance': accountBalanceParameter,
  'account.id': holderParameter,
  'account.publickey': publicKeyParameter(
    'account.publickey',
    'Only accounts whose key, as hex digits, compares so; of several conditions all must hold.',
  ),
  limit: limitParameter(),
  order: orderParameter('desc'),
  timestamp: timestampParameter('Balances of this time; equal means at or before.'),
}

/** One time, for what is told of an instant and not of a range. */
export const instantParameter: Parameter<bigint> = {
  ...timestampParameter('As it was then; equal means at or before. The last of several counts.'),
  schema: { type: 'string', pattern: '^((eq|lte?):)?\\d{1,10}(\\.\\d{1,9})?$' },
  example: 'lte:1234567890.000000001',
  operators: ['eq', 'lt', 'lte'],
  repeatable: false,
}

export function instantOf(filters: readonly Filter<bigint>[], checkpoint: Checkpoint): Instant {
  const asked = filters.at(-1)
  return { checkpoint, time: asked?.operator === 'lt' ? asked.value - 1n : asked?.value }
}

export interface Holders {
  readonly range: Selection
  /** An account given by a name. */
  readonly name: AccountReference | undefined
}

/** Conditions on the holder. Throws `invalid_parameter` where a name is compared, or there are several. */
export function readHolders(filters: readonly Filter<HolderReference>[]): Holders {
  const numbers: Filter<bigint>[] = []
  const names: AccountReference[] = []
  for (const { operator, value } of filters) {
    if (typeof value === 'bigint') numbers.push({ operator, value })
    else if (operator !== 'eq') throw refused('EVM address or alias only supports equals operator')
    else names.push(value.name)
  }
  if (names.length > 1) throw refused('Only one EVM address or alias is allowed.')
  return { range: selectionOf(numbers), name: names[0] }
}

function refused(detail: string) {
  return invalidParameters(['Invalid parameter: account.id'], { detail })
}

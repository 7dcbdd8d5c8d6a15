import type { Filter, Parameter } from '#queries/common/parameters.ts'
import { allOperators, Refusal } from '#queries/common/parameters.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
import { entityIdOf, formatEntityId, maxNumber } from '#src/domain/entity-id.ts'

/** What an id in a request may stand for: an entity's encoded id, or a 20-byte address that only state can resolve. */
export type EntityReference =
  | { readonly kind: 'id'; readonly id: bigint }
  | { readonly kind: 'address'; readonly hex: string /** The digits as they came. */; readonly sent: string }

const numberForm = /^-?\d{1,19}$/
const dottedForm = /^(?:(\d{1,4})\.)?(\d{1,5})\.(\d{1,12})$/
const addressForm = /^(?:0x|(?:(\d{1,4})\.)?(?:(\d{1,5})\.)?)([0-9a-fA-F]{40})$/

/**
 * Reads `num`, `realm.num` or `shard.realm.num`. Undefined for another form; a refusal for parts beyond their limits
 * (a lone number counts as one with a sign and up to 19 digits).
 */
export function parseEntityNumber(text: string, settings: QuerySettings): bigint | Refusal | undefined {
  if (numberForm.test(text)) return idOrRefusal(settings.shard, settings.realm, BigInt(text))
  const parts = dottedForm.exec(text)
  if (parts === null) return undefined
  const [, shard, realm = '0', number = '0'] = parts
  return idOrRefusal(shard === undefined ? settings.shard : BigInt(shard), BigInt(realm), BigInt(number))
}

/** The same in a path that takes `0x` before a number for nothing, as established clients see it: 0x123 is 123. */
export function parsePrefixedNumber(text: string, settings: QuerySettings): bigint | Refusal | undefined {
  return parseEntityNumber(text.replace(/^0x(?=\d)/, ''), settings)
}

function idOrRefusal(shard: bigint, realm: bigint, number: bigint): bigint | Refusal {
  return entityIdOf(shard, realm, number) ?? new Refusal(`Invalid entity ID "${shard}.${realm}.${number}"`)
}

/** Reads a 20-byte address, bare, with `0x`, or after the service's own shard and realm. A long-zero one is an id. */
export function parseEvmAddress(text: string, settings: QuerySettings): EntityReference | undefined {
  const match = addressForm.exec(text)
  if (match === null) return undefined
  const [, first, second, hex = ''] = match
  const realm = second ?? first
  const shard = second === undefined ? undefined : first
  if (shard !== undefined && BigInt(shard) !== settings.shard) return undefined
  if (realm !== undefined && BigInt(realm) !== settings.realm) return undefined
  const number = hex.startsWith('000000000000000000000000') ? BigInt(`0x${hex}`) : undefined
  if (number === undefined || number > maxNumber) return { kind: 'address', hex: hex.toLowerCase(), sent: hex }
  const id = entityIdOf(settings.shard, settings.realm, number)
  return id === undefined ? undefined : { kind: 'id', id }
}

/** An entity in number form or as an address; an address that is not long-zero is valid, whether or not it exists. */
export function entityIdParameter(name: string, description: string): Parameter<EntityReference> {
  return {
    name,
    description,
    schema: {
      type: 'string',
      pattern: '^((ne|eq|gte?|lte?):)?(\\d{1,4}\\.)?(\\d{1,5}\\.)?(\\d{1,12}|(0x)?[A-Fa-f0-9]{40})$',
    },
    example: 'gte:0.0.1001',
    operators: allOperators,
    repeatable: true,
    parse: (text, settings) => {
      const id = parseEntityNumber(text, settings)
      if (typeof id === 'bigint') return { kind: 'id', id }
      return id ?? parseEvmAddress(text, settings)
    },
    write: formatEntityId,
  }
}

/** Conditions on a number; undefined where one compares with an address, which no number answers to. */
export function numbersOf(filters: readonly Filter<EntityReference>[]): Filter<bigint>[] | undefined {
  const numbers = filters.flatMap(({ operator, value }) => (value.kind === 'id' ? [{ operator, value: value.id }] : []))
  return numbers.length === filters.length ? numbers : undefined
}

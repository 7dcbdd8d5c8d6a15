import { type EntityReference, parseEntityNumber, parseEvmAddress } from '#queries/common/entity-id-parameter.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
import { base32Alphabet, decodeBase32 } from '#src/domain/base32.ts'

/** What the path of an account stands for: an id, or an alias or address that only state can resolve. */
export type AccountReference =
  | EntityReference
  /** Bytes of the alias. */
  | { readonly kind: 'alias'; readonly alias: Buffer }

const aliasForm = /^(?:(?:(\d{1,4})\.)?(\d{1,5})\.)?([A-Z2-7]+)$/
/** What the digits of whole bytes leave beyond groups of eight: other lengths encode nothing. */
const wholeLengths = new Set([0, 2, 4, 5, 7])

/** An id that cannot be, one of another shard, and what has no form are all the same here. */
export function parseAccountReference(text: string, settings: QuerySettings): AccountReference | undefined {
  const id = parseEntityNumber(text, settings)
  if (typeof id === 'bigint') return { kind: 'id', id }
  if (id !== undefined) return undefined
  return parseEvmAddress(text, settings) ?? parseAlias(text, settings)
}

function parseAlias(text: string, { shard, realm }: QuerySettings): AccountReference | undefined {
  const [whole, ownShard = shard, ownRealm = realm, digits = ''] = aliasForm.exec(text) ?? []
  if (whole === undefined || !wholeLengths.has(digits.length % 8)) return undefined
  if (BigInt(ownShard) !== shard || BigInt(ownRealm) !== realm) return undefined
  return { kind: 'alias', alias: decodeBase32(digits) }
}

const digitsOfB = /[A-Z2-7]{40,70}$/
const addressForm = /[0-9a-f]{40}$/i

/** Whether the bits that fill no byte are set, as no encoder leaves them. */
function hasStrayBits(text: string): boolean {
  const digits = aliasForm.exec(text)?.[3] ?? ''
  const bits = (digits.length * 5) % 8
  return (base32Alphabet.indexOf(digits.at(-1) ?? 'A') & ((1 << bits) - 1)) !== 0
}

/**
 * The path parameter of an account; dialect A refuses stray bits in an alias. B takes one of 40 to 70 digits only, and
 * looks up every address, also one that is made of a number.
 */
export function accountPath(dialect: 'A' | 'B'): PathParameter<AccountReference> {
  return {
    description: 'Account: a number, shard.realm.number, an EVM address, or an alias in base32',
    schema: { type: 'string' },
    parse: (text, settings) => {
      const reference = parseAccountReference(text, settings)
      if (dialect === 'B' && reference?.kind === 'id' && addressForm.test(text))
        return { kind: 'address', hex: text.slice(-40).toLowerCase(), sent: text.slice(-40) }
      if (reference?.kind !== 'alias') return reference
      return (dialect === 'B' ? digitsOfB.test(text) : !hasStrayBits(text)) ? reference : undefined
    },
  }
}

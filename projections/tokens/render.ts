import type { TokenRow } from '#projections/tokens/schema.ts'
import { base64Of } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'

const typeNames = ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'] as const

/** What is shown of a token's type; the first one for a number that has none. */
export function tokenTypeName(type: number): string {
  return typeNames[type] ?? typeNames[0]
}

/** JSON text of what a list shows of a token: all members but the first, which is its entity's, without the braces. */
export function renderListed({ id, decimals, metadata, name, symbol, type }: TokenRow): string {
  return (
    `"decimals":${decimals},"metadata":"${metadata === null ? '' : base64Of(metadata)}","name":${JSON.stringify(name)},` +
    `"symbol":${JSON.stringify(symbol)},"token_id":"${formatEntityId(id)}","type":"${tokenTypeName(type)}"`
  )
}

import { gramsOf } from '#projections/tokens/packing.ts'
import { renderListed } from '#projections/tokens/render.ts'
import type { TokenRow, TokensSchema } from '#projections/tokens/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

export type TokenRows = FoldedRows<TokensSchema>

export function putToken(rows: TokenRows, token: TokenRow): void {
  const before = rows.get('tokens', token.id)
  rows.put('tokens', { ...token, listed: renderListed(token) })
  if (before?.name === token.name) return
  for (const gram of gramsOf(token.name)) rows.put('nameGrams', { gram, token: token.id })
}

/** Opens the version that a change makes. A token that nobody knows is not made up: most of it would be unknown. */
export function changeToken(rows: TokenRows, id: bigint, time: bigint, change: (before: TokenRow) => TokenRow): void {
  const before = rows.get('tokens', id)
  // What is from before the newest version is covered by the statement that it came from.
  if (before && before.from <= time) putToken(rows, { ...change(before), from: time, until: null })
}

/** How much there is of the token from a time on. */
export function setSupply(rows: TokenRows, token: bigint, time: bigint, supply: bigint): void {
  rows.put('supplies', { token, since: time, supply })
  rows.put('supplyChanges', { token, time, supply })
}

/** Changes the supply of a token whose supply is known; what came before a statement is contained in it. */
export function changeSupply(rows: TokenRows, token: bigint, time: bigint, change: (before: bigint) => bigint): void {
  const before = rows.get('supplies', token)
  if (before && before.since <= time) setSupply(rows, token, time, change(before.supply))
}

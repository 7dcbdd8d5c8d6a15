import type { CustomFees } from '#projections/custom-fees/packing.ts'
import type { FoundFees } from '#queries/custom-fees/find-fees.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

type FixedFee = CustomFees['fixedFees'][number]
type FractionalFee = CustomFees['fractionalFees'][number]
type RoyaltyFee = CustomFees['royaltyFees'][number]

/** JSON text of the fees of a fungible token: shares are of the token itself. */
export function renderFungibleFees({ from, fixedFees, fractionalFees }: FoundFees, token: bigint): string {
  const fractional = fractionalFees.map((fee) => renderFractional(fee, token)).join(',')
  return `{${created(from)},${tokenFixedFees(fixedFees)},"fractional_fees":[${fractional}]}`
}

/** JSON text of the fees of an NFT collection. */
export function renderNftFees({ from, fixedFees, royaltyFees }: FoundFees): string {
  return `{${created(from)},${tokenFixedFees(fixedFees)},"royalty_fees":[${royaltyFees.map(renderRoyalty).join(',')}]}`
}

/** JSON text of the fees of a topic. */
export function renderTopicFees({ from, fixedFees }: FoundFees): string {
  const fees = fixedFees.map((fee) => `{"amount":${fee.amount},${collector(fee)},${denomination(fee)}}`)
  return `{${created(from)},"fixed_fees":[${fees.join(',')}]}`
}

function created(from: bigint): string {
  return `"created_timestamp":"${formatLedgerTime(from)}"`
}

function tokenFixedFees(fees: readonly FixedFee[]): string {
  const rendered = fees.map((fee) => `{${exempt(fee)},"amount":${fee.amount},${collector(fee)},${denomination(fee)}}`)
  return `"fixed_fees":[${rendered.join(',')}]`
}

function renderFractional(fee: FractionalFee, token: bigint): string {
  const { minimumAmount, maximumAmount, netOfTransfers } = fee
  return (
    `{${exempt(fee)},${share(fee)},${collector(fee)},"denominating_token_id":${idOrNull(token)},` +
    `"maximum":${maximumAmount},"minimum":${minimumAmount},"net_of_transfers":${netOfTransfers}}`
  )
}

function renderRoyalty(fee: RoyaltyFee): string {
  const { fallbackFee } = fee
  const fallback = fallbackFee === null ? 'null' : `{"amount":${fallbackFee.amount},${denomination(fallbackFee)}}`
  return `{${exempt(fee)},${share(fee)},${collector(fee)},"fallback_fee":${fallback}}`
}

function exempt({ allCollectorsAreExempt }: Pick<FixedFee, 'allCollectorsAreExempt'>): string {
  return `"all_collectors_are_exempt":${allCollectorsAreExempt}`
}

function share({ numerator, denominator }: Pick<RoyaltyFee, 'numerator' | 'denominator'>): string {
  return `"amount":{"numerator":${numerator},"denominator":${denominator}}`
}

function collector({ collectorAccountId }: Pick<FixedFee, 'collectorAccountId'>): string {
  return `"collector_account_id":${idOrNull(collectorAccountId)}`
}

function denomination({ denominatingTokenId }: Pick<FixedFee, 'denominatingTokenId'>): string {
  return `"denominating_token_id":${idOrNull(denominatingTokenId)}`
}

function idOrNull(id: bigint | null): string {
  return id === null ? 'null' : `"${formatEntityId(id)}"`
}

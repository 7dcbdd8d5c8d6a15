import type { CustomFees } from '#projections/custom-fees/packing.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { int64, objectSchema, text } from '#queries/common/object-schema.ts'
import type { FoundFees } from '#queries/custom-fees/find-fees.ts'
import { entityText, timeText } from '#src/domain/json-text.ts'

type FixedFee = CustomFees['fixedFees'][number]
type FractionalFee = CustomFees['fractionalFees'][number]
type RoyaltyFee = CustomFees['royaltyFees'][number]
type Share = Pick<RoyaltyFee, 'numerator' | 'denominator'>

const id = { ...text, description: 'Entity id', nullable: true }
const tokenId = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$', example: '0.0.1001', nullable: true }
const flag = { type: 'boolean' }
const fraction = objectSchema({ numerator: int64, denominator: int64 })

const fixedFee = defineObject<FixedFee>({
  all_collectors_are_exempt: [flag, ({ allCollectorsAreExempt }) => allCollectorsAreExempt],
  amount: [int64, ({ amount }) => amount],
  collector_account_id: [tokenId, ({ collectorAccountId }) => idOrNull(collectorAccountId)],
  denominating_token_id: [
    { ...tokenId, description: 'null for hbar' },
    ({ denominatingTokenId }) => idOrNull(denominatingTokenId),
  ],
})

/** Shares are of the token itself. */
const fractionalFee = defineObject<{ readonly fee: FractionalFee; readonly token: bigint }>({
  all_collectors_are_exempt: [flag, ({ fee }) => fee.allCollectorsAreExempt],
  amount: [fraction, ({ fee }) => shareText(fee)],
  collector_account_id: [tokenId, ({ fee }) => idOrNull(fee.collectorAccountId)],
  denominating_token_id: [tokenId, ({ token }) => entityText(token)],
  maximum: [{ ...int64, nullable: true }, ({ fee }) => fee.maximumAmount],
  minimum: [int64, ({ fee }) => fee.minimumAmount],
  net_of_transfers: [flag, ({ fee }) => fee.netOfTransfers],
})

const royaltyFee = defineObject<RoyaltyFee>({
  all_collectors_are_exempt: [flag, ({ allCollectorsAreExempt }) => allCollectorsAreExempt],
  amount: [fraction, shareText],
  collector_account_id: [tokenId, ({ collectorAccountId }) => idOrNull(collectorAccountId)],
  fallback_fee: [
    { type: 'object', nullable: true, properties: { amount: int64, denominating_token_id: tokenId } },
    ({ fallbackFee: fee }) =>
      fee && `{"amount":${fee.amount},"denominating_token_id":${idOrNull(fee.denominatingTokenId)}}`,
  ],
})

const topicFixedFee = defineObject<FixedFee>(
  {
    amount: [int64, ({ amount }) => amount],
    collector_account_id: [id, ({ collectorAccountId }) => idOrNull(collectorAccountId)],
    denominating_token_id: [
      { ...id, description: 'null: the fee is paid in tinybars' },
      ({ denominatingTokenId }) => idOrNull(denominatingTokenId),
    ],
  },
  { title: 'TopicFixedFee' },
)

export const tokenFees = defineObject<FoundFees & { readonly token: bigint; readonly isNft: boolean }>(
  {
    created_timestamp: [{ ...text, example: '1234567890.000000001' }, ({ from }) => timeText(from)],
    fixed_fees: [{ type: 'array', items: fixedFee.schema }, ({ fixedFees }) => `[${fixedFees.map(fixedFee.render)}]`],
    fractional_fees: [
      { type: 'array', items: fractionalFee.schema, description: 'Of fungible tokens' },
      ({ isNft, fractionalFees, token }) =>
        isNft ? undefined : `[${fractionalFees.map((fee) => fractionalFee.render({ fee, token }))}]`,
      'optional',
    ],
    royalty_fees: [
      { type: 'array', items: royaltyFee.schema, description: 'Of NFT collections' },
      ({ isNft, royaltyFees }) => (isNft ? `[${royaltyFees.map(royaltyFee.render)}]` : undefined),
      'optional',
    ],
  },
  { title: 'CustomFees' },
)

export const topicFees = defineObject<FoundFees>(
  {
    created_timestamp: [{ ...text, description: 'Seconds and nanoseconds' }, ({ from }) => timeText(from)],
    fixed_fees: [
      { type: 'array', items: topicFixedFee.schema },
      ({ fixedFees }) => `[${fixedFees.map(topicFixedFee.render)}]`,
    ],
  },
  { title: 'TopicCustomFees' },
)

function shareText({ numerator, denominator }: Share): string {
  return `{"numerator":${numerator},"denominator":${denominator}}`
}

function idOrNull(id: bigint | null): string {
  return id === null ? 'null' : entityText(id)
}

import { expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { customFeeStatements } from '#test/conformance/state/custom-fees.ts'

it('versions of fees carry every column, and lists that are not there as empty ones', () => {
  const statements = customFeeStatements({
    custom_fee_history: [
      {
        entity_id: '9',
        fixed_fees: null,
        fractional_fees: [{ numerator: '1', denominator: '2', minimum_amount: '3', collector_account_id: '4' }],
        royalty_fees: null,
        timestamp_range: { from: '1', to: '5' },
      },
    ],
    custom_fee: [
      {
        entity_id: '9',
        fixed_fees: [{ amount: '7', denominating_token_id: '8', all_collectors_are_exempt: true }],
        fractional_fees: null,
        royalty_fees: [{ numerator: '1', denominator: '2', fallback_fee: { amount: '6' }, collector_account_id: '4' }],
        timestamp_range: { from: '5', to: null },
      },
    ],
  })

  const share = { numerator: 1n, denominator: 2n, collectorAccountId: 4n, allCollectorsAreExempt: false }
  expect(eventsOf(statements, 'CustomFeesSnapshotted')).toEqual([
    {
      entityId: 9n,
      asOf: 1n,
      validTo: 5n,
      fixedFees: [],
      fractionalFees: [{ ...share, minimumAmount: 3n, maximumAmount: null, netOfTransfers: false }],
      royaltyFees: [],
    },
    {
      entityId: 9n,
      asOf: 5n,
      validTo: null,
      fixedFees: [{ amount: 7n, denominatingTokenId: 8n, collectorAccountId: null, allCollectorsAreExempt: true }],
      fractionalFees: [],
      royaltyFees: [{ ...share, fallbackFee: { amount: 6n, denominatingTokenId: null } }],
    },
  ])
})

import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

/** Tables `custom_fee` and `custom_fee_history`, of tokens and topics. */
export function customFeeStatements(rows: CaseRows): Statement[] {
  return versionsOf(rows, 'custom_fee').map((row) => {
    const entityId = read.int64(row, 'entity_id')
    return statement('CustomFeesSnapshotted', `custom-fees/${entityId}`, {
      entityId,
      ...validityOf(row),
      fixedFees: read.rowsOf(row, 'fixed_fees').map((fee) => ({ ...amountOf(fee), ...payeeOf(fee) })),
      fractionalFees: read.rowsOf(row, 'fractional_fees').map((fee) => ({
        ...shareOf(fee),
        minimumAmount: read.int64(fee, 'minimum_amount'),
        maximumAmount: read.int64OrNull(fee, 'maximum_amount'),
        netOfTransfers: read.flag(fee, 'net_of_transfers'),
        ...payeeOf(fee),
      })),
      royaltyFees: read.rowsOf(row, 'royalty_fees').map((fee) => {
        const fallback = read.rowOrNull(fee, 'fallback_fee')
        return { ...shareOf(fee), fallbackFee: fallback && amountOf(fallback), ...payeeOf(fee) }
      }),
    })
  })
}

function amountOf(fee: CaseRow) {
  return { amount: read.int64(fee, 'amount'), denominatingTokenId: read.int64OrNull(fee, 'denominating_token_id') }
}

function shareOf(fee: CaseRow) {
  return { numerator: read.int64(fee, 'numerator'), denominator: read.int64(fee, 'denominator') }
}

function payeeOf(fee: CaseRow) {
  return {
    collectorAccountId: read.int64OrNull(fee, 'collector_account_id'),
    allCollectorsAreExempt: read.flag(fee, 'all_collectors_are_exempt'),
  }
}

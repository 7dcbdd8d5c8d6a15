import type { CustomFee, CustomFeesSnapshotted, FixedCustomFee, FixedFee, TokenID } from '#schemas/events/types.ts'
import { accountNumber, numberOf, orNull } from '#src/events/ids.ts'

type CustomFees = Pick<CustomFeesSnapshotted, 'fixedFees' | 'fractionalFees' | 'royaltyFees'>

/** Fees of a body about tokens; one of an unknown kind is left out. 0.0.0 as what a fee is paid in stands for the token itself. */
export function feesOfToken(fees: readonly CustomFee[], token: bigint): CustomFees {
  const own = (id: TokenID | null) => (id === null ? null : numberOf(id) || token)
  return {
    fixedFees: fees.flatMap((fee) =>
      fee.fixedFee === null ? [] : [{ ...amountOf(fee.fixedFee, own), ...payeeOf(fee) }],
    ),
    fractionalFees: fees.flatMap((fee) => {
      if (fee.fractionalFee === null) return []
      const { fractionalAmount, minimumAmount, maximumAmount, netOfTransfers } = fee.fractionalFee
      const limits = { minimumAmount, maximumAmount: maximumAmount === 0n ? null : maximumAmount }
      return [{ ...shareOf(fractionalAmount), ...limits, netOfTransfers, ...payeeOf(fee) }]
    }),
    royaltyFees: fees.flatMap((fee) => {
      if (fee.royaltyFee === null) return []
      const { exchangeValueFraction, fallbackFee } = fee.royaltyFee
      return [
        { ...shareOf(exchangeValueFraction), fallbackFee: fallbackFee && amountOf(fallbackFee, own), ...payeeOf(fee) },
      ]
    }),
  }
}

/** Fees of a body about topics. */
export function feesOfTopic(fees: readonly FixedCustomFee[]): CustomFees {
  const fixedFees = fees.flatMap(({ fixedFee, feeCollectorAccountId }) => {
    const payee = payeeOf({ feeCollectorAccountId, allCollectorsAreExempt: false })
    return fixedFee === null ? [] : [{ ...amountOf(fixedFee, (id) => orNull(numberOf(id))), ...payee }]
  })
  return { fixedFees, fractionalFees: [], royaltyFees: [] }
}

function amountOf({ amount, denominatingTokenId }: FixedFee, tokenOf: (id: TokenID | null) => bigint | null) {
  return { amount, denominatingTokenId: tokenOf(denominatingTokenId) }
}

function shareOf(fraction: { readonly numerator: bigint; readonly denominator: bigint } | null) {
  return { numerator: fraction?.numerator ?? 0n, denominator: fraction?.denominator ?? 0n }
}

function payeeOf(fee: Pick<CustomFee, 'feeCollectorAccountId' | 'allCollectorsAreExempt'>) {
  const { feeCollectorAccountId, allCollectorsAreExempt } = fee
  return { collectorAccountId: orNull(accountNumber(feeCollectorAccountId)), allCollectorsAreExempt }
}

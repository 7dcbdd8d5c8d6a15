import type { CallResult } from '#src/evm/call-request.ts'

const roundsMax = 20
const tolerancePercent = 10n

/**
 * The gas that a call needs, by halving between what it used and what it was given. The last limit that sufficed is the answer, so
 * it always does; a call that fails with all gas is told as it failed.
 */
export async function estimateGas(
  gas: bigint,
  run: (gas: bigint) => Promise<CallResult>,
): Promise<CallResult | bigint> {
  const first = await run(gas)
  if (first.response !== 'SUCCESS') return first
  if (first.gasUsed >= gas) return first.gasUsed
  const tolerance = (first.gasUsed * tolerancePercent) / 100n
  let low = first.gasUsed
  let high = gas
  let previous = first.gasUsed
  for (let round = 0; round < roundsMax && low + 1n < high; round++) {
    const middle = (high + low) / 2n
    const { response, gasUsed } = await run(middle)
    if (response !== 'SUCCESS' || gasUsed === 0n) low = middle
    else {
      high = middle
      const step = previous > middle ? previous - middle : middle - previous
      if (step < tolerance) break
    }
    previous = middle
  }
  return high
}

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
  const { gasNeeded } = first
  if (gasNeeded === undefined) return search(gas, first, run)
  // What does not look at its gas does the same with all that suffices: only the answer is run.
  const asFirst = async (limit: bigint) => (limit < gasNeeded ? { ...first, response: 'INSUFFICIENT_GAS' } : first)
  const found = await search(gas, first, asFirst)
  return (await run(found)).response === 'SUCCESS' ? found : search(gas, first, run)
}

async function search(gas: bigint, first: CallResult, run: (gas: bigint) => Promise<CallResult>): Promise<bigint> {
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

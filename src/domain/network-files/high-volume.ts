import type { CurvePoint, VariableRates } from '#src/domain/network-files/simple-fees.ts'

/** Thousandths: the price as it is. */
export const plainMultiplier = 1_000

const basisPoints = 10_000

/**
 * By how much prices rise (thousandths) when so much of the capacity for high volume is in use (hundredths of a percent):
 * straight lines between the points of the curve, HIP-1313. Before the first point its price counts.
 */
export function highVolumeMultiplier(rates: VariableRates | undefined, utilization: number): number {
  if (rates === undefined) return plainMultiplier
  const most = Math.max(rates.maxMultiplier, plainMultiplier)
  const used = Math.min(Math.max(utilization, 0), basisPoints)
  if (rates.points.length === 0)
    return between({ at: 0, value: plainMultiplier }, { at: basisPoints, value: most }, used)
  return Math.min(Math.max(onCurve(rates.points, used), plainMultiplier), most)
}

interface Place {
  readonly at: number
  readonly value: number
}

function onCurve(points: readonly CurvePoint[], used: number): number {
  const places = points
    .map(({ utilization, multiplier }): Place => ({ at: utilization, value: Math.max(multiplier, plainMultiplier) }))
    .sort((a, b) => a.at - b.at)
  const next = places.findIndex(({ at }) => at >= used)
  const [before, after] = [places[next === -1 ? places.length - 1 : next - 1], places[next]]
  if (after === undefined || before === undefined || after.at === used)
    return (after ?? before)?.value ?? plainMultiplier
  return between(before, after, used)
}

/** Rounded towards zero, as integers are divided. */
function between(a: Place, b: Place, used: number): number {
  return a.value + Math.trunc(((b.value - a.value) * (used - a.at)) / (b.at - a.at))
}

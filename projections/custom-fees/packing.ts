import type { CustomFeesSnapshotted } from '#schemas/events/types.ts'

/** The fees of a token or topic, in their order. Of a topic there are fixed ones only. */
export type CustomFees = Pick<CustomFeesSnapshotted, 'fixedFees' | 'fractionalFees' | 'royaltyFees'>

/** Fields that are integers, which JSON of JavaScript can't hold. */
const integers: ReadonlySet<string> = new Set([
  'amount',
  'denominatingTokenId',
  'collectorAccountId',
  'numerator',
  'denominator',
  'minimumAmount',
  'maximumAmount',
])

/** JSON text, integers as text. Fees change rarely and are read as a whole. */
export function packFees({ fixedFees, fractionalFees, royaltyFees }: CustomFees): string {
  return JSON.stringify({ fixedFees, fractionalFees, royaltyFees }, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

export function unpackFees(text: string): CustomFees {
  return JSON.parse(text, (name, value: unknown) =>
    typeof value === 'string' && integers.has(name) ? BigInt(value) : value,
  ) as CustomFees
}

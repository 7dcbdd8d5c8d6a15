import { nanosPerSecond } from '#src/domain/ledger-time.ts'

interface Expiring {
  /** ns */
  readonly expirationTimestamp: bigint | null
  /** ns */
  readonly createdTimestamp: bigint | null
  /** Seconds. */
  readonly autoRenewPeriod: bigint | null
}

/** When an entity expires (ns): as it says, else a period after its creation; null when neither is known. */
export function expiryOf({ expirationTimestamp, createdTimestamp, autoRenewPeriod }: Expiring): bigint | null {
  if (expirationTimestamp !== null || createdTimestamp === null || autoRenewPeriod === null) return expirationTimestamp
  return createdTimestamp + autoRenewPeriod * nanosPerSecond
}

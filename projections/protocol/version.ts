/** Key of the one row that says which version of the ledger's API the last block had. */
export const protocolKey = 0

/** A version of the ledger's API as one number that orders like it. */
export function apiVersion(major: number, minor: number, patch = 0): number {
  return (major * 1_000 + minor) * 1_000 + patch
}

/** A version of something that changes. Times are ns. */
export interface Version {
  /** Inclusive. */
  readonly from: bigint
  /** Exclusive; null while it is in force. */
  readonly until: bigint | null
}

/**
 * The version that was in force at a time, as it was then known: without an end. State moves on while a request runs, so
 * the newest version may be of later, and then the one before it is asked for.
 */
export async function versionAt<R extends Version>(
  newest: R | undefined,
  time: bigint,
  earlier: (newest: R) => Promise<readonly R[]>,
): Promise<R | undefined> {
  if (newest === undefined) return undefined
  return inForce(newest.from <= time ? newest : (await earlier(newest))[0], time)
}

/** The same of many, in their order. Nearly always all of them are of before the time, and nothing is waited for. */
export async function versionsAt<R extends Version>(
  newest: readonly (R | undefined)[],
  time: bigint,
  earlier: (newest: R) => Promise<readonly R[]>,
): Promise<(R | undefined)[]> {
  if (newest.some((row) => row !== undefined && row.from > time))
    return Promise.all(newest.map((row) => versionAt(row, time, earlier)))
  return newest.map((row) => inForce(row, time))
}

function inForce<R extends Version>(version: R | undefined, time: bigint): R | undefined {
  if (version === undefined || (version.until !== null && version.until <= time)) return undefined
  return version.until === null ? version : { ...version, until: null }
}

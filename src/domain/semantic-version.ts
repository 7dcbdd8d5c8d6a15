export interface SemanticVersion {
  readonly major: number
  readonly minor: number
  readonly patch: number
}

/** `0.79.0` */
export function versionText({ major, minor, patch }: SemanticVersion): string {
  return `${major}.${minor}.${patch}`
}

/** Undefined where the text is none of a version. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text)
  if (!match) return undefined
  const [major, minor, patch] = match.slice(1).map(Number) as [number, number, number]
  return { major, minor, patch }
}

/** Negative, 0 or positive: the order of two versions. */
export function compareVersions(one: SemanticVersion, other: SemanticVersion): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch
}

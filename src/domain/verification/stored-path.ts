import { createHash } from 'node:crypto'

/** What a part of a path may not hold where files are named: separators, control characters, and what Windows refuses. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const refused = /[\u0000-\u001f\u007f<>:"|?*]/g
const partMax = 200

/** A path below any folder, for the label that a compiler knows a source by: no way up, none from the root. */
function storedPath(label: string): string {
  const parts = label
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => part.replace(refused, '_').slice(0, partMax))
  return parts.length === 0 ? '_' : parts.join('/')
}

/** The path of each label, all different: of labels that would share one, the later ones have a digest before theirs. */
export function storedPaths(labels: Iterable<string>): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  const taken = new Set<string>()
  for (const label of labels) {
    let path = storedPath(label)
    if (taken.has(path)) path = `${createHash('sha256').update(label).digest('hex').slice(0, 16)}/${path}`
    taken.add(path)
    paths.set(label, path)
  }
  return paths
}

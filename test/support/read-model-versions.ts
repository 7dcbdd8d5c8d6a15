import { keptProjections } from '#projections/index.ts'

const versions = new Map(keptProjections.map(({ schema: { name, version } }) => [name, version]))
const placeholder = new RegExp(`\\b(${[...versions.keys()].join('|')})\\b|(\\bv|@|--version |version=")N\\b`, 'g')

/** The version of a read model that the code has. */
export function versionOf(name: string): number {
  const version = versions.get(name)
  if (version === undefined) throw new Error(`there is no read model ${name}`)
  return version
}

/** How the plan calls an instance of it. */
export function instanceId(name: string, build = 1): string {
  return build === 1 ? `${versionOf(name)}` : `${versionOf(name)}.${build}`
}

/** With the version of the read model that is named before it for the N of `vN`, `@N`, `--version N` and `version="N`. */
export function versioned(text: string): string
export function versioned(pattern: RegExp): RegExp
export function versioned(expected: string | RegExp): string | RegExp {
  if (typeof expected !== 'string') return new RegExp(versioned(expected.source), expected.flags)
  let named = ''
  return expected.replace(placeholder, (found, name: string | undefined, before: string) => {
    named = name ?? named
    return name === undefined ? `${before}${versionOf(named)}` : found
  })
}

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

interface LockedPackage {
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>
}
const locked = Object.entries(packages).filter(([path]) => path !== '')

/** Where a package that asks for another would find it, as Node looks. */
function placesFor(path: string, name: string): string[] {
  const folders = path.split(/(?=node_modules\/)/)
  const places = [`${path}/node_modules/${name}`]
  for (let depth = folders.length - 1; depth >= 0; depth--)
    places.push(`${folders.slice(0, depth).join('')}node_modules/${name}`)
  return places
}

describe('the lock file', () => {
  it('names what every package asks for, of all platforms, so that npm ci takes it', () => {
    const missing = locked.flatMap(([path, { dependencies = {}, optionalDependencies = {} }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !placesFor(path, name).some((place) => packages[place] !== undefined))
        .map((name) => `${path} asks for ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('has the hash of every package, and the address of no registry', () => {
    expect(locked.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })
})

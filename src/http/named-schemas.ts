import { isDeepStrictEqual } from 'node:util'

type Json = Readonly<Record<string, unknown>>

/**
 * Moves every schema that has a title into the components of an OpenAPI document, under its title, and refers to it from
 * where it stood: what clients are generated from has types with names.
 */
export function nameSchemas<D extends object>(document: D): D {
  const named: Record<string, unknown> = {}
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const walked = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)]))
    return isNamed(walked) ? refer(named, walked) : walked
  }
  const { paths, components, ...rest } = document as D & { readonly paths: Json; readonly components?: Json }
  const walkedPaths = walk(paths)
  const schemas = Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
  // The same kind of document: parts of it have moved to where references find them.
  return { ...rest, components: { ...components, schemas }, paths: walkedPaths } as unknown as D
}

function isNamed(value: Json): value is Json & { readonly title: string } {
  return typeof value['title'] === 'string' && typeof value['type'] === 'string'
}

function refer(named: Record<string, unknown>, schema: Json & { readonly title: string }): Json {
  const { title, ...definition } = schema
  const known = named[title]
  if (known !== undefined && !isDeepStrictEqual(known, definition)) throw new Error(`two schemas are called ${title}`)
  named[title] = definition
  return { $ref: `#/components/schemas/${title}` }
}

export const text = { type: 'string' } as const
export const nullableText = { ...text, nullable: true } as const
export const int64 = { type: 'integer', format: 'int64' } as const
export const key = { type: 'object', nullable: true, properties: { _type: text, key: text } } as const

interface ObjectOptions {
  /** Name of its type, where clients are generated: in the singular, in capitals. */
  readonly title?: string
  /** Properties that may be left out; all others are always there. */
  readonly optional?: readonly string[]
  readonly description?: string
}

/** JSON schema of an object in an answer, for the documentation. */
export function objectSchema<P extends object>(properties: P, { optional = [], ...options }: ObjectOptions = {}) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', ...options, ...(required.length > 0 && { required }), properties } as const
}

/** Of what holds since a time, up to now. */
export function sinceSchema(description: string) {
  return objectSchema({ from: { ...text, description }, to: { ...text, nullable: true } })
}

export const linksSchema = objectSchema(
  { next: { type: 'string', nullable: true, description: 'Address of the next page; null on the last one' } },
  { title: 'Links' },
)

/** JSON schema of a list in the body of a request. */
export function listSchema(items: object, maxItems: number) {
  return { type: 'array', nullable: true, maxItems, items } as const
}

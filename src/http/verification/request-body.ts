import { MalformedRequest, type SchemaMistake } from '#src/http/verification/errors.ts'

/** A field of a body: whether it has to be there, and of which type. */
export interface BodyField {
  readonly type: 'string' | 'object' | 'array' | 'integer' | 'boolean'
  readonly required?: boolean
  /** Old names of the same field, taken where it is not there. */
  readonly aliases?: readonly string[]
}

/** The same for the documentation. */
export function bodySchema(fields: Readonly<Record<string, BodyField>>): object {
  const required = Object.keys(fields).filter((name) => fields[name]?.required)
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, { type }]))
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

export type Body = Readonly<Record<string, unknown>>

/** Reads the fields of a body; all that is wrong is told at once. Fields that nobody knows are passed over. */
export function readBody<const F extends Readonly<Record<string, BodyField>>>(
  given: unknown,
  fields: F,
): { readonly [N in keyof F]: unknown } {
  const body: unknown = given ?? {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw mistaken([{ path: '/body', message: 'must be object', errorCode: 'type.openapi.validation' }])
  const values = new Map(Object.entries(fields).map(([name, field]) => [name, givenOf(body as Body, name, field)]))
  const missing = Object.entries(fields).flatMap(([name, { required }]): SchemaMistake[] => {
    if (!required || values.get(name) !== undefined) return []
    const message = `must have required property '${name}'`
    return [{ path: `/body/${name}`, message, errorCode: 'required.openapi.validation' }]
  })
  const wrong = Object.entries(fields).flatMap(([name, { type }]): SchemaMistake[] => {
    const value = values.get(name)
    if (value === undefined || isOf(type, value)) return []
    return [{ path: `/body/${name}`, message: `must be ${type}`, errorCode: 'type.openapi.validation' }]
  })
  if (missing.length + wrong.length > 0) throw mistaken([...missing, ...wrong])
  return Object.fromEntries(values) as { readonly [N in keyof F]: unknown }
}

function givenOf(body: Body, name: string, { aliases = [] }: BodyField): unknown {
  const known = [name, ...aliases].find((each) => Object.hasOwn(body, each))
  return known === undefined ? undefined : body[known]
}

function isOf(type: BodyField['type'], value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  return type === 'object'
    ? typeof value === 'object' && value !== null && !Array.isArray(value)
    : typeof value === type
}

/** A field that is missing is said of what it is missing from. */
function mistaken(mistakes: readonly SchemaMistake[]): MalformedRequest {
  const texts = mistakes.map(({ path, message, errorCode }) => {
    const at = errorCode === 'required.openapi.validation' ? path.slice(0, path.lastIndexOf('/')) : path
    return `request${at} ${message}`
  })
  return new MalformedRequest(400, texts.join(', '), mistakes)
}

/** Whatever stands behind the question mark has to be known. */
export function readQuery(url: string, known: readonly string[]): URLSearchParams {
  const mark = url.indexOf('?')
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name))
  if (unknown.length === 0) return query
  const mistakes = unknown.map((name) => ({ path: `/query/${name}`, message: `Unknown query parameter '${name}'` }))
  throw new MalformedRequest(400, mistakes.map(({ message }) => message).join(', '), mistakes)
}

/** The little of an OpenAPI document that is compared. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Operation {
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly content: object } | Reference
  readonly responses: Readonly<Record<string, Response | Reference>>
}

interface Parameter {
  readonly name: string
  readonly in: string
}

interface Reference {
  readonly $ref: string
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

const methods = ['get', 'post', 'put', 'delete'] as const

/** `GET /api/v1/tokens/{}`: names of path parameters are free, as long as there are as many. */
export function operationsOf({ paths }: OpenApi): Map<string, Operation> {
  const found = new Map<string, Operation>()
  for (const [path, operations] of Object.entries(paths))
    for (const method of methods) {
      const operation = operations[method]
      if (operation) found.set(`${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`, operation)
    }
  return found
}

/** What parameters, bodies and answers of an operation are called, each with its kind. */
export function namesOf(operation: Operation, document: OpenApi): Set<string> {
  const names = new Set<string>()
  for (const each of operation.parameters ?? []) {
    const parameter = resolve<Parameter>(each, document)
    if (parameter.in === 'query') names.add(`parameter ${parameter.name}`)
  }
  if (operation.requestBody) {
    const { content } = resolve<{ content: object }>(operation.requestBody, document)
    for (const type of Object.keys(content)) names.add(`body ${type}`)
  }
  const { content = {} } = resolve<Response>(operation.responses['200'] ?? {}, document)
  for (const [type, { schema }] of Object.entries(content))
    if (type === 'application/json') addFields(schema, '', { names, document, open: new Set() })
  return names
}

interface Walk {
  readonly names: Set<string>
  readonly document: OpenApi
  /** References that are being followed: a type may contain itself. */
  readonly open: ReadonlySet<string>
}

function addFields(schema: Schema, prefix: string, { names, document, open }: Walk): void {
  const { $ref } = schema
  if ($ref !== undefined) {
    if (open.has($ref)) return
    addFields(resolve<Schema>(schema, document), prefix, { names, document, open: new Set([...open, $ref]) })
    return
  }
  const walk = { names, document, open }
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    addFields(part, prefix, walk)
  if (schema.items) addFields(schema.items, `${prefix}[]`, walk)
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    names.add(`field ${path}`)
    addFields(property, path, walk)
  }
}

function resolve<T>(value: object, document: OpenApi): T {
  const { $ref } = value as Partial<Reference>
  if ($ref === undefined) return value as T
  const [, , section = '', name = ''] = $ref.split('/')
  const found = document.components[section]?.[name]
  if (found === undefined) throw new Error(`${$ref} is not there`)
  return resolve(found as object, document)
}

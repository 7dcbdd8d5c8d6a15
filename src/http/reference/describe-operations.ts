import { descriptions } from '#src/http/reference/descriptions.ts'
import type { Example, Examples } from '#src/http/reference/examples.ts'

interface Content {
  readonly [type: string]: object
}

/** The little of an operation that is added to. */
interface Operation {
  readonly operationId?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Adds to each operation of an OpenAPI document what it answers, in words and by an example. */
export function describeOperations<D extends object>(document: D, examples: Examples): D {
  const { paths } = document as D & { readonly paths: Paths }
  const described = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, describe(operation, path, examples)]),
    ),
  ])
  return { ...document, paths: Object.fromEntries(described) }
}

function describe(operation: Operation, path: string, examples: Examples): Operation {
  const { operationId: id = '', requestBody, responses = {}, parameters } = operation
  const example = examples[id]
  const description = descriptions[id] ?? operation.description
  const told = { ...operation, ...(description !== undefined && { description }) }
  if (example === undefined) return told
  const { sent, status, answer } = example
  const answered = responses[status]
  return {
    ...told,
    ...(parameters && { parameters: withValues(parameters, path, example) }),
    ...(sent !== undefined &&
      requestBody && { requestBody: { ...requestBody, content: withExample(requestBody.content, sent) } }),
    ...(answered?.content && {
      responses: { ...responses, [status]: { ...answered, content: withExample(answered.content, answer) } },
    }),
  }
}

/** Of the first type: others are told in words. */
function withExample(content: Content, example: unknown): Content {
  const [first, ...others] = Object.entries(content)
  if (first === undefined) return content
  return Object.fromEntries([[first[0], { ...first[1], example }], ...others])
}

/** Parameters of the path with the values that the example has. */
function withValues(parameters: readonly Parameter[], path: string, { request }: Example): readonly Parameter[] {
  const values = (request.split('?')[0] ?? '').split('/')
  const names = path.split('/')
  return parameters.map((parameter) => {
    const at = parameter.in === 'path' ? names.indexOf(`{${parameter.name}}`) : -1
    const value = values[at]
    return value === undefined ? parameter : { ...parameter, example: decodeURIComponent(value) }
  })
}

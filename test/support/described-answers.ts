import { Ajv, type ValidateFunction } from 'ajv'
import type { ApiRoute } from '#queries/common/route.ts'
import { addressOf } from '#src/http/api-route.ts'

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })

/** Compares answers with the schemas that describe them: what is missing, of another type, or not described at all. */
export class DescribedAnswers {
  readonly #routes: readonly { readonly form: RegExp; readonly route: ApiRoute }[]
  readonly #validators = new Map<ApiRoute, ValidateFunction>()

  constructor(routes: readonly ApiRoute[]) {
    // What is written out comes before what a parameter stands for.
    const sorted = routes
      .filter(({ method = 'GET', type }) => method === 'GET' && type === undefined)
      .toSorted((a, b) => (a.path.replaceAll(':', '~') < b.path.replaceAll(':', '~') ? -1 : 1))
    this.#routes = sorted.map((route) => ({
      form: new RegExp(`^${addressOf(route).replace(/:\w+/g, '[^/]+')}/?$`),
      route,
    }))
  }

  /** Of a successful answer to an address; none for one in plain text. */
  problemsOf(url: string, body: string): string[] {
    if (!body.startsWith('{')) return []
    const path = url.split('?')[0] ?? ''
    const found = this.#routes.find(({ form }) => form.test(path))
    if (found === undefined) throw new Error(`no route describes ${path}`)
    const validate = this.#validatorOf(found.route)
    if (validate(JSON.parse(body))) return []
    return [
      ...new Set(
        validate.errors?.map(({ instancePath, message, params }) => {
          return `${found.route.path} ${instancePath.replace(/\/\d+/g, '/n')} ${message} ${JSON.stringify(params)}`
        }),
      ),
    ]
  }

  #validatorOf(route: ApiRoute): ValidateFunction {
    const known = this.#validators.get(route)
    if (known !== undefined) return known
    const validate = ajv.compile(closed(route.body) as object)
    this.#validators.set(route, validate)
    return validate
  }
}

/** The schema, but that objects have no other properties than it describes. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return 'properties' in members ? { additionalProperties: false, ...members } : members
}

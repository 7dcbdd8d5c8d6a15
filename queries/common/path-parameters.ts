import type { ValueSchema } from '#queries/common/parameters.ts'
import { Refusal } from '#queries/common/parameters.ts'
import type { QuerySettings } from '#queries/common/settings.ts'

/** One parameter of a path, by the name that the path and errors give it. */
export interface PathParameter<T> {
  readonly description: string
  readonly schema: ValueSchema
  /** What errors call it, where established clients know another name than the path's. */
  readonly named?: string
  /** true: where it is invalid, those behind it are not looked at. */
  readonly isToldAlone?: boolean
  /** The typed value; undefined when it is invalid, a refusal where a rule gives the text. */
  readonly parse: (text: string, settings: QuerySettings) => T | Refusal | undefined
}

export type PathParameters = Readonly<Record<string, PathParameter<unknown>>>

export type PathValues<A extends PathParameters> = {
  readonly [N in keyof A]: A[N] extends PathParameter<infer T> ? T : never
}

export interface ReadPath {
  readonly values: Readonly<Record<string, unknown>>
  /** Names of the values that have not the form they must have. */
  readonly invalid: readonly string[]
  /** What a rule says of values that have the form. */
  readonly refused: readonly string[]
}

/** Reads the decoded parameters of a path; which of the errors it reports is the dialect's business. */
export function readPath(
  parameters: PathParameters,
  texts: Readonly<Record<string, string>>,
  settings: QuerySettings,
): ReadPath {
  const values: Record<string, unknown> = {}
  const invalid: string[] = []
  const refused: string[] = []
  for (const name in parameters) {
    const { parse, named = name, isToldAlone } = parameters[name]!
    const value = parse(texts[name] ?? '', settings)
    if (value instanceof Refusal) refused.push(value.message)
    else if (value === undefined) invalid.push(named)
    else values[name] = value
    if (value === undefined && isToldAlone) break
  }
  return { values, invalid, refused }
}

import { objectSchema } from '#queries/common/object-schema.ts'
import { compile } from '#src/domain/compile.ts'

type Text = string | number | bigint | boolean | null

/**
 * A member of an object in answers: its JSON schema, for the documentation, and what of the shown stands there, as JSON text or as
 * a value that has one. An optional one, never the first, is left out where it is undefined.
 */
type Member<T> =
  | readonly [schema: object, text: (shown: T) => Text]
  | readonly [schema: object, text: (shown: T) => Text | undefined, presence: 'optional']

type Members<T> = Readonly<Record<string, Member<T>>>

export interface ShownObject<T> {
  readonly schema: object & { readonly title?: string }
  /** JSON text of the object. */
  readonly render: (shown: T) => string
}

/** An object in answers, from the list of its members: what is described is what is answered, in this order. */
export function defineObject<T>(
  members: Members<T>,
  options: { readonly title?: string; readonly description?: string } = {},
): ShownObject<T> {
  const all = Object.entries(members)
  const optional = all.flatMap(([name, [, , presence]]) => (presence === 'optional' ? [name] : []))
  const parts = all.map(([name], index) => {
    const head = JSON.stringify(`${index === 0 ? '{' : ','}"${name}":`)
    const text = `text${index}(shown)`
    return optional.includes(name) ? `((value = ${text}) === undefined ? '' : ${head} + value)` : `${head} + ${text}`
  })
  // A loop over them takes a sixth more of what a row costs.
  const texts = Object.fromEntries(all.map(([, [, text]], index) => [`text${index}`, text]))
  return {
    schema: objectSchema(Object.fromEntries(all.map(([name, [schema]]) => [name, schema])), { ...options, optional }),
    render: compile(`let value; return (shown) => ${parts.join(' + ')} + '}'`, texts),
  }
}

/** Members that several objects have. */
export function membersOf<T>(members: Members<T>): Members<T> {
  return members
}

import { objectSchema } from '#queries/common/object-schema.ts'
import { compile } from '#src/domain/compile.ts'

/** A member of an object in answers: its JSON schema, for the documentation, and what of the shown stands there, as JSON text or as a value that has one. */
type Member<T> = readonly [schema: object, text: (shown: T) => string | number | bigint | boolean | null]

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
  const parts = all.map(
    ([name], index) => `${JSON.stringify(`${index === 0 ? '{' : ','}"${name}":`)} + text${index}(shown)`,
  )
  // A loop over them takes a sixth more of what a row costs.
  const texts = Object.fromEntries(all.map(([, [, text]], index) => [`text${index}`, text]))
  return {
    schema: objectSchema(Object.fromEntries(all.map(([name, [schema]]) => [name, schema])), options),
    render: compile(`return (shown) => ${parts.join(' + ')} + '}'`, texts),
  }
}

/** Members that several objects have. */
export function membersOf<T>(members: Members<T>): Members<T> {
  return members
}

import { compile } from '#src/domain/compile.ts'
import type { AnyHandler } from '#src/runtime/fold/projection.ts'

const views = new WeakMap<AnyHandler, (event: object) => object>()

/**
 * What a handler sees of an event: the fields it declared, whatever its neighbours read of the same event. Each is looked up when
 * the handler asks, since most pass nearly all events over after a look or two, and what is not asked for is not decoded. The
 * view is one object for all events, good for one call: a spread of it, and what is taken from it, is the handler's own. Built as
 * source text, since looking up by name costs more than many a fold; field names come from the event's own schema.
 */
export function viewOf(handler: AnyHandler): (event: object) => object {
  const known = views.get(handler)
  if (known !== undefined) return known
  const getters = (handler.reads as readonly string[]).map((field) => `get ${field}() { return current.${field} }`)
  const source = `
    let current
    const view = { ${getters.join(', ')} }
    return (event) => {
      current = event
      return view
    }`
  const view = compile<(event: object) => object>(source)
  views.set(handler, view)
  return view
}

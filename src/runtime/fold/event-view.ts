import type { AnyHandler } from '#src/runtime/fold/projection.ts'

const views = new WeakMap<AnyHandler, (event: object) => object>()

/**
 * What a handler sees of an event: the fields it declared, whatever its neighbours read of the same event. Built as source
 * text once, since copying by name costs more than many a fold; field names come from the event's own schema.
 */
export function viewOf(handler: AnyHandler): (event: object) => object {
  const known = views.get(handler)
  if (known !== undefined) return known
  const fields = handler.reads as readonly string[]
  const view = new Function('event', `return { ${fields.map((field) => `${field}: event.${field}`).join(', ')} }`) as (
    event: object,
  ) => object
  views.set(handler, view)
  return view
}

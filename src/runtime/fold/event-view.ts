import type { AnyHandler, FoldType } from '#src/runtime/fold/projection.ts'

const views = new WeakMap<AnyHandler, (event: object) => object>()

/**
 * What a handler sees of an event: the fields it declared, whatever its neighbours read of the same event. Built as source
 * text once, since copying by name costs more than many a fold; field names come from the event's own schema.
 */
export function viewOf(type: FoldType, handler: AnyHandler): (event: object) => object {
  const known = views.get(handler)
  if (known !== undefined) return known
  const fields = handler.reads as readonly string[]
  const view = type === 'TransactionRecorded' ? lookupOf(fields) : copyOf(fields)
  views.set(handler, view)
  return view
}

function copyOf(fields: readonly string[]): (event: object) => object {
  const source = `return { ${fields.map((field) => `${field}: event.${field}`).join(', ')} }`
  return new Function('event', source) as (event: object) => object
}

/**
 * Nearly all events are transactions, and most handlers pass nearly all of those over after a look or two: each field is
 * looked up when the handler asks, and not decoded before.
 */
function lookupOf(fields: readonly string[]): (event: object) => object {
  const getters = fields.map((field) => `get ${field}() { return this.#event.${field} }`).join('\n')
  const source = `
    class View {
      #event
      constructor(event) { this.#event = event }
      ${getters}
    }
    return (event) => new View(event)`
  return new Function(source)() as (event: object) => object
}

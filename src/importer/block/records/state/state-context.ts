import type { Fail } from '#src/domain/field-reader.ts'
import { type MapChange, mapChanges } from '#src/importer/block/records/state/state-changes.ts'

/** Makes something of what the network committed for a family of transactions. */
export type StateView<T> = (context: StateContext) => T

/**
 * What the network committed for a transaction and its family: final values only, so whoever reads it goes from the last
 * transaction to the first, and takes back what each of them did. Views of it are made when somebody asks: most transactions
 * tell all by themselves.
 */
export class StateContext {
  readonly fail: Fail
  readonly #items: readonly Buffer[]
  readonly #views = new Map<StateView<unknown>, unknown>()
  #byState: Map<number, MapChange[]> | undefined

  /** Of serialized StateChanges. */
  constructor(items: readonly Buffer[], fail: Fail) {
    this.#items = items
    this.fail = fail
  }

  /** Changes of the entries of a state, in order. */
  changesOf(state: number): readonly MapChange[] {
    this.#byState ??= this.#read()
    return this.#byState.get(state) ?? []
  }

  /** A view, the same one for everybody who asks. */
  view<T>(make: StateView<T>): T {
    const known = this.#views.get(make)
    if (known !== undefined) return known as T
    const made = make(this)
    this.#views.set(make, made)
    return made
  }

  #read(): Map<number, MapChange[]> {
    const byState = new Map<number, MapChange[]>()
    for (const item of this.#items) {
      for (const change of mapChanges(item, this.fail)) {
        const known = byState.get(change.state)
        if (known) known.push(change)
        else byState.set(change.state, [change])
      }
    }
    return byState
  }
}

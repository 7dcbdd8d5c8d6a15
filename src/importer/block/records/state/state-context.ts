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

  /** Of serialized StateChanges. */
  constructor(items: readonly Buffer[], fail: Fail) {
    this.#items = items
    this.fail = fail
  }

  /** Changes of the entries of a state, in order; read anew each time, since a view asks once. */
  changesOf(state: number): MapChange[] {
    return this.#items.flatMap((item) => [...mapChanges(item, this.fail, state)])
  }

  /** A view, the same one for everybody who asks. */
  view<T>(make: StateView<T>): T {
    const known = this.#views.get(make)
    if (known !== undefined) return known as T
    const made = make(this)
    this.#views.set(make, made)
    return made
  }
}

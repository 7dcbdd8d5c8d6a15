import type { ListContext, ListSource, ListTerm } from '#queries/common/lists/list-runs.ts'
import {
  type CommonSearch,
  findEntries,
  findTerms,
  intersectLists,
  type ListEntry,
  type ListSearch,
  mergeLists,
} from '#queries/common/lists/list-search.ts'
import { type Checkpoint, type ListName, type ProjectionSchema, plainRows, type Rows } from '#src/ports/read-store.ts'
import { type ListShape, listShape } from '#src/runtime/lists/levels.ts'

/** Of a request, what concerns one of the read models that it reads. */
interface ModelContext<M extends string> extends Pick<ListContext, 'checkpoint' | 'pause'> {
  readonly rows: { readonly [N in M]: object }
  /** Where each read model stands. */
  readonly checkpoints: { readonly [N in M]: Checkpoint }
}

/** A list by its name in the schema of its read model. */
export function listOf<const S extends ProjectionSchema>({ name: model, lists }: S, name: ListName<S>) {
  return new ModelList<S['name']>(model, name, listShape(lists![name]!))
}

/** A list of a read model, searched for requests: `list-search.ts` says how. */
class ModelList<M extends string> implements ListSource {
  readonly name: string
  readonly shape: ListShape
  readonly #model: M

  constructor(model: M, name: string, shape: ListShape) {
    this.#model = model
    this.name = name
    this.shape = shape
  }

  entries(context: ModelContext<M>, term: ListTerm): Promise<ListEntry[]> {
    return findEntries(this.#contextOf(context), this, term)
  }

  terms(context: ModelContext<M>, kind: number, lower: bigint, upper: bigint): AsyncGenerator<bigint[]> {
    return findTerms(this.#contextOf(context), this, kind, lower, upper)
  }

  merge(context: ModelContext<M>, search: Omit<ListSearch, 'list'>): AsyncGenerator<ListEntry[]> {
    return mergeLists(this.#contextOf(context), { ...search, list: this })
  }

  intersect(context: ModelContext<M>, search: Omit<CommonSearch, 'list'>): AsyncGenerator<ListEntry[]> {
    return intersectLists(this.#contextOf(context), { ...search, list: this })
  }

  /**
   * Runs as they are where the read model itself stands, entries up to the instant of all read models. Runs of an instant far behind
   * would be merged away.
   */
  #contextOf({ rows, checkpoint, checkpoints, pause }: ModelContext<M>): ListContext {
    const { position } = checkpoints[this.#model]
    const own = plainRows(rows[this.#model] as Rows<ProjectionSchema>)
    return { rows: own, checkpoint: { position, time: checkpoint.time }, pause }
  }
}

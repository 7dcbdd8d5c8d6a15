import type { ListContext, ListSource } from '#queries/common/lists/list-runs.ts'
import { type Checkpoint, type ListName, type ProjectionSchema, plainRows, type Rows } from '#src/ports/read-store.ts'
import { listShape } from '#src/runtime/lists/levels.ts'

/** A list, and the read model that has it. */
export interface ListOf<M extends string> extends ListSource {
  readonly model: M
}

/** Of a request, what concerns one of the read models that it reads. */
interface ModelContext<M extends string> extends Pick<ListContext, 'checkpoint' | 'pause'> {
  readonly rows: { readonly [N in M]: object }
  /** Where each read model stands. */
  readonly checkpoints: { readonly [N in M]: Checkpoint }
}

/** A list by its name in the schema of its read model. */
export function listOf<const S extends ProjectionSchema>(
  { name: model, lists }: S,
  name: ListName<S>,
): ListOf<S['name']> {
  return { model, name, shape: listShape(lists![name]!) }
}

/**
 * The context of a request as searches of a list take it: runs as they are where the read model itself stands, entries up to the
 * bound of all read models. Runs of a bound far behind would be merged away.
 */
export function listContext<M extends string>(
  { rows, checkpoint, checkpoints, pause }: ModelContext<M>,
  { model }: ListOf<M>,
): ListContext {
  const { position } = checkpoints[model]
  return {
    rows: plainRows(rows[model] as Rows<ProjectionSchema>),
    checkpoint: { position, time: checkpoint.time },
    pause,
  }
}

import type { ProjectionWriter, ReadStore } from '#src/ports/read-store.ts'

/** What was loaded for folds: how often, and how often at once with something else. */
export interface LoadCounts {
  loads: number
  /** Times that a fold waited, whatever was loaded together. */
  waits: number
}

/** The store as one over a network is: no row is read at once. Counts what is loaded. */
export function distantStore(store: ReadStore): { readonly store: ReadStore; readonly counts: LoadCounts } {
  const counts = { loads: 0, waits: 0 }
  const far: ReadStore = {
    openWriter: async (schema) => distantWriter(await store.openWriter(schema), counts),
    openReader: (schema, options) => store.openReader(schema, options),
    remove: (schema) => store.remove(schema),
    close: () => store.close(),
  }
  return { store: far, counts }
}

function distantWriter(writer: ProjectionWriter, counts: LoadCounts): ProjectionWriter {
  let underway = 0
  return {
    checkpoint: writer.checkpoint,
    epoch: writer.epoch,
    load: async (collection, keys) => {
      counts.loads += 1
      if (underway++ === 0) counts.waits += 1
      // Whoever reads several collections at once has asked for all of them by then.
      await Promise.resolve()
      underway -= 1
      return writer.load(collection, keys)
    },
    commit: (batch) => writer.commit(batch),
    begin: (from) => writer.begin(from),
    unpark: (sequences) => writer.unpark(sequences),
    close: () => writer.close(),
  }
}

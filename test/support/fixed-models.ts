import { allProjections } from '#projections/index.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import type { Instant } from '#src/runtime/serve/instant.ts'
import { ServingModels } from '#src/runtime/serve/model-set.ts'
import { ServedModel } from '#src/runtime/serve/served-model.ts'
import type { ModelSource } from '#src/runtime/serve/served-models.ts'

/** Read models that nobody ever promotes: the newest version of each, as these readers see it, unless other versions are named; as of the instant where one is given. */
export function fixedModels(
  readers: Readonly<Record<string, RowReader>>,
  versions: Readonly<Record<string, number>> = {},
  instant?: Instant,
): ModelSource {
  const byName = new Map(
    Object.entries(readers).map(([name, reader]) => {
      const newest = allProjections.find(({ schema }) => schema.name === name)
      const version = versions[name] ?? newest?.schema.version ?? 1
      return [name, new ServedModel({ name, id: String(version), version, build: 1, generation: 1, reader })]
    }),
  )
  const models = new ServingModels(byName, instant)
  return {
    use: async (choices, work) => {
      const set = models.choose(choices)
      if (set === undefined) throw new LedgerError('unavailable', 'this test has no read models of these versions')
      set.enter()
      try {
        return await work(set)
      } finally {
        set.leave()
      }
    },
  }
}

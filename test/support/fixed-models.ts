import { LedgerError } from '#src/domain/errors.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import type { Instant } from '#src/runtime/serve/instant.ts'
import { ServingModels } from '#src/runtime/serve/model-set.ts'
import { ServedModel } from '#src/runtime/serve/served-model.ts'
import type { ModelSource } from '#src/runtime/serve/served-models.ts'

/** For `fixedModels`. */
export function versionsByName(projections: readonly AnyProjection[]): Readonly<Record<string, number>> {
  return Object.fromEntries(projections.map(({ schema: { name, version } }) => [name, version]))
}

/** Read models that nobody ever promotes, as these readers see them: version 1 of each that no other is named of; as of the instant where one is given. */
export function fixedModels(
  readers: Readonly<Record<string, RowReader>>,
  versions: Readonly<Record<string, number>> = {},
  instant?: Instant,
): ModelSource {
  const byName = new Map(
    Object.entries(readers).map(([name, reader]) => {
      const version = versions[name] ?? 1
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

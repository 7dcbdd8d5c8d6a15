import type { RowReader } from '#src/ports/read-store.ts'
import { ServedModel } from '#src/runtime/serve/served-model.ts'
import type { ModelSource } from '#src/runtime/serve/served-models.ts'

/** Read models that nobody ever promotes: version 1 of each, as these readers see it. */
export function fixedModels(readers: Readonly<Record<string, RowReader>>): ModelSource {
  const models = new Map(
    Object.entries(readers).map(([name, reader]) => {
      return [name, new ServedModel({ name, id: '1', version: 1, build: 1, generation: 1, reader })]
    }),
  )
  return {
    use: (name, work) => {
      const model = models.get(name)
      if (model === undefined) throw new Error(`there is no read model ${name} in this test`)
      return model.use(work)
    },
  }
}

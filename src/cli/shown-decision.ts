import { pageSlot, statusSchema } from '#projections/status/schema.ts'
import type { Stores } from '#src/cli/engines.ts'
import { schemaOfInstance, servingInstance } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import type { SeenDecision } from '#src/ports/decision-store.ts'
import { type RowReader, typedRows } from '#src/ports/read-store.ts'
import type { ServedModels } from '#src/runtime/serve/served-models.ts'

const { name, version } = statusSchema
const headFields = ['position', 'headStream', 'headRevision', 'headDigest'] as const

/** The decision that rows of the status page were made from last. */
async function headOf(reader: Pick<RowReader, 'get' | 'find'>): Promise<SeenDecision | undefined> {
  const [page] = await typedRows<typeof statusSchema>(reader).get('pages', [[pageSlot]], headFields)
  if (page === undefined) return undefined
  const { position, headStream: stream, headRevision: revision, headDigest: digest } = page
  if (stream === null || revision === null || digest === null) return undefined
  return { position: Number(position), stream, revision, digest }
}

/** The same of the read model that this process answers from; undefined while there is none. */
export async function servedDecision(models: Pick<ServedModels, 'serving'>): Promise<SeenDecision | undefined> {
  const model = models.serving.find((each) => each.name === name && each.version === version)
  return model?.use(() => headOf(model.reader))
}

/** The same of the one that the plan says, for who serves nothing. */
export async function plannedDecision({ readStore, controlStore }: Stores): Promise<SeenDecision | undefined> {
  const instance = servingInstance(await readPlan(controlStore), name)
  if (instance === undefined || instance.version !== version) return undefined
  const reader = await readStore.openReader(schemaOfInstance(statusSchema, instance))
  try {
    return await headOf(reader)
  } finally {
    await reader.close()
  }
}

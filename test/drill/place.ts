import { allProjections } from '#projections/index.ts'
import { outputNames } from '#src/events/event-types.ts'
import { importStateSchema } from '#src/importer/state/state-schema.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { type AnyProjection, projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { digestLog, digestRows } from '#test/support/digest.ts'
import { type OpenPlace, type Place, withPlace } from '#test/support/place.ts'

/** Name of the network that every drill imports. */
export const drillNetwork = 'drill'

export interface PlaceDigest {
  readonly head: object
  readonly log: string
  /** Checkpoint and digests of every read model and of the importer's state. */
  readonly rows: Readonly<Record<string, object>>
  /** Head and digest of what each read model publishes. */
  readonly outputs: Readonly<Record<string, object>>
}

/** Where a read model keeps the rows of one of its builds. */
const schemaOf = (projection: AnyProjection, build: number): ProjectionSchema =>
  projectionOfInstance(projection, { build }).schema

/** What two places have in common when they hold the same facts, on whatever engines and in whatever build of the rows. */
export function digestPlace(place: Place, build = 1): Promise<PlaceDigest> {
  return withPlace(place, async ({ log, readStore, openOutput }) => {
    const head = await log.head()
    const rows: Record<string, object> = {}
    const schemas = allProjections.map((projection) => schemaOf(projection, build))
    for (const schema of [...schemas, importStateSchema]) {
      const reader = await readStore.openReader(schema)
      rows[schema.name] = { checkpoint: await reader.checkpoint(), ...(await digestRows(reader, schema)) }
      await reader.close()
    }
    const outputs: Record<string, object> = {}
    for (const name of outputNames) {
      const output = await openOutput(name, 'read')
      const newest = await output.head()
      outputs[name] = { head: newest, events: await digestLog(output, newest.sequence) }
      await output.close()
    }
    return { head, log: await digestLog(log, head.sequence), rows, outputs }
  })
}

/** How many events each read model has published. */
export async function publishedIn({ openOutput }: OpenPlace): Promise<readonly number[]> {
  const counts: number[] = []
  for (const name of outputNames) {
    const output = await openOutput(name, 'read')
    counts.push((await output.head()).sequence)
    await output.close()
  }
  return counts
}

/** Positions of the log's head and of every read model; undefined where nothing was built yet. */
export async function positionsIn({ log, readStore }: OpenPlace, build = 1): Promise<readonly (number | undefined)[]> {
  const positions: (number | undefined)[] = [(await log.head()).sequence]
  for (const projection of allProjections) {
    const reader = await readStore.openReader(schemaOf(projection, build))
    positions.push((await reader.checkpoint())?.position)
    await reader.close()
  }
  return positions
}

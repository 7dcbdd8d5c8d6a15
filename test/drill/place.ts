import { allProjections } from '#projections/index.ts'
import { importStateSchema } from '#src/importer/state-schema.ts'
import { digestLog, digestRows } from '#src/runtime/replay/digest.ts'
import { type OpenPlace, type Place, withPlace } from '#test/support/place.ts'

/** Name of the network that every drill imports. */
export const drillNetwork = 'drill'

export interface PlaceDigest {
  readonly head: object
  readonly log: string
  /** Checkpoint and digests of every read model and of the importer's state. */
  readonly rows: Readonly<Record<string, object>>
}

/** What two places have in common when they hold the same facts, on whatever engines. */
export function digestPlace(place: Place): Promise<PlaceDigest> {
  return withPlace(place, async ({ log, readStore }) => {
    const head = await log.head()
    const rows: Record<string, object> = {}
    for (const schema of [...allProjections.map((projection) => projection.schema), importStateSchema]) {
      const reader = await readStore.openReader(schema)
      rows[schema.name] = { checkpoint: await reader.checkpoint(), ...(await digestRows(reader, schema)) }
      await reader.close()
    }
    return { head, log: await digestLog(log, head.sequence), rows }
  })
}

/** Positions of the log's head and of every read model; undefined where nothing was built yet. */
export async function positionsIn({ log, readStore }: OpenPlace): Promise<readonly (number | undefined)[]> {
  const positions: (number | undefined)[] = [(await log.head()).sequence]
  for (const { schema } of allProjections) {
    const reader = await readStore.openReader(schema)
    positions.push((await reader.checkpoint())?.position)
    await reader.close()
  }
  return positions
}

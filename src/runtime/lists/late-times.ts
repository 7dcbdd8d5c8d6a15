import type { ProjectionSchema, RowReader } from '#src/ports/read-store.ts'
import { latePlaceOf, listShape } from '#src/runtime/lists/levels.ts'
import { recordBytes, recordOffset, viewOf } from '#src/runtime/lists/records.ts'

const pageRows = 64

/**
 * Times of the events of an instance that were folded after their turn: what tells them is what they added to its lists. To
 * fold the log anew with the same events late gives the same rows.
 */
export async function findLateTimes(
  reader: Pick<RowReader, 'find'>,
  { lists = {} }: ProjectionSchema,
): Promise<ReadonlySet<bigint>> {
  const times = new Set<bigint>()
  for (const [name, list] of Object.entries(lists)) {
    const shape = listShape(list)
    for (let bucket = 0; bucket < shape.buckets; bucket += pageRows) {
      const rows = await reader.find({
        collection: `${name}Buckets`,
        index: ['place'],
        lower: { value: BigInt(latePlaceOf(bucket)), inclusive: true },
        upper: { value: BigInt(latePlaceOf(bucket + pageRows)), inclusive: false },
        limit: pageRows,
        select: ['records'],
      })
      for (const row of rows) addTimes(times, row['records'] as Uint8Array, recordBytes(shape))
    }
  }
  return times
}

function addTimes(times: Set<bigint>, records: Uint8Array, size: number): void {
  const view = viewOf(records)
  for (let at = 0; at < records.length; at += size) times.add(view.getBigInt64(at + recordOffset.time))
}

import type { Checkpoint, RowReader } from '#src/ports/read-store.ts'

/** A reader that says it stands somewhere else, and has the rows that it has. */
export function readerStandingAt(
  reader: RowReader,
  standing: (checkpoint: Checkpoint | undefined) => Checkpoint | undefined,
): RowReader {
  return {
    checkpoint: async () => standing(await reader.checkpoint()),
    ...(reader.origin && { origin: reader.origin.bind(reader) }),
    get: reader.get.bind(reader),
    find: reader.find.bind(reader),
    scan: reader.scan.bind(reader),
    parkedCount: reader.parkedCount.bind(reader),
    parked: reader.parked.bind(reader),
    close: reader.close.bind(reader),
  }
}

import { notFound } from '#queries/common/errors.ts'
import { type Range, readOf } from '#queries/common/range.ts'
import type { NetworkFilesContext } from '#queries/network-files/reads.ts'
import { entityIdOf, formatEntityId } from '#src/domain/entity-id.ts'

export interface FoundFile {
  /** Time of the newest part. */
  readonly time: bigint
  readonly contents: Uint8Array
}

/** So many versions are tried before a file counts as not there, as is usual. */
const versionsTried = 12

/** The newest version of a file of the network that lies in a window with all its parts and can be read. Throws `not_found`. */
export async function findFile(number: bigint, window: Range, context: NetworkFilesContext): Promise<FoundFile> {
  const found = await lookForFile(number, window, context)
  if (found !== undefined) return found
  throw noFile(number, context)
}

export function noFile(number: bigint, { settings: { shard, realm } }: NetworkFilesContext) {
  return notFound(`File ${formatEntityId(entityIdOf(shard, realm, number) ?? number)} not found`)
}

/** The same, undefined where there is none. The newest one is read at once: nearly always it can be. */
export async function lookForFile(
  number: bigint,
  window: Range,
  { rows, settings: { shard, realm } }: NetworkFilesContext,
): Promise<FoundFile | undefined> {
  const fileId = entityIdOf(shard, realm, number)
  if (fileId === undefined) return undefined
  const find = <F extends 'contents' | 'readable'>(limit: number, ...select: readonly F[]) =>
    rows['network-files'].find({
      collection: 'versions',
      index: ['fileId', 'time'],
      prefix: [fileId],
      ...readOf(window, 'desc', limit),
      select: ['time', 'begun', ...select],
    })
  const [newest] = await find(1, 'readable', 'contents')
  if (newest === undefined) return undefined
  const readable =
    newest.readable === 1 ? newest : (await find(versionsTried, 'readable')).find((version) => version.readable === 1)
  if (readable === undefined || readable.begun < window.lower) return undefined
  if (readable === newest) return newest.contents ? { time: newest.time, contents: newest.contents } : undefined
  const [version] = await rows['network-files'].get('versions', [[fileId, readable.time]], ['time', 'contents'])
  return version?.contents ? { time: version.time, contents: version.contents } : undefined
}

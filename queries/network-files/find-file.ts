import { notFound } from '#queries/common/errors.ts'
import type { OpenWindow } from '#queries/common/time-window.ts'
import type { NetworkFilesContext } from '#queries/network-files/reads.ts'
import { entityIdOf, formatEntityId } from '#src/domain/entity-id.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

export interface FoundFile {
  /** Time of the newest part. */
  readonly time: bigint
  readonly contents: Uint8Array
}

/** So many versions are tried before a file counts as not there, as is usual. */
const versionsTried = 10

/** The newest version of a file of the network that lies in a window with all its parts and can be read. Throws `not_found`. */
export async function findFile(number: bigint, window: OpenWindow, context: NetworkFilesContext): Promise<FoundFile> {
  const found = await lookForFile(number, window, context)
  if (found !== undefined) return found
  const { shard, realm } = context.settings
  throw notFound(`File ${formatEntityId(entityIdOf(shard, realm, number) ?? number)} not found`)
}

/** The same, undefined where there is none. */
export async function lookForFile(
  number: bigint,
  { lower, upper = maxInt64 }: OpenWindow,
  { rows, settings: { shard, realm } }: NetworkFilesContext,
): Promise<FoundFile | undefined> {
  const fileId = entityIdOf(shard, realm, number)
  if (fileId === undefined) return undefined
  const versions = await rows['network-files'].find({
    collection: 'versions',
    index: ['fileId', 'time'],
    prefix: [fileId],
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    descending: true,
    limit: versionsTried,
    select: ['time', 'begun', 'readable'],
  })
  const readable = versions.find((version) => version.readable === 1)
  if (readable === undefined || readable.begun < lower) return undefined
  const [version] = await rows['network-files'].get('versions', [[fileId, readable.time]], ['time', 'contents'])
  return version?.contents ? { time: version.time, contents: version.contents } : undefined
}

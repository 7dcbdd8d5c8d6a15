import { resolve } from 'node:path'
import { folderExists, openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { openS3Source, type S3SourceOptions } from '#src/adapters/s3/s3-source.ts'
import type { DataFolder } from '#src/cli/data-folder.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { rest } from '#src/ports/clock.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

const requestAttemptsMax = 4

/** The configured source of record files: the simulated network's, a folder, or a bucket. */
export async function openStreamSource(
  config: Config,
  folder: Pick<DataFolder, 'network'>,
  asking?: AskingOptions,
): Promise<StreamSource> {
  const { location } = config.source
  if (location === 'simulated') return openFolderSource({ folder: folder.network })
  return location === 'none' ? noRecordFiles : openLocation(location, config, '--source', asking)
}

/** How a bucket is asked, where that is not as an importer does. */
export type AskingOptions = Partial<Pick<S3SourceOptions, 'attemptsMax' | 'onTime'>>

/** Of a network that has written blocks from its beginning. */
const noRecordFiles: StreamSource = {
  description: 'no source of record files',
  list: async () => [],
  listFolders: async () => [],
  fetch: async () => undefined,
  waitForChange: (milliseconds, signal) => rest(milliseconds, signal),
  close: async () => {},
}

/** A folder or a bucket; `flag` is what it was named with. Rejects with `config_invalid` where there is no such folder. */
export async function openLocation(
  location: string,
  { source }: Pick<Config, 'source'>,
  flag: string,
  asking: AskingOptions = {},
): Promise<StreamSource> {
  const { s3 } = source
  if (!location.startsWith('s3://')) {
    const path = resolve(location)
    if (folderExists(path)) return openFolderSource({ folder: path })
    throw new LedgerError(
      'config_invalid',
      `The source folder ${path} is not there; check the path given with ${flag}`,
      { path },
    )
  }
  return openS3Source({
    bucket: location.slice('s3://'.length).replace(/\/.*$/, ''),
    region: s3.region,
    endpoint: s3.endpoint ?? undefined,
    pathStyle: s3.endpoint !== null && s3.pathStyle,
    credentials:
      s3.accessKey === null || s3.secretKey === null
        ? undefined
        : { accessKeyId: s3.accessKey, secretAccessKey: s3.secretKey },
    billingProject: s3.billingProject ?? undefined,
    requestTimeoutMs: s3.timeoutMs,
    attemptsMax: requestAttemptsMax,
    ...asking,
  })
}

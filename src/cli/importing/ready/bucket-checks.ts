import { bucketBlocks, openBlockBucket } from '#src/cli/importing/block-input.ts'
import { type Check, failedOf, fails, ok, unknown } from '#src/cli/importing/ready/check.ts'
import { hasMoved, nextNumber, type ReadyContext } from '#src/cli/importing/ready/ready-context.ts'
import { findRecordObject, findSomeObject } from '#src/cli/importing/ready/some-object.ts'
import { openStreamSource } from '#src/cli/importing/stream-source.ts'
import { newestRun } from '#src/importer/block-sources/bucket-blocks.ts'
import { importerDefaults } from '#src/importer/settings.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

const recordName = 'record files'
const blockFilesName = 'block files'
const runsMax = 1_000
const askLater = 'ask again when the network writes blocks'

/** A bucket is asked twice at most: who waits for this is a person. */
const attemptsMax = 2

/** Whether record files may be listed and read. */
export async function checkRecordSource(context: ReadyContext): Promise<Check> {
  const { config, folder, found } = context
  try {
    if (hasMoved(context)) return ok(recordName, 'not needed: the log has blocks of the block stream by now')
    if (context.stream === 'blocks') return ok(recordName, 'not needed: blocks alone are read')
    const source = await openStreamSource(config, folder, { attemptsMax, onTime: (time) => found.times.push(time) })
    return await withSource(source, () => readRecords(source, context))
  } catch (error) {
    return failedOf(recordName, error)
  }
}

async function readRecords(source: StreamSource, context: ReadyContext): Promise<Check> {
  const { network, signal } = context
  const object = await findRecordObject(source, context, signal)
  if (object === undefined) {
    const value = `${source.description} can be listed, but holds no record files of the network "${network}"`
    return fails(recordName, value, 'check --source, --network and --source-path-prefix')
  }
  const bytes = await source.fetch(object.path, { bytesMax: importerDefaults.fileBytesMax, signal })
  if (bytes === undefined) return unknown(recordName, `${object.path} is listed, but not there`, 'try again')
  return ok(recordName, `${source.description} lists, and reads ${object.path}`)
}

/** Whether files of blocks may be listed and read, where they are of use. */
export async function checkBlockFiles(context: ReadyContext): Promise<Check> {
  const { config, found } = context
  const { from } = config.blocks
  if (from === 'nodes') return ok(blockFilesName, 'not needed: --blocks-from nodes')
  try {
    const source = await openBlockBucket(context, { attemptsMax, onTime: (time) => found.times.push(time) })
    if (source === undefined) return noBucket(from)
    return await withSource(source, () => readBlocks(source, context))
  } catch (error) {
    return failedOf(blockFilesName, error)
  }
}

function noBucket(from: string): Check {
  if (from === 'auto') return ok(blockFilesName, 'no bucket is named or known: blocks come from block nodes alone')
  return fails(blockFilesName, 'no bucket is named or known', 'name it with --block-source s3://<bucket>')
}

async function readBlocks(source: StreamSource, context: ReadyContext): Promise<Check> {
  const { config, network, signal, found } = context
  const folders = await source.listFolders('', runsMax, signal)
  const folder = config.blocks.folder ?? newestRun(network, folders)
  if (folder === undefined)
    return unknown(
      blockFilesName,
      `${source.description} lists, but holds no blocks of the network "${network}" yet`,
      `${askLater}; until then check --network and --block-folder`,
    )
  const next = nextNumber(context)
  const block = next === undefined ? undefined : await bucketBlocks(source, context).fetch(next, signal)
  if (block) {
    found.bucketReads = true
    found.blocks.push(block)
    return ok(blockFilesName, `${source.description} lists, and has block ${next}, which is next`)
  }
  return readAnyBlock(source, `${folder}/block`, context)
}

/** Most often the next block is not there yet. */
async function readAnyBlock(source: StreamSource, folder: string, context: ReadyContext): Promise<Check> {
  const { config, signal, found } = context
  const next = nextNumber(context)
  const object = await findSomeObject(source, folder, signal)
  if (object === undefined)
    return unknown(blockFilesName, `${source.description} has no block in ${folder} yet`, askLater)
  const bytesMax = config.blocks.blockMaxMiB * 1024 * 1024
  const bytes = await source.fetch(object.path, { bytesMax, signal })
  if (bytes === undefined) return unknown(blockFilesName, `${object.path} is listed, but not there`, 'try again')
  found.bucketReads = true
  const missing = next === undefined ? '' : `; block ${next}, which is next, is not there yet`
  return ok(blockFilesName, `${source.description} lists, and reads ${object.path}${missing}`)
}

async function withSource<T>(source: StreamSource, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } finally {
    await source.close()
  }
}

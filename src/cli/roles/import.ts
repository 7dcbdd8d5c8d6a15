import { resolve } from 'node:path'
import { folderExists, openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { openS3Source } from '#src/adapters/s3/s3-source.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { findAddressBook, noAddressBook } from '#src/cli/address-book.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import type { Config, SidecarType } from '#src/config/schema.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { runImporter } from '#src/importer/importer.ts'
import type { ImporterSettings, ImportProgress } from '#src/importer/settings.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import { createImportMetrics } from '#src/runtime/metrics.ts'
import { retryWhileAway } from '#src/runtime/retry.ts'
import type { ImportStatus } from '#src/runtime/status.ts'

const pathTypes = { auto: 'AUTO', 'account-id': 'ACCOUNT_ID', 'node-id': 'NODE_ID' } as const
const stakeModes = { 'address-book': 'STAKE_IN_ADDRESS_BOOK', stake: 'STAKE', equal: 'EQUAL' } as const
const sidecarNumbers: Readonly<Record<SidecarType, number>> = { 'state-changes': 1, actions: 2, bytecode: 3 }
const requestAttemptsMax = 4
/** First and longest pause before a log or store that is away is asked again. */
const awayRetryMinMs = 100
const awayRetryMaxMs = 5_000

const nothingImported: ImportProgress = {
  blocks: 0,
  transactions: 0,
  bytes: 0,
  latestBlock: undefined,
  latestTime: undefined,
  filesTotal: undefined,
  problem: undefined,
}

/**
 * Verifies, decodes and publishes what the source holds, until the source ends or it is told to stop. Where there is no
 * end, a log or store that is away is waited for: what an importer knows is a fold over the log, so a new one goes on
 * where the last one failed.
 */
export async function importBlocks(context: RoleContext): Promise<void> {
  const { config, logger, registry, report } = context
  const addressBook = findAddressBook(context)
  const source = await openSource(context)
  const stop = AbortSignal.any([context.signal, context.finish])
  const metrics = createImportMetrics(registry, systemClock.now)
  let total: ImportProgress = nothingImported
  const show = (problem?: string): void => {
    report({ kind: 'import', status: { ...statusOf(total), ...(problem === undefined ? {} : { problem }) } })
  }
  const attempt = (): Promise<void> => {
    const { blocks, transactions } = total
    const onProgress = (progress: ImportProgress): void => {
      total = { ...progress, blocks: blocks + progress.blocks, transactions: transactions + progress.transactions }
      metrics.observe(total)
      show()
    }
    return importFrom(source, context, { addressBook, onProgress, signal: stop })
  }
  const retry = {
    signal: stop,
    logger,
    progress: () => total.blocks,
    onAway: (error: LedgerError) => show(error.message),
    retryMinMs: awayRetryMinMs,
    retryMaxMs: awayRetryMaxMs,
  }
  try {
    await (config.once ? attempt() : retryWhileAway(attempt, retry))
  } finally {
    await source.close()
  }
}

interface ImportAttempt {
  readonly addressBook: Uint8Array | undefined
  readonly onProgress: (progress: ImportProgress) => void
  readonly signal: AbortSignal
}

async function importFrom(source: StreamSource, context: RoleContext, options: ImportAttempt): Promise<void> {
  const { config, folder, logger, report } = context
  const { addressBook, onProgress, signal } = options
  const log = openSqliteLog({ folder: folder.log })
  const store = openSqliteReadStore({ folder: folder.store })
  const onOpen = (): void => report({ kind: 'ready', role: 'import' })
  try {
    await runImporter({
      source,
      log: withOpenNotice(log, onOpen),
      store,
      settings: importerSettings(config, folder.marker.network, addressBook),
      logger,
      clock: systemClock,
      signal,
      onProgress,
    })
  } catch (error) {
    throw isLedgerError(error, 'address_book_invalid') && addressBook === undefined
      ? noAddressBook(folder.marker.network, error)
      : error
  } finally {
    await store.close()
    await log.close()
  }
}

function statusOf(progress: ImportProgress): ImportStatus {
  const { blocks, transactions, latestBlock, latestTime, filesTotal, problem } = progress
  return {
    latestBlock,
    consensusEnd: latestTime,
    blocks,
    transactions,
    ...(filesTotal === undefined ? {} : { blocksTotal: filesTotal }),
    ...(problem === undefined ? {} : { problem: problem.message }),
  }
}

/** Says when the right to append is there: what comes after does not fail for reasons of the start. */
function withOpenNotice(log: MessageLog, onOpen: () => void): MessageLog {
  return {
    openWriter: async () => {
      const writer = await log.openWriter()
      onOpen()
      return writer
    },
    read: (options) => log.read(options),
    head: () => log.head(),
    close: () => log.close(),
  }
}

function importerSettings(config: Config, network: string, addressBook: Uint8Array | undefined) {
  const { source } = config
  const settings = config.import
  return {
    network,
    addressBook,
    pathType: pathTypes[source.pathType],
    pathPrefix: source.pathPrefix ?? '',
    once: config.once,
    startTime: source.startDate ?? undefined,
    endTime: source.endDate ?? undefined,
    startBlockNumber: BigInt(settings.startBlockNumber ?? 0),
    consensusRatio: settings.consensusRatio,
    stakeMode: stakeModes[settings.stakeMode],
    signatureChecks: settings.signatureChecks,
    sidecarTypes: new Set(settings.sidecarTypes.map((type) => sidecarNumbers[type])),
    keepRawBytes: settings.keepRawBytes,
    pollIntervalMs: source.pollMs,
  } satisfies Partial<ImporterSettings>
}

async function openSource({ config, folder }: RoleContext): Promise<StreamSource> {
  const { location, s3 } = config.source
  if (location === 'simulated') return openFolderSource({ folder: folder.network })
  if (!location.startsWith('s3://')) {
    const path = resolve(location)
    if (folderExists(path)) return openFolderSource({ folder: path })
    throw new LedgerError(
      'source_unavailable',
      `The source folder ${path} is not there; check the path given with --source`,
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
    requestTimeoutMs: s3.timeoutMs,
    attemptsMax: requestAttemptsMax,
  })
}

import { join } from 'node:path'
import { expect } from 'vitest'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { openDataFolder } from '#src/cli/data-folder.ts'
import { decodeEvent, encodeEvent } from '#src/events/codec.ts'
import { runImporter } from '#src/importer/importer.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { LogRecord, MessageLog } from '#src/ports/message-log.ts'
import { chainOf, importing, type TestDeployment } from '#test/cli/late-mirror.ts'
import { askUntil } from '#test/cli/support.ts'
import { addressBook } from '#test/importer/import-folder.ts'
import type { TestFile } from '#test/support/record-writer.ts'

/** As `--start-date` takes it. */
export const dateOf = (file: TestFile): string =>
  new Date(Number(parseStreamFileName(file.name)!.instant / 1_000_000n)).toISOString()

/** The command that repairs the one gap of the log. */
export async function printedRepair(deployment: TestDeployment, ...flags: readonly string[]): Promise<string> {
  const { code, out, err } = await deployment.run('import', 'detect-gaps', ...flags)
  expect(code, err).toBe(1)
  const repairs = [...out.matchAll(/\n {2}repair: (.*)\n/g)].map(([, line]) => line!)
  expect(repairs, out).toHaveLength(1)
  return repairs[0]!
}

/** Runs the printed repair, and every command that is printed then. */
async function repair(deployment: TestDeployment, line: string, read: () => Promise<unknown>): Promise<void> {
  const republish = deployment.beginPrinted(line)
  const [, rebuild, promote] = await republish.printed(/Next:\n {2}(.*)\n {2}(.*)\n/)
  const before = await read()
  await deployment.runPrinted(rebuild!)
  expect(await read(), 'nothing changes for clients until the promotion').toEqual(before)
  await deployment.runPrinted(promote!)
  expect((await republish.finished).code).toBe(0)
}

/** Serves and projects; resolves to the address of the API. On one thread, since another one may see what is new a moment later. */
async function serve(deployment: TestDeployment): Promise<string> {
  deployment.begin('project')
  const server = deployment.begin('serve', '--port', '0', '--api-threads', '1')
  const [, url] = await server.printed(/^API of network "demo" at (http\S+)\/api\/v1/)
  return url!
}

async function blockNumbers(url: string): Promise<number[]> {
  const response = await fetch(`${url}/api/v1/blocks?order=asc&limit=100`)
  const { blocks } = (await response.json()) as { blocks: { number: number }[] }
  return blocks.map(({ number }) => number)
}

/** Blocks that are missing in the middle are brought by the printed commands, although the start date is set that left them out. */
export async function fillMiddleGap(deployment: TestDeployment): Promise<void> {
  const files = chainOf(7)
  deployment.writeFiles(files)
  await deployment.succeed(...importing, '--once', '--end-date', dateOf(files[1]!))
  await deployment.succeed(...importing, '--once', '--start-date', dateOf(files[4]!))
  const url = await serve(deployment)
  await askUntil<{ blocks: unknown[] }>(`${url}/api/v1/blocks`, ({ blocks }) => blocks.length === 4)
  const status = JSON.parse(await deployment.succeed('import', 'status', '--json'))
  expect(status).toMatchObject({ gaps: 1, gapBlocks: 3, latestBlock: 7 })

  // The start date is still set as it was when it made the gap.
  const line = await printedRepair(deployment, '--source', 'streams', '--start-date', dateOf(files[4]!))
  expect(line).toMatch(/^ledger-history import republish .*--start-date '' --reason 'missing blocks'$/)
  await repair(deployment, line, () => blockNumbers(url))
  await askUntil<{ blocks: unknown[] }>(`${url}/api/v1/blocks`, ({ blocks }) => blocks.length === 7)
  expect(await blockNumbers(url)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(await deployment.succeed('import', 'detect-gaps', '--source', 'streams')).toMatch(/^No gap: 7 blocks/)
  expect(JSON.parse(await deployment.succeed('import', 'status', '--json'))).toMatchObject({ gaps: 0, gapBlocks: 0 })
}

/** As a decoder would have written it that knows nothing of the transaction's kind. */
function crippled(record: LogRecord): LogRecord {
  if (record.type !== 'TransactionRecorded') return record
  const event = decodeEvent({ ...record, type: record.type })
  const unparsed = {
    transaction: event.transactionBytes!,
    record: event.recordBytes!,
    sidecars: [],
    reason: 'unknown fields in the transaction body',
  }
  const less: TransactionRecorded = { ...event, type: 0, cryptoTransfer: null, unparsed }
  const value = encodeEvent('TransactionRecorded', { ...less, transactionBytes: null, recordBytes: null })
  return { ...record, value }
}

/** A log that is written to through a crippled decoder. */
function writtenCrippled(log: MessageLog): MessageLog {
  return {
    head: () => log.head(),
    identity: () => log.identity(),
    read: (options) => log.read(options),
    close: () => log.close(),
    async openWriter() {
      const writer = await log.openWriter()
      return {
        head: writer.head,
        append: (blocks) => writer.append(blocks.map((records) => records.map(crippled))),
        close: () => writer.close(),
      }
    },
  }
}

async function importCrippled(deployment: TestDeployment): Promise<void> {
  const { folder } = deployment
  if (deployment.flags.length === 0) openDataFolder(join(folder, 'data'), 'demo')
  const stores = await deployment.engines.openStores()
  const log = await deployment.engines.openLog(1, 'write')
  const source = openFolderSource({ folder: join(folder, 'streams') })

  try {
    await runImporter({
      source,
      log: writtenCrippled(log),
      store: stores.readStore,
      settings: { network: 'demo', addressBook, once: true, keepRawBytes: true },
      logger: silentLogger,
      clock: systemClock,
    })
  } finally {
    await source.close()
    await log.close()
    await stores.close()
  }
}

/** Transactions that an older release did not understand are found by this one, and written anew by the printed commands. */
export async function fixDecoding(deployment: TestDeployment): Promise<void> {
  deployment.writeFiles(chainOf(3))
  await importCrippled(deployment)
  const url = await serve(deployment)
  const names = async (): Promise<string[]> => {
    const response = await fetch(`${url}/api/v1/transactions?order=asc`)
    const { transactions } = (await response.json()) as { transactions: { name: string }[] }
    return transactions.map(({ name }) => name)
  }
  await askUntil<{ transactions: unknown[] }>(
    `${url}/api/v1/transactions`,
    ({ transactions }) => transactions.length === 3,
  )
  expect(await names()).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN'])

  const line = await printedRepair(deployment, '--source', 'streams')
  expect(line).toMatch(/^ledger-history import republish .*--reason 'decoding fix'$/)
  await repair(deployment, line, names)
  await askUntil<{ transactions: { name: string }[] }>(
    `${url}/api/v1/transactions`,
    ({ transactions }) => transactions[0]?.name === 'CRYPTOTRANSFER',
  )
  expect(await names()).toEqual(['CRYPTOTRANSFER', 'CRYPTOTRANSFER', 'CRYPTOTRANSFER'])
  expect(await deployment.succeed('import', 'detect-gaps', '--source', 'streams')).toMatch(/^No gap: 3 blocks/)
}

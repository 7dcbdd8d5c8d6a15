import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { claimDataFolder, dataFormat, folderOf, openDataFolder, openExistingDataFolder } from '#src/cli/data-folder.ts'
import { loadConfig } from '#src/config/load.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { eventTypes } from '#src/events/event-types.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-data-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** One event of a block is what makes a folder belong to its network. */
async function fillLog(data: string, time = 1n): Promise<void> {
  const log = openSqliteLog({ folder: join(data, 'log') })
  const writer = await log.openWriter()
  await writer.append([[{ type: eventTypes[0], key: '', time, value: Buffer.from('event') }]])
  await log.close()
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    return isLedgerError(error) ? error.code : String(error)
  }
  return undefined
}

describe('data folder', () => {
  it('is created and marked with network and format, and opened again with what it was marked with', () => {
    const data = join(folder, 'new', 'data')
    const opened = openDataFolder(data, 'simulated')
    expect(opened.log).toBe(join(data, 'log'))
    expect(openDataFolder(data, 'simulated')).toEqual(opened)
    expect(JSON.parse(readFileSync(join(data, 'ledger-data.json'), 'utf8'))).toMatchObject({
      format: dataFormat,
      network: 'simulated',
    })
    expect(readdirSync(data)).toEqual(['ledger-data.json'])
  })

  it('of another network is refused by name and left as it was', async () => {
    openDataFolder(folder, 'mainnet')
    await fillLog(folder)
    const before = readFileSync(join(folder, 'ledger-data.json'), 'utf8')
    expect(codeOf(() => openDataFolder(folder, 'testnet'))).toBe('data_folder_other_network')
    expect(() => openExistingDataFolder(folder, 'testnet')).toThrow(
      /belongs to the network "mainnet", not to "testnet".*--data/,
    )
    expect(readFileSync(join(folder, 'ledger-data.json'), 'utf8')).toBe(before)
  })

  it('without any block is marked anew for another network, unless an importer has its log open', async () => {
    expect(openDataFolder(folder, 'mistyped').marker.network).toBe('mistyped')
    const log = openSqliteLog({ folder: join(folder, 'log') })
    await log.openWriter()
    expect(codeOf(() => openDataFolder(folder, 'testnet'))).toBe('data_folder_other_network')
    await log.close()
    expect(openDataFolder(folder, 'testnet').marker.network).toBe('testnet')
    await fillLog(folder, 0n)
    mkdirSync(join(folder, 'store'))
    expect(codeOf(() => openExistingDataFolder(folder, 'mainnet'))).toBe('data_folder_other_network')
    expect(openDataFolder(folder, 'mainnet').marker.network).toBe('mainnet')
    expect(readdirSync(folder)).toEqual(['ledger-data.json'])
  })

  it('with read models whose log was moved away is not taken for an unused one', () => {
    openDataFolder(folder, 'mainnet')
    for (const name of ['log', 'store']) mkdirSync(join(folder, name))
    expect(codeOf(() => openDataFolder(folder, 'testnet'))).toBe('data_folder_other_network')
    expect(readdirSync(folder)).toContain('store')
  })

  it('of a newer version is refused, whatever the network', () => {
    writeFileSync(join(folder, 'ledger-data.json'), JSON.stringify({ format: dataFormat + 1, network: 'mainnet' }))
    expect(codeOf(() => openDataFolder(folder, 'mainnet'))).toBe('data_folder_newer')
    expect(codeOf(() => openExistingDataFolder(folder, null))).toBe('data_folder_newer')
  })

  it('with an unreadable marker is refused instead of marked anew', () => {
    writeFileSync(join(folder, 'ledger-data.json'), '{"format":')
    expect(codeOf(() => openDataFolder(folder, 'mainnet'))).toBe('data_folder_unusable')
  })

  it('that holds other things is refused, named with the next step, and left as it was', () => {
    writeFileSync(join(folder, 'package.json'), '{}')
    expect(() => openDataFolder(folder, 'simulated')).toThrow(
      new RegExp(
        `${folder} is unusable: .*not a data folder and not empty \\(it holds package.json\\); choose .*--data`,
      ),
    )
    expect(codeOf(() => claimDataFolder(folder, 'simulated'))).toBe('data_folder_unusable')
    expect(readdirSync(folder)).toEqual(['package.json'])
  })

  it('that lost its marker, or is the root of a new file system, is marked', () => {
    for (const name of ['log', 'store', 'network', 'lost+found']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'ledger-data.json.77.tmp'), '{"for')
    expect(openDataFolder(folder, 'simulated').marker.network).toBe('simulated')
  })

  it('that one process has claimed is refused to the next, until it is released', async () => {
    const data = join(folder, 'data')
    const first = claimDataFolder(data, 'simulated')
    expect(() => claimDataFolder(data, 'simulated')).toThrow(/in use by another "ledger-history start"; stop that one/)
    expect(codeOf(() => claimDataFolder(data, 'simulated'))).toBe('data_folder_busy')
    expect(openDataFolder(data, 'simulated')).toEqual(first.folder)
    first.lock.release()
    claimDataFolder(data, 'simulated').lock.release()
    await fillLog(data)
    expect(codeOf(() => claimDataFolder(data, 'mainnet'))).toBe('data_folder_other_network')
  })

  it('that is a file, or lies below one, is refused', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(codeOf(() => openDataFolder(file, 'mainnet'))).toBe('data_folder_unusable')
    expect(codeOf(() => openDataFolder(join(file, 'data'), 'mainnet'))).toBe('data_folder_unusable')
  })

  if (process.getuid?.() === 0)
    console.warn('skipped: a folder that cannot be written to, since root may write anywhere')

  it.skipIf(process.getuid?.() === 0)(
    'that may not be written to is refused (skipped for root, who may write anywhere)',
    () => {
      chmodSync(folder, 0o500)
      expect(codeOf(() => openDataFolder(folder, 'mainnet'))).toBe('data_folder_unusable')
      chmodSync(folder, 0o700)
    },
  )

  it('must exist for verbs that only read, which say how to make one', () => {
    const missing = join(folder, 'missing')
    expect(() => openExistingDataFolder(missing, null)).toThrow(/holds no ledger data.*ledger-history start/)
    expect(existsSync(missing)).toBe(false)
  })

  it('is opened as a verb needs it: made by one that imports, expected by others', () => {
    const { config } = loadConfig({ flags: { data: join(folder, 'verb') }, environment: {}, file: undefined })
    expect(codeOf(() => folderOf(config, undefined, 'existing'))).toBe('data_folder_unusable')
    expect(folderOf(config, 'mainnet', 'create').marker.network).toBe('mainnet')
    expect(folderOf(config, undefined, 'existing').marker.network).toBe('mainnet')
    expect(codeOf(() => folderOf(config, 'testnet', 'existing'))).toBe('data_folder_other_network')
  })

  it('that holds a further log generation belongs to its network, also once the first one is pruned', async () => {
    const { log } = openDataFolder(folder, 'mainnet')
    mkdirSync(join(log, 'g2'), { recursive: true })
    expect(codeOf(() => openDataFolder(folder, 'testnet'))).toBe('data_folder_other_network')
  })

  it('is not touched where log and store are elsewhere', () => {
    const flags = { data: join(folder, 'none'), log: 'kafka', store: 'mongodb' }
    const { config } = loadConfig({ flags, environment: {}, file: undefined })
    expect(folderOf(config, 'mainnet', 'create')).toMatchObject({ path: flags.data, marker: { network: 'mainnet' } })
    expect(folderOf(config, undefined, 'existing').marker.network).toBeNull()
    expect(existsSync(flags.data)).toBe(false)
  })
})

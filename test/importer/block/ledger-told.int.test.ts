import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'
import { folderBlocks, inlineChecker } from '#test/importer/block/folder-blocks.ts'
import { ImportWorld, type LogLine } from '#test/importer/import-world.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let publication: Ledger

beforeAll(async () => {
  folder = await temporaryFolder()
  const signer = await createSimulatedLedger({ seed: 'told', weights: [1, 1] })
  const options = { seed: 'told', stream: 'cutover', cutoverSeconds: 8, nodes: 2, accounts: 10 } as const
  await runSimulator({ folder: join(folder.path, 'both'), options, blocks: 6, signer })
  await runSimulator({
    folder: join(folder.path, 'blocks'),
    options: { ...options, stream: 'blocks' },
    blocks: 3,
    signer,
  })
  const file = join(folder.path, 'both', 'ledger-publication.bin')
  publication = readLedgerPublication(readFileSync(file), file)
})
afterAll(() => folder.remove())

/** What an import says of whom it believes. */
async function told(
  which: string,
  ledger: Ledger | undefined,
  settings: Partial<ImporterSettings>,
): Promise<LogLine[]> {
  const root = join(folder.path, which)
  const world = new ImportWorld()
  world.blockInput = { supply: folderBlocks(root, 'simulated'), checker: await inlineChecker(), ledger }
  const addressBook = readFileSync(join(root, 'address-book.bin'))
  await world.import(root, { network: 'simulated', addressBook, ...settings })
  expect((await world.blocks()).length).toBeGreaterThan(2)
  return world.lines.filter(({ message }) => /who signs|believed/.test(message))
}

describe('whom an import of blocks believes', () => {
  it('is told with where it came from, where block 0 is taken at its word', async () => {
    const id = Buffer.from(publication.id).toString('hex')
    expect(await told('blocks', undefined, { stream: 'blocks' })).toEqual([
      {
        level: 'info',
        fields: { ledger: id, from: expect.stringContaining('block 0 of ') },
        message: expect.stringContaining('believed from now on'),
      },
    ])
  })

  it('is not worth a line where somebody has said it before', async () => {
    expect(await told('blocks', publication, { stream: 'blocks' })).toEqual([])
    expect(await told('both', publication, { stream: 'cutover' })).toEqual([])
    expect(await told('both', undefined, { stream: 'records' })).toEqual([])
  })

  it('is missed before the first block comes, where nobody says it', async () => {
    expect(await told('both', undefined, { stream: 'cutover' })).toMatchObject([
      { level: 'warn', fields: { network: 'simulated' }, message: expect.stringContaining('--ledger-publication') },
    ])
  })
})

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { versioned } from '#test/support/read-model-versions.ts'
import { Program, root, run } from './support.ts'

const streams = join(root, '..', 'shared', 'streams')
const present = existsSync(streams)
const book = (name: string): string[] => ['--address-book', join(streams, 'addressbook', name)]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-source-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function importOnce(source: string, ...args: string[]) {
  return run(['start', '--once', '--data', 'data', '--source', join(streams, source), ...args], { cwd: folder })
}

if (!present) console.warn('skipped: the recorded streams that are imported here are not beside the project')

describe.skipIf(!present)(
  `start --source --once${present ? '' : ' (skipped: no sample streams beside the repository)'}`,
  () => {
    it('imports and projects a set of real files, says so, and serves it afterwards', async () => {
      const { code, out, err } = await importOnce('record/v6', ...book('test/test-v6-sidecar-4n.bin'))
      expect(code, err).toBe(0)
      expect(out).toMatch(/^Imported 2 blocks with 3 transactions in [\d.]+ s .*; every read model has them/)
      const program = new Program(['serve', '--data', 'data', '--port', '0'], { cwd: folder })
      const [, url] = await program.printed(/API of network "v6" at (\S+)/)
      const body = (await (await fetch(`${url}/blocks?limit=1`)).json()) as { blocks: { number: number }[] }
      expect(body.blocks[0]?.number).toBe(6)
      expect((await program.stop('SIGTERM')).code).toBe(0)
    })

    it('is done at once when there is nothing new', async () => {
      const args = ['record/v6', ...book('test/test-v6-sidecar-4n.bin')] as const
      await importOnce(...args)
      const again = await importOnce(...args)
      expect(again.code).toBe(0)
      expect(again.out).toMatch(
        /^Nothing new; newest block 6, consensus time \d+\.\d{9}\nAsk them with: ledger-history serve /,
      )
    })

    it('finds the address book beside the files', async () => {
      const { code, out, err } = await importOnce('record/mainnet-v6')
      expect(code, err).toBe(0)
      expect(out).toMatch(/^Imported 1 block with \d+ transactions? in/)
    })

    it('says that an address book is missing and where to put it', async () => {
      const { code, err } = await importOnce('record/v6')
      expect(code).toBe(1)
      expect(err).toMatch(
        /no address book to begin network "v6" with; name one with --address-book, .*address_book\.bin.*\[address_book_invalid\]/,
      )
    })

    it('names the missing stake where too few nodes signed, and takes one signature with --consensus-ratio 0', async () => {
      const args = ['hip679/provider-node-id', ...book('test/test-v6-sidecar-4n.bin')] as const
      const refused = await importOnce(...args)
      expect(refused.code).toBe(1)
      expect(refused.err).toMatch(/\[consensus_missing\]/)
      const accepted = await importOnce(...args, '--consensus-ratio', '0')
      expect(accepted.code, accepted.err).toBe(0)
    })

    it('shows how far import and read models are, also while nothing runs', async () => {
      await importOnce('record/v6', ...book('test/test-v6-sidecar-4n.bin'))
      const status = await run(['import', 'status', '--data', 'data', '--json'], { cwd: folder })
      expect(JSON.parse(status.out)).toMatchObject({ network: 'v6', latestBlock: 6, blocks: 2, transactions: 3 })
      const projections = await run(['projections', 'status', '--data', 'data', '--json'], { cwd: folder })
      const { instances } = JSON.parse(projections.out) as { instances: { position: number; head: number }[] }
      for (const each of instances) expect(each.position).toBe(each.head)
    })

    it('runs the parts as processes of their own, too', async () => {
      const source = ['--source', join(streams, 'record/v6'), ...book('test/test-v6-sidecar-4n.bin')]
      const imported = await run(['import', 'run', '--once', '--data', 'data', ...source], { cwd: folder })
      expect(imported.code, imported.err).toBe(0)
      expect(imported.out).toMatch(/next: ledger-history project --once/)
      const projected = await run(['project', '--once', '--data', 'data', '--only', 'blocks'], { cwd: folder })
      expect(projected.out).toMatch(versioned(/^blocks vN +100\.0% .*up to date\n$/))
      const unknown = await run(['project', '--once', '--data', 'data', '--only', 'nothing'], { cwd: folder })
      expect(unknown.code).toBe(78)
      expect(unknown.err).toMatch(/There is no projection nothing; there are transactions, blocks/)
    })
  },
)

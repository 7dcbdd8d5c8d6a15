import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { useBlockNodes } from '#test/adapters/block-node/support.ts'
import { Program } from '#test/cli/support.ts'
import { type Filling, largeBlocks } from '#test/importer/block/large-blocks.ts'
import { storeOf } from '#test/importer/block/small-blocks.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** Also 256, with the settings raised for it; behind LEDGER_TEST_LARGE_BLOCKS=2 for transactions, which take a minute to make. */
const mebibytes = Number(process.env['LEDGER_TEST_BLOCK_MIB'] ?? 36)
/** One is published, one waits to be, and one comes. */
const count = Number(process.env['LEDGER_TEST_LARGE_BLOCKS'] ?? 3)
const peakMiBMax = mebibytes <= 36 ? 512 : 1_536
const isLinux = process.platform === 'linux'
const mebibyte = 1024 * 1024

const { serve } = useBlockNodes()
const folders: Awaited<ReturnType<typeof temporaryFolder>>[] = []
const programs: Program[] = []
afterEach(async () => {
  for (const program of programs.splice(0)) await program.stop('SIGKILL')
  await Promise.all(folders.splice(0).map((folder) => folder.remove()))
})

/** The most that a program ever had resident, MiB; looks until it has ended. */
async function peakOf({ child, finished }: Program): Promise<number> {
  let peak = 0
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // It has ended.
    }
  }, 20)
  await finished
  clearInterval(look)
  return Math.round(peak)
}

describe.skipIf(!isLinux)('an importer as a process of its own (needs /proc)', () => {
  it.each<Filling>(['state changes', 'transactions'])(
    `stays under ${peakMiBMax} MiB with messages and blocks of ${mebibytes} MiB full of %s`,
    async (filling) => {
      const bytes = mebibytes * mebibyte - 4_096
      const { blocks, ledger } = await largeBlocks({ count: count + 1, bytes, filling })
      const largest = Math.max(...blocks.slice(1).map(({ length }) => length))
      expect(largest).toBeGreaterThan(bytes * (mebibytes <= 36 ? 0.85 : 0.5))
      const { port } = await serve({ store: storeOf(blocks, 1), setBytesMax: bytes })
      const folder = await temporaryFolder()
      folders.push(folder)
      const publication = join(folder.path, 'publication.bin')
      writeFileSync(publication, ledger.publication)
      const began = performance.now()
      const program = new Program(
        [
          ...[
            'import',
            'run',
            '--once',
            '--data',
            join(folder.path, 'data'),
            '--network',
            'simulated',
            '--source',
            'none',
          ],
          ...['--stream', 'blocks', '--block-nodes', `127.0.0.1:${port}`],
          ...['--start-block-number', '1', '--ledger-publication', publication],
          ...(mebibytes > 36
            ? ['--block-message-mib-max', String(mebibytes), '--block-mib-max', String(mebibytes)]
            : []),
        ],
        {
          cwd: folder.path,
          env: { LEDGER_BLOCKS_STATUS_TIMEOUT_MS: '10000', LEDGER_BLOCKS_BLOCK_TIMEOUT_MS: '120000' },
        },
      )
      programs.push(program)
      const peak = await peakOf(program)
      const { code, out, err } = await program.finished
      const seconds = (performance.now() - began) / 1_000
      console.log(
        `${count} blocks of ${(largest / mebibyte).toFixed(1)} MiB, ${filling}: ${peak} MiB at most, ${seconds.toFixed(1)} s`,
      )
      expect({ code, err }).toEqual({ code: 0, err: expect.any(String) })
      expect(out).toContain(`${count} blocks`)
      expect(peak).toBeLessThan(peakMiBMax)
    },
    Math.max(120_000, mebibytes * count * 2_000),
  )
})

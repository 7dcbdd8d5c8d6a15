import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readCaseFile } from '#test/conformance/case-file.ts'
import { runCase } from '#test/conformance/run-case.ts'

const root = fileURLToPath(new URL('../../../shared/conformance/', import.meta.url))

/** Calls by file that are answered as the network would, through the log, the read models and the API. They only become more. */
const floors: readonly (readonly [file: string, floor: number])[] = [
  ['evm', 128],
  ['evm-versions', 153],
  ['estimate', 12],
  ['payer', 4],
  ['system', 56],
  ['token-facade', 66],
  ['hts', 89],
  ['hts-mutating', 81],
  ['schedule', 12],
  ['opcodes', 8],
  ['historical', 10],
]

if (!existsSync(root)) console.warn(`skipped: recorded answers are not at ${root}`)

it.skipIf(!existsSync(root)).each(floors)(
  'answers calls of contracts like the network: %s, at least %i (skipped without ../shared)',
  async (file, floor) => {
    const { outcomes } = await runCase(readCaseFile(`${root}evm/${file}.json`))
    const failed = outcomes.filter(({ differences }) => differences.length > 0)
    const told = failed.map(
      ({ request, differences }) => `${JSON.stringify(request.send_body)}: ${differences.join(', ')}`,
    )
    expect(outcomes.length - failed.length, told.join('\n')).toBeGreaterThanOrEqual(floor)
  },
  120_000,
)

import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askUntil, Program } from '#test/cli/support.ts'
import { findPython } from '#test/subscribers/tools.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const python = await findPython(['schemathesis==4.32.5'], 'schemathesis')
const missing = 'missing' in python ? python.missing : undefined
if (missing !== undefined) console.warn(`skipped: schemathesis against our own OpenAPI document, ${missing}`)

/** Made-up requests of each operation; more with LEDGER_TEST_EXAMPLES=100. */
const examplesMax = Number(process.env['LEDGER_TEST_EXAMPLES'] ?? 10)
/** What an answer must be, whatever was asked; what a request must be is said in words where a schema cannot. */
const checks = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance'
/** Transactions are bytes that schemathesis knows no form of: it sends what it makes up as it is. */
const hooks = `import schemathesis

@schemathesis.serializer("application/protobuf", "application/x-protobuf")
def transaction(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode()
`
/** Waiting for a time that may never come is documented to end with 503. */
const settings = '[parameters]\n"header.Ledger-Wait-For" = "1.000000000"\n'

/** Whose answer may be that a call needs what is not there: 501 is meant. */
const refused = '/contracts/call$|/opcodes$'

describe.skipIf(missing !== undefined)(
  `the OpenAPI document${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('describes every answer to requests that schemathesis makes up from it, none of which fails the server', async () => {
      const folder = await temporaryFolder()
      onTestFinished(() => folder.remove())
      const unlimited = ['--verification-requests-per-second', '0']
      const program = new Program(['start', '--data', join(folder.path, 'data'), '--port', '0', ...unlimited], {
        cwd: folder.path,
      })
      onTestFinished(async () => void (await program.stop('SIGKILL')))
      const [, url] = await program.printed(/API +(http:\S+)\/api\/v1\/docs /)
      await askUntil<{ blocks: unknown[] }>(`${url}/api/v1/blocks`, ({ blocks }) => blocks.length >= 5)
      writeFileSync(join(folder.path, 'schemathesis.toml'), settings)
      writeFileSync(join(folder.path, 'hooks.py'), hooks)
      const { code, out } = await schemathesis(folder.path, [
        ...['run', `${url}/api/v1/docs/openapi.json`, '--url', String(url), '--checks', checks],
        // Texts of a path may not hold most of what it makes up, which it complains of where chance has it.
        ...['--suppress-health-check', 'filter_too_much'],
        ...['--phases', 'examples,fuzzing', '--max-examples', String(examplesMax), '--generation-deterministic'],
        ...['--exclude-path-regex', refused, '--continue-on-failure', '--workers', '2', '--no-color'],
      ])
      expect(code, out).toBe(0)
      expect(out).toMatch(/[1-9]\d* generated/)
    }, 300_000)
  },
)

function schemathesis(
  cwd: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly out: string }> {
  if (!('path' in python)) throw new Error(python.missing)
  const child = spawn(python.path, ['-m', 'schemathesis.cli', ...args], {
    cwd,
    env: { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  const take = (chunk: Buffer) => {
    out += chunk.toString()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out }))
  })
}

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generate, HttpClient } from 'openapi-typescript-codegen'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const start = 1_700_000_000_000_000_000n
const run = promisify(execFile)
let ledger: TestLedger
let folder: string

beforeAll(async () => {
  ledger = await openTestLedger()
  const times = [0n, 1n, 2n].map((after) => transactionRecorded({ consensusTimestamp: start + after }))
  await ledger.record(times.map((event) => recordOf('TransactionRecorded', event)))
  folder = await mkdtemp(join(tmpdir(), 'generated-client-'))
})
afterAll(async () => {
  await ledger.close()
  await rm(folder, { recursive: true, force: true })
})

/** A program that the compiler accepts only if parameters, rows and links have the types that it gives them. */
const program = `
import { OpenAPI, TransactionsService, type Transaction, type TransactionList } from './client'

export async function readPage(base: string): Promise<{ times: string[]; next: string | null }> {
  OpenAPI.BASE = base
  const page: TransactionList = await TransactionsService.getTransactions({ limit: 2, order: 'asc', timestamp: ['gte:1'] })
  const times = page.transactions.map(({ consensus_timestamp }: Transaction): string => consensus_timestamp)
  return { times, next: page.links.next }
}
`

/** Compiles the program of the folder, where no settings of ours are found; rejects with what the compiler says. */
async function compile(args: readonly string[]): Promise<void> {
  const said = await run(process.execPath, [compiler, ...args], { cwd: folder }).then(
    () => undefined,
    (error: { readonly stdout: string }) => error.stdout,
  )
  if (said !== undefined) throw new Error(said)
}

it('is a description that a generated client compiles from, and reads a page with', async () => {
  const app = ledger.app({ docs: true })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const input = (await (await fetch(`${address}/api/v1/docs/openapi.json`)).json()) as object
  await generate({
    input,
    output: join(folder, 'client'),
    httpClient: HttpClient.FETCH,
    useOptions: true,
    useUnionTypes: true,
  })
  await writeFile(join(folder, 'program.ts'), program)
  const flags = ['--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--types', '']
  const modules = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--rootDir', folder]
  await compile([join(folder, 'program.ts'), ...flags, ...modules, '--outDir', folder])
  const load = createRequire(join(folder, 'program.js'))
  const { readPage } = load('./program.js') as {
    readPage(base: string): Promise<{ times: string[]; next: string | null }>
  }
  expect(await readPage(address)).toEqual({
    times: ['1700000000.000000000', '1700000000.000000001'],
    next: '/api/v1/transactions?limit=2&order=asc&timestamp=gt:1700000000.000000001',
  })
  await app.close()
}, 60_000)

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { askUntil, Program } from './support.ts'

let folder: string
const programs: Program[] = []
/** A busy machine compiles many times slower. */
const patienceMs = 100_000

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-verification-'))
})
afterEach(async () => {
  for (const program of programs.splice(0)) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const fast = ['--block-seconds', '0.2', '--transactions-per-second', '100', '--accounts', '20', '--nodes', '1']
const mine = [
  '--verification-take-over-ms',
  '100',
  '--verification-requests-per-second',
  '0',
  '--verification-wait-ms',
  '120000',
]

async function start(): Promise<{ readonly program: Program; readonly url: string }> {
  const program = new Program(['start', '--data', join(folder, 'data'), '--port', '0', ...fast, ...mine], {
    cwd: folder,
  })
  programs.push(program)
  const [, url = ''] = await program.printed(/API +(http:\S+)\/api\/v1\/docs /)
  return { program, url }
}

/** Once the read models that it is answered from are filled. */
async function post(url: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const deadline = Date.now() + patienceMs
  for (;;) {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const told = await answer.json()
    if (told.code !== 'filling' || Date.now() > deadline) return { status: answer.status, body: told }
    await sleep(100)
  }
}

interface Contracts {
  readonly contracts: readonly { readonly evm_address: string; readonly contract_id: string }[]
}
interface Job {
  readonly isJobCompleted: boolean
  readonly contract: { readonly match: string | null }
}

async function typesOf(entity: string): Promise<string[]> {
  const store = openSqliteDecisionStore({ folder: join(folder, 'data', 'decisions') })
  const events = await store.readStream(`verification-298-${entity}`)
  await store.close()
  return events.map(({ type }) => type)
}

it('verifies a contract of the simulated network from what its explorer publishes, over a kill in the middle', {
  timeout: 240_000,
}, async () => {
  const first = await start()
  const listed = `${first.url}/api/v1/contracts?limit=2&order=asc`
  const { contracts } = await askUntil<Contracts>(listed, (body) => body.contracts?.length === 2, patienceMs)
  const [one, other] = contracts
  const asked = { address: one!.evm_address, chainId: '298' }
  const { status, body } = await post(`${first.url}/verification/verify/explorer`, asked)
  expect([status, body.result?.[0].status, body.result?.[0].entityId], JSON.stringify(body)).toEqual([
    200,
    'partial',
    one!.contract_id,
  ])
  const begun = await post(`${first.url}/v2/verify/explorer/298/${other!.evm_address}`, {})
  expect([begun.status, begun.body], JSON.stringify(begun.body)).toEqual([202, { verificationId: expect.any(String) }])
  await first.program.stop('SIGKILL')

  const again = await start()
  const job = `${again.url}/v2/verify/${begun.body.verificationId}`
  const { contract } = await askUntil<Job>(job, ({ isJobCompleted }) => isJobCompleted, patienceMs)
  expect(contract.match).toBe('match')
  expect(await typesOf(other!.contract_id)).toEqual([
    'VerificationRequested',
    'SourcesFetched',
    'CompilationSucceeded',
    'ContractVerified',
  ])
  const files = await fetch(`${again.url}/files/any/298/${one!.evm_address}`)
  const { status: kept } = (await files.json()) as { status: string }
  expect(kept).toBe('partial')
  const stopped = await again.program.stop('SIGINT')
  expect(stopped.code, stopped.err).toBe(0)
})

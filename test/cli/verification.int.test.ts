import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
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

async function start(more: readonly string[]): Promise<{ readonly program: Program; readonly url: string }> {
  const program = new Program(['start', '--data', join(folder, 'data'), '--port', '0', ...fast, ...mine, ...more], {
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

/** An explorer that has nothing, and does not say so while it is held. */
class HeldExplorer {
  held: ServerResponse[] = []
  isHolding = false
  readonly #server = createServer((_request, response) => {
    this.held.push(response)
    if (!this.isHolding) this.release()
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `298:blockscout:local:http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  release(): void {
    const nothing = JSON.stringify({ status: '0', message: 'NOTOK', result: 'Contract source code not verified' })
    for (const response of this.held.splice(0)) response.end(nothing)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** Steps at which the process is killed: one of them in every run of the tests, all with `LEDGER_TEST_KILLS=full`. */
const steps = [
  { name: 'while an explorer is asked', event: 'VerificationRequested', holds: true },
  { name: 'while it compiles', event: 'SourcesFetched', holds: false },
  { name: 'once it is decided', event: 'ContractVerified', holds: false },
].filter(({ event }) => event === 'SourcesFetched' || process.env['LEDGER_TEST_KILLS'] === 'full')

async function reached(entity: string, event: string): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await typesOf(entity)).includes(event)) {
    if (Date.now() > deadline) throw new Error(`${entity} has no ${event} after ${patienceMs} ms`)
    await sleep(2)
  }
}

it('verifies contracts of the simulated network from what its explorer publishes, over a kill at each step', {
  timeout: 480_000,
}, async () => {
  const explorer = new HeldExplorer()
  const more = ['--verification-explorers', await explorer.listen()]
  let { program, url } = await start(more)
  const listed = `${url}/api/v1/contracts?limit=${steps.length + 1}&order=asc`
  const { contracts } = await askUntil<Contracts>(
    listed,
    (body) => body.contracts?.length === steps.length + 1,
    patienceMs,
  )
  const [one, ...others] = contracts
  const asked = { address: one!.evm_address, chainId: '298' }
  const { status, body } = await post(`${url}/verification/verify/explorer`, asked)
  expect([status, body.result?.[0].status, body.result?.[0].entityId], JSON.stringify(body)).toEqual([
    200,
    'partial',
    one!.contract_id,
  ])
  for (const [index, { name, event, holds }] of steps.entries()) {
    const { evm_address, contract_id } = others[index]!
    explorer.isHolding = holds
    const begun = await post(`${url}/v2/verify/explorer/298/${evm_address}`, {})
    expect([begun.status, begun.body], name).toEqual([202, { verificationId: expect.any(String) }])
    await reached(contract_id, event)
    await program.stop('SIGKILL')
    explorer.isHolding = false
    explorer.release()
    ;({ program, url } = await start(more))
    const job = `${url}/v2/verify/${begun.body.verificationId}`
    const { contract } = await askUntil<Job>(job, ({ isJobCompleted }) => isJobCompleted, patienceMs)
    expect(contract.match, name).toBe('match')
    expect(await typesOf(contract_id), name).toEqual([
      'VerificationRequested',
      'SourcesFetched',
      'CompilationSucceeded',
      'ContractVerified',
    ])
  }
  const files = await fetch(`${url}/files/any/298/${one!.evm_address}`)
  const { status: kept } = (await files.json()) as { status: string }
  expect(kept).toBe('partial')
  const stopped = await program.stop('SIGINT')
  expect(stopped.code, stopped.err).toBe(0)
  await explorer.close()
})

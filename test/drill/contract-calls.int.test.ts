import { type Agent, request as begin, type IncomingHttpHeaders, Agent as KeptConnections } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resourcesOf } from '#test/bench/cli-process.ts'
import { Program, run } from '#test/cli/support.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** Of each kind. The whole drill, whose limits are those of the service: LEDGER_TEST_CALLS_AT_ONCE=64. */
const atOnce = Number(process.env['LEDGER_TEST_CALLS_AT_ONCE'] ?? 8)
const isWhole = atOnce >= 64
/** Other tests may have the cores meanwhile, unless it is the whole drill. */
const patience = isWhole ? 1 : 10
const limits = { deadlineMs: 10_000, lateMs: 250, refusedMs: 100, pageP99Ms: 100, peakMiB: 768 } as const
const timeoutMs = 240_000

const contract = `0x${'c0'.repeat(20)}`
/** JUMPDEST, PUSH1 0, JUMP. */
const loop = '0x5b600056'
/** Calls itself with all gas but a 64th, as deep as that goes. */
const nested = '0x5f5f5f5f5f305af100'
/** Writes a word each 16 KiB further, for as long as there is gas. */
const growing = '0x5f5b80805261400001600156'
const refusal = (message: string) => [
  400,
  expect.objectContaining({ _status: { messages: [expect.objectContaining({ message })] } }),
]

const kinds = [
  { name: 'a loop', body: calling(loop), right: refusal('INSUFFICIENT_GAS') },
  { name: 'nested calls', body: calling(nested), right: [200, { result: '0x' }] },
  { name: 'memory that grows', body: calling(growing), right: refusal('INSUFFICIENT_GAS') },
  {
    name: 'a megabyte of data',
    body: calling('0x00', `0x${'00'.repeat(524_287)}`),
    right: refusal('TRANSACTION_OVERSIZE'),
  },
]

function calling(code: string, data = '0x'): Buffer {
  return Buffer.from(
    JSON.stringify({ to: contract, data, gas: 15_000_000, state_overrides: [{ address: contract, code }] }),
  )
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly ms: number
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let serving: Program
let url: string

beforeAll(async () => {
  folder = await temporaryFolder()
  await run(['network', 'simulate', '--out', 'streams', '--blocks', '4', '--seed', 'calls'], { cwd: folder.path })
  await run(['start', '--source', 'streams', '--once'], { cwd: folder.path })
  serving = new Program(['serve', '--port', '0', '--api-threads', '2'], { cwd: folder.path })
  url = (await serving.printed(/ at (http:\S+)\/api\/v1/))[1]!
  // Threads that run contracts begin with their first call.
  const first = JSON.stringify({ to: contract })
  for (let call = 0; call < 16; call++) expect((await ask('/contracts/call', { body: first })).status).toBe(200)
}, timeoutMs)
afterAll(async () => {
  await serving.stop('SIGKILL')
  await folder.remove()
})

it.each(kinds)(
  `$name, ${atOnce} at once (LEDGER_TEST_CALLS_AT_ONCE): run or refused, and pages meanwhile`,
  async ({ name, body, right }) => {
    let over = false
    const pages: Answer[] = []
    const reading = readPages(pages, () => over)
    const answers = await Promise.all(Array.from({ length: atOnce }, () => ask('/contracts/call', { body })))
    over = true
    await reading

    const refused = answers.filter(({ status }) => status === 503 || status === 429)
    const admitted = answers.filter((answer) => !refused.includes(answer))
    const peakMiB = resourcesOf(serving.child.pid ?? 0)?.peakMiB ?? 0
    const [slowest, slowestRefusal, pageMs] = [mostMs(admitted), mostMs(refused), p99Ms(pages)]
    console.info(
      `${name}: ${admitted.length} ended within ${slowest} ms, ${refused.length} were refused within ${slowestRefusal} ms; ` +
        `${pages.length} pages, p99 ${pageMs} ms; ${peakMiB} MiB`,
    )
    expect(admitted.map((answer) => [answer.status, JSON.parse(answer.body)])).toEqual(admitted.map(() => right))
    expect(admitted.length).toBeGreaterThan(0)
    expect(refused.filter(({ headers }) => headers['retry-after'] === undefined)).toEqual([])
    expect(pages.filter(({ status }) => status !== 200)).toEqual([])
    expect(slowest).toBeLessThan(limits.deadlineMs)
    expect(slowestRefusal).toBeLessThan(limits.refusedMs * patience)
    expect(pageMs).toBeLessThan(limits.pageP99Ms * patience)
    expect(peakMiB).toBeLessThan(limits.peakMiB)
  },
  timeoutMs,
)

/** One page after the other over two connections, each of a thread that answers. */
async function readPages(pages: Answer[], isOver: () => boolean): Promise<void> {
  const reader = async (): Promise<void> => {
    const agent = new KeptConnections({ keepAlive: true, maxSockets: 1 })
    while (!isOver()) pages.push(await ask('/transactions?limit=25', { agent }))
    agent.destroy()
  }
  await Promise.all([reader(), reader()])
}

function ask(
  path: string,
  { body, agent = false }: { body?: string | Buffer; agent?: Agent | false },
): Promise<Answer> {
  const began = performance.now()
  const headers = { 'content-type': 'application/json', 'content-length': body?.length ?? 0 }
  const options = body === undefined ? { agent } : { agent, headers, method: 'POST' }
  return new Promise((resolve, reject) => {
    const request = begin(`${url}/api/v1${path}`, options, async (answer) => {
      const { statusCode: status = 0, headers } = answer
      resolve({ status, headers, body: await text(answer), ms: Math.round(performance.now() - began) })
    }).on('error', reject)
    if (body === undefined) request.end()
    // All are there before this process is busy with what they bring.
    else setImmediate(() => request.end(body))
    request.flushHeaders()
  })
}

function mostMs(answers: readonly Answer[]): number {
  return answers.reduce((most, { ms }) => Math.max(most, ms), 0)
}

function p99Ms(answers: readonly Answer[]): number {
  return answers.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(answers.length * 0.99)] ?? 0
}

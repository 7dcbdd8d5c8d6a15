import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { type CallLedger, openCallLedger } from '#test/evm/call-ledger.ts'

/** PUSH1 42, PUSH1 0, MSTORE, PUSH1 7, PUSH1 1, SSTORE, PUSH1 32, PUSH1 0, RETURN. */
const storing = '602a60005260076001556020' + '6000f3'
/** JUMPDEST, PUSH1 0, JUMP. */
const endless = '5b600056'
const gzip = { 'accept-encoding': 'gzip, deflate' }

let called: CallLedger

beforeAll(async () => {
  called = await openCallLedger(
    [storing, endless],
    [
      { contract: 0, gas: 100_000, data: '0x' },
      { contract: 1, gas: 1_500_000, data: '0x' },
    ],
  )
})

afterAll(() => called.ledger.close())

function openApp(settings: Partial<typeof defaultCallSettings> = {}) {
  const app = called.ledger.app({ contractCalls: { ...defaultCallSettings, tracesPerSecond: 100, ...settings } })
  onTestFinished(() => app.close())
  return (path: string, headers: Record<string, string> = gzip) =>
    app.inject({ url: `/api/v1/contracts/results/${path}`, headers })
}

interface Trace {
  readonly failed: boolean
  readonly gas: number
  readonly opcodes: readonly { readonly op: string; readonly memory: string[]; readonly storage: object }[]
}

function traceOf({ rawPayload }: { rawPayload: Buffer }): Trace {
  return JSON.parse(gunzipSync(rawPayload).toString()) as Trace
}

const unasked = (detail: string, message = 'Not Found') => ({ _status: { messages: [{ message, detail, data: '' }] } })

describe('GET /contracts/results/{id}/opcodes', () => {
  it('shows stack, memory and storage where they are asked for', async () => {
    const get = openApp()
    const [hash] = called.hashes
    const whole = traceOf(await get(`${hash}/opcodes?memory=true&storage=true&stack=false`))
    expect(whole.opcodes.map(({ op }) => op)).toEqual(
      'PUSH1 PUSH1 MSTORE PUSH1 PUSH1 SSTORE PUSH1 PUSH1 RETURN'.split(' '),
    )
    expect(whole.opcodes[5]).toMatchObject({
      memory: [`0x${'2a'.padStart(64, '0')}`],
      storage: { '0x1': '0x7' },
      stack: [],
      gas_cost: 22_100,
    })
    expect(traceOf(await get(`${hash}/opcodes`)).opcodes[5]).toMatchObject({ memory: [], storage: {} })
  })

  it('is the same by the id of the transaction', async () => {
    const get = openApp()
    const byId = await get('0.0.1001-1700000000-000000001/opcodes')
    expect([byId.statusCode, byId.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(traceOf(byId)).toEqual(traceOf(await get(`${called.hashes[0]}/opcodes`)))
  })

  it('tells a transaction that ran out of gas whole, in many parts', async () => {
    const trace = traceOf(await openApp()(`${called.hashes[1]}/opcodes`))
    // 12 gas for 3 steps, of 21,000 less than there are; and the step that can't be paid.
    const steps = ((1_500_000 - 21_000) / 12) * 3 + 1
    expect([trace.failed, trace.gas, trace.opcodes.length]).toEqual([true, 1_500_000, steps])
  })

  it('needs a client that reads gzip', async () => {
    const answer = await openApp()(`${called.hashes[0]}/opcodes`, { 'accept-encoding': 'br' })
    expect([answer.statusCode, answer.json()]).toEqual([
      406,
      unasked('Accept-Encoding: gzip header is required', 'Not Acceptable'),
    ])
  })

  it.each([
    ['nothing', 400, "Unsupported ID format: 'nothing'", 'Bad Request'],
    [`0x${'ab'.repeat(32)}`, 404, `Contract transaction hash not found: 0x${'ab'.repeat(32)}`, 'Not Found'],
    ['0.0.1001-1-2', 404, 'Transaction not found: 0.0.1001-1-2', 'Not Found'],
  ])('says what is wrong with %s', async (id, status, detail, message) => {
    const answer = await openApp()(`${id}/opcodes`)
    expect([answer.statusCode, answer.json()]).toEqual([status, unasked(detail, message)])
  })

  it('refuses the next one until its time has come', async () => {
    const get = openApp({ tracesPerSecond: 1 / 60 })
    expect((await get(`${called.hashes[0]}/opcodes`)).statusCode).toBe(200)
    const answer = await get(`${called.hashes[0]}/opcodes`)
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      429,
      expect.stringMatching(/^(5[0-9]|60)$/),
      unasked('Requests per second rate limit exceeded', 'Too Many Requests'),
    ])
  })

  it('answers 501 where it is switched off', async () => {
    const answer = await openApp({ traces: false })(`${called.hashes[0]}/opcodes`)
    expect([answer.statusCode, answer.json()]).toEqual([
      501,
      unasked('This process traces no transactions', 'Not Implemented'),
    ])
  })
})

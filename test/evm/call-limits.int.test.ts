import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { type CallLedger, openCallLedger, senderAddress } from '#test/evm/call-ledger.ts'

/** JUMPDEST, PUSH1 0, JUMP. */
const endless = '5b600056'
/** Calls itself with all gas but a 64th, as deep as that goes; the depth comes back. */
const nested = '5f5f5f5f5f305af1' + '00'
/** Writes a word each 16 KiB further, for as long as there is gas: PUSH0, JUMPDEST, DUP1, DUP1, MSTORE, PUSH2 0x4000, ADD, PUSH1 1, JUMP. */
const growing = '5f5b808052614000016001' + '56'
/** PUSH1 42, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const returning = '602a60005260206000f3'
const [loop, calls, memory, plain] = [0, 1, 2, 3]
const atOnce = 64

let called: CallLedger

beforeAll(async () => {
  called = await openCallLedger([endless, nested, growing, returning])
})

afterAll(() => called.ledger.close())

function openApp(settings: Partial<typeof defaultCallSettings> = {}) {
  const app = called.ledger.app({ contractCalls: { ...defaultCallSettings, ...settings } })
  onTestFinished(() => app.close())
  return {
    call: async (contract: number, body: object = {}) => {
      const started = performance.now()
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v1/contracts/call',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ from: senderAddress, to: called.contracts[contract], ...body }),
      })
      const { statusCode: status } = answer
      return { status, headers: answer.headers, body: answer.json<unknown>(), ms: performance.now() - started }
    },
    page: async () => {
      const started = performance.now()
      const answer = await app.inject('/api/v1/contracts/results?limit=5')
      return { status: answer.statusCode, ms: performance.now() - started }
    },
  }
}

const failure = (message: string) => ({ _status: { messages: [expect.objectContaining({ message })] } })

describe('what a call may take', () => {
  it('ends a loop with its gas', async () => {
    expect(await openApp().call(loop)).toMatchObject({ status: 400, body: failure('INSUFFICIENT_GAS') })
  })

  it('ends memory that grows with its gas', async () => {
    expect(await openApp().call(memory)).toMatchObject({ status: 400, body: failure('INSUFFICIENT_GAS') })
  })

  it('goes as deep as 1,024 calls, of which the last ones fail', async () => {
    expect(await openApp().call(calls)).toMatchObject({ status: 200, body: { result: '0x' } })
  })

  it('takes half a megabyte of data, which no transaction has', async () => {
    const data = `0x${'00'.repeat(524_287)}`
    expect(await openApp().call(plain, { data })).toMatchObject({
      status: 400,
      body: failure('TRANSACTION_OVERSIZE'),
    })
    expect(await openApp().call(plain, { data: `${data}00` })).toMatchObject({
      status: 400,
      body: { _status: { messages: [expect.objectContaining({ detail: 'data field invalid hexadecimal string' })] } },
    })
  })

  it('gives up what is not done at its deadline, and answers the next call', async () => {
    // More gas than any machine burns in that time.
    const app = openApp({ threads: 1, deadlineMs: 700, gasMax: 1_000_000_000n })
    const late = await app.call(loop)
    expect([late.status, late.ms < 700 + 250]).toEqual([503, true])
    // Another thread has to begin, within the same time.
    await expect.poll(async () => (await app.call(plain)).status, { timeout: 10_000 }).toBe(200)
  })

  it(`answers ${atOnce} loops at once, by running or refusing them, and pages meanwhile`, async () => {
    const app = openApp({ threads: 2, waitingMax: 8, deadlineMs: 3_000 })
    // Threads begin with their first call.
    await Promise.all([app.call(plain), app.call(plain)])
    const loops = Promise.all(Array.from({ length: atOnce }, () => app.call(loop)))
    const pages: { status: number; ms: number }[] = []
    for (let page = 0; page < 50; page++) pages.push(await app.page())
    const answers = await loops
    const refused = answers.filter(({ headers }) => headers['retry-after'] === '1')
    expect(refused.length).toBeGreaterThanOrEqual(atOnce - 10)
    expect(refused.every(({ status }) => status === 503)).toBe(true)
    expect(answers.every(({ status }) => status === 400 || status === 503)).toBe(true)
    expect(answers.every(({ ms }) => ms < 3_000 + 500)).toBe(true)
    expect(pages.every(({ status }) => status === 200)).toBe(true)
  })
})

describe('how many calls a second may have', () => {
  it('refuses the next with 429, and the time to ask again', async () => {
    const app = openApp({ requestsPerSecond: 1 / 30 })
    expect((await app.call(plain)).status).toBe(200)
    const next = await app.call(plain)
    expect([next.status, Number(next.headers['retry-after']) > 20]).toEqual([429, true])
    expect(next.body).toEqual({
      _status: {
        messages: [{ message: 'Too Many Requests', detail: 'Requests per second rate limit exceeded', data: '' }],
      },
    })
  })

  it('counts gas, and gives back what was not used', async () => {
    const app = openApp({ gasPerSecond: 100_000n })
    const gas = 90_000
    expect((await app.call(plain, { gas })).status).toBe(200)
    // What the first did not use is there again.
    expect((await app.call(plain, { gas: 70_000 })).status).toBe(200)
    expect((await app.call(plain, { gas: 99_999 })).body).toEqual({
      _status: {
        messages: [{ message: 'Too Many Requests', detail: 'Gas per second rate limit exceeded.', data: '' }],
      },
    })
  })
})

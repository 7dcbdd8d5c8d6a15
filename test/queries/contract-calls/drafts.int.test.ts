import { gunzipSync } from 'node:zlib'
import { eoaCode7702SignAuthorization, privateToAddress } from '@ethereumjs/util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { type CallLedger, openCallLedger, senderAddress } from '#test/evm/call-ledger.ts'

/** What slot 0 holds: PUSH0, SLOAD, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const reading = '5f545f5260205ff3'
/** One more than slot 0 held, there and as its result; a log of nothing is made of it. */
const counting = '5f54600101805f555f525f5fa060205ff3'
/** NUMBER and TIMESTAMP. */
const telling = '435f52426020526040' + '5ff3'
/** Calls the first contract, then reads it statically, and reverts with 0xdeadbeef. */
const calling = '5f5f5f5f5f6107d15af1505f5f5f5f6107d15afa5063deadbeef5f526004601cfd'
/** SELFBALANCE. */
const owning = '475f5260205ff3'
const [counter, reader, teller, caller, owner, unknown] = [0, 1, 2, 3, 4, 5]
const nowhere = `0x${'c0'.repeat(20)}`
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`

let called: CallLedger

beforeAll(async () => {
  const storage = { [word(0)]: word(7) }
  called = await openCallLedger([counting, { code: reading, storage }, telling, calling, owning, null])
  app = called.ledger.app()
})

afterAll(async () => {
  await app.close()
  await called.ledger.close()
})

/** What the routes answer between them. */
interface Body {
  readonly result: string
  readonly gas_used: string
  readonly access_list: readonly object[]
  readonly calls: readonly object[]
  readonly output: string
  readonly _status: { readonly messages: readonly { readonly message: string; readonly detail: string }[] }
}

interface Simulated {
  readonly result: readonly {
    readonly status: string
    readonly return_data: string
    readonly logs: readonly object[]
  }[]
}

interface Answered<B = Body> {
  readonly status: number
  readonly body: B
}

let app: ReturnType<CallLedger['ledger']['app']>

/** All tests ask one app: threads that run contracts take long to begin. */
async function post<B>(
  path: string,
  payload: object,
  { headers = {}, of = app }: PostOptions = {},
): Promise<Answered<B>> {
  const answer = await of.inject({
    method: 'POST',
    url: `/api/v1/contracts/${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  })
  const isZipped = answer.headers['content-encoding'] === 'gzip'
  const text = isZipped ? gunzipSync(answer.rawPayload).toString() : answer.body
  return { status: answer.statusCode, body: JSON.parse(text) as B }
}

interface PostOptions {
  readonly headers?: Record<string, string>
  readonly of?: typeof app
}

function openApp(settings: Partial<typeof defaultCallSettings>): typeof app {
  const other = called.ledger.app({ contractCalls: { ...defaultCallSettings, ...settings } })
  onTestFinished(() => other.close())
  return other
}

const call = (contract: number | string, body: object = {}, of = app) => {
  const to = typeof contract === 'string' ? contract : called.contracts[contract]
  return post<Body>('call', { from: senderAddress, to, ...body }, { of })
}
const actions = (body: object, options: PostOptions = {}) =>
  post<Body>('call/actions', { from: senderAddress, ...body }, { headers: { 'accept-encoding': 'gzip' }, ...options })
const simulate = <B = Simulated>(body: object, of = app) => post<B>('simulate', body, { of })
const messageOf = ({ body }: Answered): string | undefined => body._status.messages[0]?.message
const messages = ({ body }: Answered): string[] => body._status.messages.map(({ detail }: { detail: string }) => detail)

const hashOf = (log: object = {}) => ({ transaction_hash: Reflect.get(log, 'transaction_hash') as unknown })

describe('what a call takes for true', () => {
  const slot = (key: number, value: number) => ({ key: word(key), value: word(value) })

  it('is code where nothing is, a balance, and slots', async () => {
    const override = (fields: object, address = nowhere) => ({ state_overrides: [{ address, ...fields }] })
    expect((await call(nowhere, override({ code: `0x${owning}`, balance: '0x2a' }))).body).toEqual({ result: word(42) })
    expect((await call(nowhere, override({ code: reading, state: [slot(0, 5)] }))).body).toEqual({ result: word(5) })
    const own = called.contracts[reader]
    expect((await call(reader, override({ state_diff: [slot(1, 5)] }, own))).body).toEqual({ result: word(7) })
    expect((await call(reader, override({ state: [slot(1, 5)] }, own))).body).toEqual({ result: word(0) })
    expect((await call(reader, override({ state_diff: [slot(0, 9)] }, own))).body).toEqual({ result: word(9) })
    expect((await call(reader)).body).toEqual({ result: word(7) })
  })

  it('is the nonce that addresses of new contracts follow from', async () => {
    // Creates an empty contract, and returns its address: CREATE(0, 0, 0).
    const creating = '5f5f5ff05f5260205ff3'
    const at = async (nonce: string) =>
      (await call(nowhere, { state_overrides: [{ address: nowhere, code: creating, nonce }] })).body.result
    expect(await at('0x5')).not.toBe(await at('0x6'))
    expect(await at('0x5')).toBe(await at('5'))
  })

  it('is who pays', async () => {
    const poor = { from: nowhere, value: 1, gasPrice: 1 }
    expect(messageOf(await call(owner, poor))).toBe('PAYER_ACCOUNT_NOT_FOUND')
    const rich = { address: nowhere, balance: '0xffffffffffff', code: `0x${reading}` }
    expect((await call(owner, { ...poor, state_overrides: [rich] })).body).toEqual({ result: word(1) })
  })

  it('is the block', async () => {
    const { body } = await call(teller, { block_override: { number: '0x100', time: '0x5' } })
    expect(body.result).toBe(word(256) + word(5).slice(2))
  })

  it('is refused with a text for each rule that is broken', async () => {
    const state_overrides = [
      { balance: '0xzz', nonce: `0x${'1'.repeat(17)}`, code: '0x1' },
      {
        address: '0x12',
        balance: '0x8000000000000000',
        state: [{ key: '0x1', value: word(1) }],
        state_diff: [slot(1, 1)],
      },
    ]
    const answer = await call(counter, { state_overrides, gas: 1 })
    expect(answer.status).toBe(400)
    expect(messages(answer)).toEqual([
      'gas field must be greater than or equal to 21000',
      'stateOverrides[0].address field must not be null',
      'stateOverrides[0].balance field invalid hexadecimal string',
      'stateOverrides[0].nonce field invalid hexadecimal string',
      'stateOverrides[0].code field must have an even number of digits',
      'stateOverrides[1].address field invalid hexadecimal string',
      'stateOverrides[1].state[0].key field invalid hexadecimal string',
      'stateOverrides[1] field state and state_diff are mutually exclusive',
      'stateOverrides[1].balance field must be less than or equal to 9223372036854775807',
    ])
  })

  it('is refused where that is switched off', async () => {
    const answer = await call(counter, { state_overrides: [{ address: nowhere }] }, openApp({ stateOverrides: false }))
    expect([answer.status, messages(answer)]).toEqual([400, ['State overrides are not supported.']])
  })
})

describe('lists of a call', () => {
  it('tell what it touched, and cost what they cost', async () => {
    const { body } = await call(caller, {
      accessList: true,
      state_overrides: [{ address: called.contracts[caller], code: '0x5f5f5f5f5f6107d15af100' }],
    })
    expect(body.access_list).toEqual([{ address: called.contracts[counter], storage_keys: [word(0)] }])
    // Listed, contract and slot cost 2,400 and 1,900 beforehand, and 200 where they are used instead of 4,700.
    const plain = await call(reader, { accessList: true })
    expect(plain.body).toMatchObject({ access_list: [{ address: called.contracts[reader], storage_keys: [word(0)] }] })
    const listed = Number(plain.body.gas_used)
    const { body: unlisted } = await call(reader, { estimate: true })
    expect(listed).toBe(21_000 + 2_400 + 1_900 + 2 + 100 + 2 + 6 + 3 + 2)
    expect(Number(unlisted.result)).toBeGreaterThanOrEqual(21_000 + 2_100 + 15)
    const access_list = [{ address: nowhere, storage_keys: [word(1), word(2)] }]
    const gas = 21_000 + 2_400 + 2 * 1_900
    expect((await call(nowhere, { access_list, gas })).status).toBe(200)
    expect(messageOf(await call(nowhere, { access_list, gas: gas - 1 }))).toBe('INSUFFICIENT_GAS')
  })

  it('let a call run the code that an account has signed for', async () => {
    const key = Buffer.alloc(32, 7)
    const account = `0x${Buffer.from(privateToAddress(key)).toString('hex')}`
    const address = called.contracts[owner]!
    const signed = eoaCode7702SignAuthorization({ chainId: '0x0', address, nonce: '0x0' }, key)
    const [, , , yParity, r, s] = signed.map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
    const entry = { address, chain_id: '0x0', nonce: 0, y_parity: yParity === '0x' ? '0x0' : yParity, r, s }
    const state_overrides = [{ address: account, balance: '0x63' }]
    const { body } = await call(account, { authorization_list: [entry], state_overrides })
    expect(body).toEqual({ result: word(99) })
    // Of another nonce it is not valid, and costs its gas all the same.
    const stale = { ...entry, nonce: 3 }
    expect((await call(account, { authorization_list: [stale], state_overrides, gas: 46_000 })).body).toEqual({
      result: '0x',
    })
    const short = await call(account, { authorization_list: [stale], state_overrides, gas: 45_999 })
    expect(messageOf(short)).toBe('INSUFFICIENT_GAS')
  })
})

describe('POST /contracts/call/actions', () => {
  it('lists the calls that a call makes, and what it reverted with', async () => {
    const { status, body } = await actions({ to: called.contracts[caller] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      error: null,
      from: senderAddress,
      to: called.contracts[caller],
      gas: `0x${(15_000_000 - 21_000).toString(16)}`,
      input: '0x',
      output: '0xdeadbeef',
      revert_reason: '0xdeadbeef',
      type: 'CALL',
      value: '0x0',
    })
    expect(body.calls).toMatchObject([
      {
        calls: [],
        error: null,
        from: called.contracts[caller],
        output: word(1),
        to: called.contracts[counter],
        type: 'CALL',
      },
      { error: 'ILLEGAL_STATE_CHANGE', output: '0x', revert_reason: null, type: 'STATICCALL' },
    ])
  })

  it('lists the outermost call alone where that is asked for', async () => {
    const { body } = await actions({ to: called.contracts[caller], only_top_call: true, timeout: '5s' })
    expect([body.calls, body.output]).toEqual([[], '0xdeadbeef'])
  })

  it('says what it does not take', async () => {
    const [to] = called.contracts
    expect(messages(await actions({ to, estimate: true }))).toEqual([
      'estimate is not supported for action trace calls',
    ])
    expect(messages(await actions({ to, timeout: 'soon' }))).toEqual(['Invalid timeout: soon'])
    expect((await actions({ to }, { headers: { 'accept-encoding': 'br' } })).status).toBe(406)
    expect((await actions({ to }, { of: openApp({ traces: false }) })).status).toBe(501)
    expect(messageOf(await actions({ to, from: nowhere }))).toBe('PAYER_ACCOUNT_NOT_FOUND')
  })
})

describe('POST /contracts/simulate', () => {
  it('runs each call on what those before it left, block by block', async () => {
    const [to] = called.contracts
    const own = called.contracts[teller]
    const { status, body } = await simulate({
      block_state_calls: [
        { calls: [{ to }, { to, gas: '0x186a0' }, { to: called.contracts[caller] }] },
        {
          block_override: { time: '0x9' },
          state_overrides: [{ address: to, state_diff: [{ key: word(0), value: word(40) }] }],
          calls: [{ to }, { to: own }],
        },
      ],
    })
    expect(status).toBe(200)
    const results = body.result
    expect(results.map((result) => [result.status, result.return_data])).toEqual([
      ['0x1', word(1)],
      ['0x1', word(2)],
      ['0x0', '0xdeadbeef'],
      ['0x1', word(41)],
      ['0x1', word(101) + word(9).slice(2)],
    ])
    expect(results[1]?.logs).toMatchObject([
      { address: to, block_number: 100, data: '0x', log_index: 1, removed: false, topics: [], transaction_index: 1 },
    ])
    expect(results[3]?.logs).toMatchObject([{ block_number: 101, log_index: 0, transaction_index: 0 }])
    expect(results[0]?.logs[0]).not.toMatchObject(hashOf(results[1]?.logs[0]))
  })

  it('tells hbar that moves as logs, and leaves it where it went', async () => {
    const to = called.contracts[owner]
    const calls = [{ from: senderAddress, to, value: '0x5' }, { to }]
    const { body } = await simulate({
      block_state_calls: [{ calls }],
      trace_transfers: true,
      validation: true,
    })
    expect(body.result[1]?.return_data).toBe(word(5))
    expect(body.result[0]?.logs).toMatchObject([{ address: `0x${'ee'.repeat(20)}`, data: word(5) }])
  })

  it('says what it does not take', async () => {
    const [to] = called.contracts
    const many = await simulate<Body>({ block_state_calls: [{ calls: Array.from({ length: 17 }, () => ({ to })) }] })
    expect(messages(many)).toEqual(['blockStateCalls field must hold at most 16 calls'])
    const wrong = await simulate<Body>({ block_state_calls: [{ calls: [{ to: '0x1', gas: 1 }, { value: 1 }] }] })
    expect(messages(wrong)).toEqual([
      'blockStateCalls[0].calls[0].to field invalid hexadecimal string',
      'blockStateCalls[0].calls[0].gas field must be greater than or equal to 21000',
      'blockStateCalls[0].calls[1].from field must not be empty',
    ])
    expect((await simulate({ block_state_calls: [{ calls: [{ to }] }] }, openApp({ simulations: false }))).status).toBe(
      501,
    )
  })
})

describe('what the log lacks', () => {
  const missing = 'The call needs the code of contract 0.0.2006, which the log does not say'

  it('is named, whatever asks for it', async () => {
    const to = called.contracts[unknown]
    const simulated = await simulate<Body>({ block_state_calls: [{ calls: [{ to: nowhere }, { to }] }] })
    for (const answer of [await call(unknown), await actions({ to }), simulated])
      expect([answer.status, messages(answer)]).toEqual([501, [missing]])
  })

  it('is no more needed where the call says it itself', async () => {
    const state_overrides = [{ address: called.contracts[unknown], code: reading }]
    expect((await call(unknown, { state_overrides })).body).toEqual({ result: word(0) })
  })
})

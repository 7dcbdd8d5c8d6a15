import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { type CallLedger, openCallLedger, senderAddress } from '#test/evm/call-ledger.ts'

/** One more than slot 0 held, which is 7. */
const counting = '5f5460010180' + '5f5500'
/** What slot 0 holds. */
const reading = '5f545f5260205ff3'
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

let called: CallLedger

beforeAll(async () => {
  const storage = { [word(0)]: word(8) }
  const wrote = { [word(0)]: [word(7), word(8)] } as const
  called = await openCallLedger(
    [{ code: counting, storage }, reading],
    [
      { contract: 0, gas: 100_000, data: '0x', wrote },
      { contract: 1, gas: 100_000, data: '0x' },
    ],
  )
})

afterAll(() => called.ledger.close())

async function get(path: string, traces = true) {
  const app = called.ledger.app({ contractCalls: { ...defaultCallSettings, traces } })
  try {
    const answer = await app.inject(`/api/v1/contracts/results/${path}`)
    return { status: answer.statusCode, body: answer.json<{ pre: object[]; post: object[] }>() }
  } finally {
    await app.close()
  }
}

describe('GET /contracts/results/{id}/prestate', () => {
  it('shows the accounts that a transaction touched as they were before it', async () => {
    const { status, body } = await get(`${called.hashes[0]}/prestate?code=true&storage=true`)
    expect(status).toBe(200)
    expect(body.post).toEqual([])
    expect(body.pre).toMatchObject([
      { address: senderAddress, code: '', storage: {} },
      { address: called.contracts[0], balance: '0x0', code: `0x${counting}`, storage: { [word(0)]: word(7) } },
    ])
  })

  it('shows neither code nor storage unless they are asked for', async () => {
    const { body } = await get(`${called.hashes[0]}/prestate`)
    expect(body.pre[1]).toEqual({ address: called.contracts[0], balance: '0x0', code: null, nonce: 0, storage: {} })
  })

  it('shows what changed, before and after', async () => {
    const { body } = await get(`${called.hashes[0]}/prestate?diff=true&storage=true`)
    const account = { address: called.contracts[0], balance: '0x0', code: null, nonce: 0 }
    expect(body).toEqual({
      pre: [{ ...account, storage: { [word(0)]: word(7) } }],
      post: [{ ...account, storage: { [word(0)]: word(8) } }],
    })
    // What was only looked at changed nothing.
    expect((await get(`${called.hashes[1]}/prestate?diff=true&storage=true`)).body).toEqual({ pre: [], post: [] })
  })

  it('says what it does not know, and what is not done here', async () => {
    expect((await get('0.0.1001-1-2/prestate')).status).toBe(404)
    expect((await get(`${called.hashes[0]}/prestate?diff=maybe`)).status).toBe(400)
    expect((await get(`${called.hashes[0]}/prestate`, false)).status).toBe(501)
  })
})

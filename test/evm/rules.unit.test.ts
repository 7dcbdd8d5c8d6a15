import { describe, expect, it } from 'vitest'
import type { CallRequest } from '#src/evm/call-request.ts'
import { newestRules, rulesAt, rulesOf } from '#src/evm/rules.ts'
import { runCall } from '#src/evm/run-call.ts'
import { noTokens } from '#test/evm/stated-tokens.ts'
import { type StatedLedger, vectorState } from '#test/evm/vector-state.ts'

const reader = '0x00000000000000000000000000000000000007d1'
const stated: StatedLedger = {
  block: {
    number: 1_000,
    timestamp: 1,
    hash: `0x${'ab'.repeat(48)}`,
    hashes: { 744: `0x${'01'.repeat(48)}`, 743: `0x${'02'.repeat(48)}` },
  },
  nextEntity: 10_000,
  accounts: [
    { id: 2, type: 'ACCOUNT', balance: '4000000000000000000' },
    // BLOCKHASH of what is asked for: PUSH0, CALLDATALOAD, BLOCKHASH, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN.
    { id: 2_001, type: 'CONTRACT', balance: '0', code: '0x5f35405f5260205ff3' },
  ],
  ...noTokens,
  schedules: [],
}

function run(version: string, request: Partial<CallRequest>) {
  const whole = {
    from: undefined,
    to: reader,
    data: new Uint8Array(0),
    gas: 1_000_000n,
    gasPrice: 0n,
    value: 0n,
    ...request,
  } as const
  return runCall(whole, vectorState(stated), { rules: rulesOf(version)!, chainId: 296, validatePayerBalance: false })
}

describe('rules of a block', () => {
  it.each([
    ['0.11.0', '0.30'],
    ['0.30.2', '0.30'],
    ['0.37.9', '0.34'],
    ['0.49.0', '0.46'],
    ['0.64.1', '0.51'],
    ['0.76.5', '0.67'],
    ['0.77.0', '0.77'],
    ['1.2.0', '0.77'],
  ])('of version %s are those of %s', (hapi, version) => {
    expect(rulesAt(hapi).version).toBe(version)
  })

  it('are the newest where its version is not known', () => {
    expect(rulesAt(undefined)).toBe(newestRules)
  })
})

describe('what differs with versions', () => {
  /** 100 bytes that are not zero, for an address where nothing is. */
  const data = Buffer.alloc(100, 1)
  const to = `0x${'c0'.repeat(20)}` as const

  it('is what call data costs at least', async () => {
    expect((await run('0.67', { to, data })).gasUsed).toBe(21_000n + 1_600n)
    expect((await run('0.77', { to, data })).gasUsed).toBe(21_000n + 4_000n)
    expect((await run('0.77', { to, data, gas: 24_999n })).response).toBe('INSUFFICIENT_GAS')
  })

  it('is which contracts the EVM has built in', async () => {
    // The sum of no points and no points is none: two points at infinity.
    const request = {
      to: '0x000000000000000000000000000000000000000b',
      data: Buffer.alloc(256),
      gas: 100_000n,
    } as const
    expect(await run('0.67', request)).toMatchObject({ output: new Uint8Array(0), gasUsed: 100_000n })
    const added = await run('0.77', request)
    expect([added.response, Buffer.from(added.output)]).toEqual(['SUCCESS', Buffer.alloc(128)])
  })

  it('is what an account costs that hbar makes', async () => {
    const request = { from: '0x0000000000000000000000000000000000000002', to, value: 1n } as const
    expect((await run('0.67', request)).gasUsed).toBe(21_000n + 554_517n)
    expect((await run('0.77', request)).gasUsed).toBe(21_000n + 586_854n)
  })

  it('is no longer which blocks have a hash: the last 256 and the present one', async () => {
    const asked = async (number: number) => {
      const data = Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
      return Buffer.from((await run('0.67', { data })).output).toString('hex', 0, 1)
    }
    expect(await Promise.all([743, 744, 1_000, 1_001].map(asked))).toEqual(['00', '01', 'ab', '00'])
  })
})

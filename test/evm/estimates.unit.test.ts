import { describe, expect, it } from 'vitest'
import { estimateGas } from '#src/evm/estimate-gas.ts'
import { newestRules } from '#src/evm/rules.ts'
import { runCall } from '#src/evm/run-call.ts'
import { noTokens } from '#test/evm/stated-tokens.ts'
import { vectorState } from '#test/evm/vector-state.ts'

const contract = '0x00000000000000000000000000000000000007d1'
const sender = '0x00000000000000000000000000000000000003e9'
const codes = [
  { what: 'writes a slot, and looks at nothing', code: '600160005500', isBlind: true },
  { what: 'clears a slot, for which gas is given back', code: '5f60015500', isBlind: true },
  { what: 'has no code', code: '', isBlind: true },
  { what: 'wants 100,000 gas left before it does anything', code: '620186a05a11600c575f5ffd5b00', isBlind: false },
  { what: 'writes as much as the limit of the block', code: '45600055', isBlind: false },
  { what: 'looks at what its sender has left', code: '33315f5500', isBlind: false },
  { what: 'calls itself with all that it may, once', code: '36600d575f5f60015f5f305af15b00', isBlind: false },
] as const

function runOf(code: string) {
  const state = vectorState({
    block: { number: 9, timestamp: 1, hash: `0x${'ab'.repeat(48)}`, hashes: {} },
    nextEntity: 10_000,
    accounts: [
      { id: 2, type: 'ACCOUNT', balance: '4000000000000000000' },
      { id: 1_001, type: 'ACCOUNT', balance: '1000000000000000000' },
      { id: 2_001, type: 'CONTRACT', balance: '0', code: `0x${code}`, storage: { '0x1': '0x5' } },
    ],
    ...noTokens,
    schedules: [],
  })
  const settings = { rules: newestRules, chainId: 296, validatePayerBalance: true }
  const request = { from: sender, to: contract, data: new Uint8Array(0), gasPrice: 0n, value: 0n } as const
  return (gas: bigint) => runCall({ ...request, gas }, state, settings)
}

describe('an estimate of a contract that', () => {
  it.each(codes)('$what is what all runs would say, and suffices', async ({ code, isBlind }) => {
    const run = runOf(code)
    let runs = 0
    const counted = (gas: bigint) => {
      runs += 1
      return run(gas)
    }
    const found = await estimateGas(15_000_000n, counted)
    const plain = await estimateGas(15_000_000n, async (gas) => ({ ...(await run(gas)), gasNeeded: undefined }))
    expect(found).toBe(plain)
    expect((await run(found as bigint)).response).toBe('SUCCESS')
    expect(runs === 2).toBe(isBlind)
  })

  it.each(codes.filter(({ isBlind }) => isBlind))('$what says the least that it needs', async ({ code }) => {
    const run = runOf(code)
    const { gasNeeded, gasUsed } = await run(15_000_000n)
    expect(await run(gasNeeded!)).toMatchObject({ response: 'SUCCESS', gasUsed })
    expect((await run(gasNeeded! - 1n)).response).toBe('INSUFFICIENT_GAS')
  })
})

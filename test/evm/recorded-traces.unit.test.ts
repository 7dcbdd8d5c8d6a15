import { expect, it } from 'vitest'
import { rulesOf } from '#src/evm/rules.ts'
import type { RecordedCall } from '#src/evm/trace/recorded-calls.ts'
import { traceCall } from '#src/evm/trace/trace-call.ts'
import { noTokens } from '#test/evm/stated-tokens.ts'
import { vectorState } from '#test/evm/vector-state.ts'

/** Calls the token service with nothing: CALL(gas, 0x167, 0, 0, 0, 0, 0). */
const callingService = '5f5f5f5f5f6101675af150'
/** The same one frame further down, and once more on top: what was returned is as long as RETURNDATASIZE says. */
const outer = `5f5f5f5f5f6107d25af150${callingService}3d00`
const inner = `${callingService}${callingService}00`

const recorded = (depth: number, outcome: RecordedCall['outcome'], data: string): RecordedCall => ({
  depth,
  input: new Uint8Array(0),
  gasUsed: 100n,
  outcome,
  data: Buffer.from(data, 'hex'),
})

interface Told {
  readonly op: string
  readonly depth: number
  readonly reason: string | null
  readonly stack: readonly string[]
}

async function stepsOf(calls: readonly RecordedCall[]): Promise<readonly Told[]> {
  const texts: string[] = []
  const account = { balance: '0', type: 'CONTRACT' as const }
  const state = vectorState({
    block: { number: 1, timestamp: 1, hash: `0x${'ab'.repeat(48)}`, hashes: {} },
    nextEntity: 10_000,
    accounts: [
      { id: 2, type: 'ACCOUNT', balance: '4000000000000000000' },
      { ...account, id: 2_001, code: `0x${outer}` },
      { ...account, id: 2_002, code: `0x${inner}` },
    ],
    ...noTokens,
    schedules: [],
  })
  const to = '0x00000000000000000000000000000000000007d1' as const
  const request = { from: undefined, to, data: new Uint8Array(0), gas: 1_000_000n, gasPrice: 0n, value: 0n }
  const settings = { rules: rulesOf('0.67')!, chainId: 298, validatePayerBalance: false }
  const shown = { stack: true, memory: false, storage: false }
  await traceCall(
    { kind: 'trace', request, settings, shown, newContract: undefined, recorded: calls, head: '{' },
    state,
    {
      write: (text) => void texts.push(text),
      room: () => undefined,
    },
  )
  return (JSON.parse(texts.join('')) as { opcodes: Told[] }).opcodes
}

/** `Error(string)`. */
function told(text: string): string {
  const hex = Buffer.from(text).toString('hex')
  const word = (value: number) => value.toString(16).padStart(64, '0')
  return `0x08c379a0${word(32)}${word(text.length)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}

it('steps in services are told as they were recorded, each with its own reason by depth and order', async () => {
  const steps = await stepsOf([
    recorded(1, 'reverted', '00b2'),
    recorded(2, 'reverted', Buffer.from('not today').toString('hex')),
    recorded(2, 'output', '2a'),
  ])
  const services = steps.filter(({ op }) => op === '')
  expect(services.map(({ depth, reason }) => [depth, reason])).toEqual([
    [2, told('not today')],
    [2, null],
    [1, told('INSUFFICIENT_TOKEN_BALANCE')],
  ])
  // Contracts do not see why a service reverted.
  expect(steps.find(({ op }) => op === 'RETURNDATASIZE')?.stack).toEqual(['0x0000000000000000'])
})

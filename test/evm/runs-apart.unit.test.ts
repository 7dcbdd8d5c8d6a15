import { expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import type { CallRequest } from '#src/evm/call-request.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { rulesOf } from '#src/evm/rules.ts'
import { runCall } from '#src/evm/run-call.ts'
import { noTokens } from '#test/evm/stated-tokens.ts'
import { vectorState } from '#test/evm/vector-state.ts'

const contract = '0x00000000000000000000000000000000000007d1'
/** Returns slot 0 and what is kept in place 1 for the transaction, and writes both. */
const writing = '5f545f5260015c602052600760015d60095f5560405ff3'
/** Has itself write slot 0 and revert, and returns the slot. */
const reverting = '36601657' + '5f5f60015f5f305af1505f545f5260205ff3' + '5b60095f555f5ffd'
/** Jumps over what is no code, and has PUSH0 there; so long that what is found out about it is kept. */
const jumping = Buffer.from(`61012c56${'fe'.repeat(296)}5b5f5ff3`, 'hex')

function stateOf(code: Buffer, slot = ''): LedgerState {
  const accounts = [
    { id: 2, type: 'ACCOUNT', balance: '4000000000000000000' },
    { id: 2_001, type: 'CONTRACT', balance: '0' },
  ] as const
  const block = { number: 9, timestamp: 1, hash: `0x${'ab'.repeat(48)}`, hashes: {} }
  const state = vectorState({ block, nextEntity: 10_000, accounts, ...noTokens, schedules: [] })
  return { ...state, code: async () => code, slot: async () => Buffer.from(slot, 'hex') }
}

function run(state: LedgerState, version = '0.67', request: Partial<CallRequest> = {}) {
  const settings = { rules: rulesOf(version)!, chainId: 296, validatePayerBalance: false }
  const none = { from: undefined, data: new Uint8Array(0), gasPrice: 0n, value: 0n }
  return runCall({ ...none, to: contract, gas: 100_000n, ...request }, state, settings)
}

const word = (hex: string) => hex.padStart(64, '0')

it('a run finds nothing of one before it: neither what was written, nor what was warm', async () => {
  const state = stateOf(Buffer.from(writing, 'hex'))
  const first = await run(state)
  expect(Buffer.from(first.output).toString('hex')).toBe(word('') + word(''))
  expect(await run(state)).toEqual(first)
  const creation = { to: undefined, data: Buffer.from(writing, 'hex') }
  const created = await run(state, '0.67', creation)
  expect(created.response).toBe('SUCCESS')
  expect(await run(state, '0.67', creation)).toEqual(created)
})

it('what is taken back is what the run itself did', async () => {
  const state = stateOf(Buffer.from(reverting, 'hex'), '05')
  for (let each = 0; each < 2; each++) expect(Buffer.from((await run(state)).output).toString('hex')).toBe(word('05'))
})

it('a run that ends for want of a fact leaves nothing to the next', async () => {
  const state = stateOf(Buffer.from(writing, 'hex'))
  const first = await run(state)
  const unknown = { ...state, slot: () => Promise.reject(new LedgerError('fact_unknown', 'slot 0')) }
  await expect(run(unknown)).rejects.toThrow('slot 0')
  expect(await run(state)).toEqual(first)
})

it('runs at the same time see their own ledgers', async () => {
  const slots = ['01', '02', '03', '04']
  const ended = await Promise.all(slots.map((slot) => run(stateOf(Buffer.from(writing, 'hex'), slot))))
  expect(ended.map(({ output }) => Buffer.from(output).toString('hex'))).toEqual(
    slots.map((slot) => word(slot) + word('')),
  )
})

it('code that is known does by other rules what these say', async () => {
  const state = stateOf(jumping)
  const ended: string[] = []
  for (const version of ['0.67', '0.30', '0.67']) ended.push((await run(state, version)).response)
  expect(ended).toEqual(['SUCCESS', 'CONTRACT_EXECUTION_EXCEPTION', 'SUCCESS'])
})

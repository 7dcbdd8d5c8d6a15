import { afterEach, describe, expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import type { EntityFacts, LedgerState } from '#src/evm/ledger-state.ts'
import { rulesOf } from '#src/evm/rules.ts'
import { CallThreads, defaultCallThreads } from '#src/evm/threads/call-threads.ts'
import type { CallJob } from '#src/evm/threads/messages.ts'
import { scheduleLedger } from '#test/evm/stated-schedules.ts'
import { noTokens, tokenLedger } from '#test/evm/stated-tokens.ts'

/** JUMPDEST, PUSH1 0, JUMP. */
const endlessCode = Buffer.from('5b600056', 'hex')
/** PUSH1 42, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const returningCode = Buffer.from('602a60005260206000f3', 'hex')
/** Keeps another slot for the transaction, again and again: PUSH0, JUMPDEST, DUP1, DUP1, TSTORE, PUSH1 1, ADD, PUSH1 1, JUMP. */
const hungryCode = Buffer.from('5f5b80805d600101600156', 'hex')
const hungry = 2_000n
const endless = 2_001n
const returning = 2_002n
const treasury = 2n

const facts = { evmAddress: null, balance: 4_000_000_000_000_000_000n, nonce: 0n, key: null }
const kinds = new Map<bigint, EntityFacts['kind']>([
  [treasury, 'account'],
  [hungry, 'contract'],
  [endless, 'contract'],
  [returning, 'contract'],
])

const codes = new Map([
  [hungry, hungryCode],
  [endless, endlessCode],
])

const state: LedgerState = {
  ...tokenLedger({ accounts: [], ...noTokens }),
  ...scheduleLedger([]),
  block: async () => ({ number: 1n, timestamp: 1_700_000_000n, hash: Buffer.alloc(48, 1) }),
  prices: async () => ({ gasPrice: 852_000n, hbars: 1n, cents: 12n }),
  entity: async (id) => {
    const kind = kinds.get(id)
    return kind && { ...facts, id, kind }
  },
  entityAt: async () => undefined,
  code: async (id) => codes.get(id) ?? returningCode,
  slot: async () => new Uint8Array(0),
  blockHash: async () => undefined,
  lastEntity: async () => 3_000n,
}

function callOf(contract: bigint): CallJob {
  return {
    kind: 'call',
    request: {
      from: undefined,
      to: `0x${contract.toString(16).padStart(40, '0')}`,
      data: new Uint8Array(0),
      gas: 15_000_000n,
      gasPrice: 0n,
      value: 0n,
    },
    settings: { rules: rulesOf('0.67')!, chainId: 298, validatePayerBalance: true },
  }
}

const open: CallThreads[] = []

function openThreads(options: Partial<typeof defaultCallThreads> = {}): CallThreads {
  const threads = new CallThreads({ ...defaultCallThreads, ...options })
  open.push(threads)
  return threads
}

afterEach(async () => {
  for (const threads of open.splice(0)) await threads.close()
})

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'answered'
  } catch (error) {
    return isLedgerError(error) ? error.code : String(error)
  }
}

describe('threads that run contracts', () => {
  it('answer a call from facts that they ask for', async () => {
    const outcome = await openThreads().run(callOf(returning), state)
    expect(outcome).toMatchObject({ response: 'SUCCESS', gasUsed: 21_018n })
  })

  it('leave the event loop of whoever asks free while a loop takes 15,000,000 gas', { timeout: 30_000 }, async () => {
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }, 5)
    const outcome = await openThreads({ deadlineMs: 25_000 }).run(callOf(endless), state)
    clearInterval(timer)
    expect(outcome).toMatchObject({ response: 'INSUFFICIENT_GAS', gasUsed: 15_000_000n })
    expect(longest).toBeLessThan(1_000)
  })

  it('end a call at its deadline, and answer the next one on another thread', { timeout: 30_000 }, async () => {
    const deadlineMs = 2_000
    const threads = openThreads({ threads: 1, deadlineMs })
    const job = callOf(endless)
    const longer = { ...job, request: { ...job.request, gas: 1_000_000_000n } }
    const begun = performance.now()
    expect(await codeOf(threads.run(longer, state))).toBe('unavailable')
    expect(performance.now() - begun).toBeLessThan(deadlineMs + 250)
    expect(await codeOf(threads.run(callOf(returning), state))).toBe('answered')
  })

  it('refuse at once what finds too many waiting', async () => {
    const threads = openThreads({ threads: 1, waitingMax: 1, deadlineMs: 2_000 })
    const first = codeOf(threads.run(callOf(endless), state))
    const second = codeOf(threads.run(callOf(returning), state))
    const begun = performance.now()
    expect(await codeOf(threads.run(callOf(returning), state))).toBe('overloaded')
    expect(performance.now() - begun).toBeLessThan(100)
    await threads.close()
    expect(await first).toBe('unavailable')
    expect(await second).toBe('unavailable')
  })

  it('keep waiting what is quick, and refuse soon what is likely to be too late', { timeout: 30_000 }, async () => {
    const threads = openThreads({ threads: 1, deadlineMs: 20_000 })
    await threads.run(callOf(returning), state)
    // By its gas, 9 s: the longest that is waited for.
    const long = { ...callOf(endless), request: { ...callOf(endless).request, gas: 30_000_000n } }
    const first = codeOf(threads.run(long, state))
    const begun = performance.now()
    const quick = codeOf(threads.run(callOf(returning), state))
    expect(await codeOf(threads.run(long, state))).toBe('overloaded')
    expect(performance.now() - begun).toBeLessThan(1_000)
    expect(await Promise.all([first, quick])).toEqual(['answered', 'answered'])
  })

  // Other tests may have the cores for a moment.
  it('keep waiting many of which nobody knows yet that they are quick', { retry: 4 }, async () => {
    const threads = openThreads()
    const calls = Array.from({ length: defaultCallThreads.waitingMax }, (_, at) => {
      const job = callOf(returning)
      return { ...job, request: { ...job.request, data: Buffer.from([0, 0, 0, at]) } }
    })
    const ends = await Promise.all(calls.map((call) => codeOf(threads.run(call, state))))
    expect(new Set(ends)).toEqual(new Set(['answered']))
  })

  it('that run out of memory take their own call alone, and others come in their place', {
    timeout: 60_000,
  }, async () => {
    const threads = openThreads({ threads: 2, deadlineMs: 50_000, heap: { youngMiB: 8, oldMiB: 48 } })
    const calls = [hungry, returning, hungry, returning, returning, returning, returning]
    const ends = await Promise.all(calls.map((contract) => codeOf(threads.run(callOf(contract), state))))
    expect(ends).toEqual(calls.map((contract) => (contract === hungry ? 'unavailable' : 'answered')))
    expect(threads.ended).toEqual({ done: 5, refused: 0, failed: 2 })
  })

  it('tell whoever asked what the ledger does not say', async () => {
    const unknown: LedgerState = { ...state, entity: async (id) => ({ ...facts, id, kind: 'account', balance: null }) }
    const job = callOf(returning)
    const paid = { ...job, request: { ...job.request, from: job.request.to, value: 1n } }
    expect(await codeOf(openThreads().run(paid, unknown))).toBe('fact_unknown')
  })
})

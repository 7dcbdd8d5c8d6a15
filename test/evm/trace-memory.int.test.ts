import { once } from 'node:events'
import { createGunzip } from 'node:zlib'
import { expect, it } from 'vitest'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { rulesOf } from '#src/evm/rules.ts'
import { CallThreads } from '#src/evm/threads/call-threads.ts'
import type { TraceJob } from '#src/evm/threads/messages.ts'
import { noTokens } from '#test/evm/stated-tokens.ts'
import { vectorState } from '#test/evm/vector-state.ts'

/** A million is what a trace may well have; a test of every day makes fewer. */
const steps = Number(process.env['LEDGER_TEST_TRACE_STEPS'] ?? 30_000)
/** Nine words of memory, then JUMPDEST, PUSH1 6, JUMP for as long as there is gas: 12 of it for three steps. */
const looping = '0x60016101005' + '25b600656'
const [before, loopSteps, loopGas] = [4, 3, 12]
const mebibyte = 1 << 20
/** Of the thread, whose steps are told and forgotten; and of what lies between it and who reads. */
const heap = { youngMiB: 16, oldMiB: 64 }
const betweenMax = 64 * mebibyte

it(`a trace of ${steps.toLocaleString('en')} steps with all that each shows takes a thread of ${heap.oldMiB} MiB (LEDGER_TEST_TRACE_STEPS)`, {
  timeout: 600_000,
}, async () => {
  const threads = new CallThreads({ threads: 1, waitingMax: 0, deadlineMs: 600_000, heap })
  const started = outsideHeap()
  let [peak, told, bytes] = [0, 0, 0]
  const text = createGunzip()
  const counted = new Promise<void>((resolve, reject) => text.once('end', resolve).once('error', reject))
  let rest = ''
  let taken = Promise.resolve(true)
  text.on('data', (part: Buffer) => {
    const chunk = rest + part.toString('latin1')
    told += chunk.split('"op":').length - 1
    rest = chunk.slice(-4)
    bytes += part.length
  })
  try {
    await threads.run(jobOf(steps), state(), {
      takePart: (part) => {
        peak = Math.max(peak, outsideHeap() - started)
        // One after the other, as who sends them on takes them.
        taken = taken.then(async () => {
          if (!text.write(part)) await once(text, 'drain')
          return true
        })
        return taken
      },
    })
    await taken
    text.end()
    await counted
  } finally {
    await threads.close()
  }
  const stepsOfGas = before + Math.floor(steps / loopSteps) * loopSteps
  expect(told).toBeGreaterThanOrEqual(stepsOfGas)
  // All of it at once would not fit: each step shows nine words and its stack.
  expect(bytes).toBeGreaterThan(told * 700)
  expect(peak).toBeLessThan(betweenMax)
})

function outsideHeap(): number {
  const { arrayBuffers, external } = process.memoryUsage()
  return arrayBuffers + external
}

function jobOf(count: number): TraceJob {
  const gas = 21_000n + 50n + BigInt(Math.floor(count / loopSteps) * loopGas)
  return {
    kind: 'trace',
    request: {
      from: undefined,
      to: '0x00000000000000000000000000000000000007d1',
      data: new Uint8Array(0),
      gas,
      gasPrice: 0n,
      value: 0n,
    },
    settings: { rules: rulesOf('0.67')!, chainId: 298, validatePayerBalance: false },
    shown: { stack: true, memory: true, storage: true },
    newContract: undefined,
    recorded: undefined,
    head: '{',
  }
}

function state(): LedgerState {
  return vectorState({
    block: { number: 1, timestamp: 1, hash: `0x${'ab'.repeat(48)}`, hashes: {} },
    nextEntity: 10_000,
    accounts: [
      { id: 2, type: 'ACCOUNT', balance: '4000000000000000000' },
      { id: 2_001, type: 'CONTRACT', balance: '0', code: looping },
    ],
    ...noTokens,
    schedules: [],
  })
}

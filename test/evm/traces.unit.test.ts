import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import { rulesOf } from '#src/evm/rules.ts'
import { traceCall } from '#src/evm/trace/trace-call.ts'
import { type StatedLedger, vectorState } from '#test/evm/vector-state.ts'

const folder = new URL('../../../shared/conformance/evm/', import.meta.url)

interface TraceVector {
  readonly name: string
  readonly request: {
    readonly call: { readonly from: HexAddress; readonly to: HexAddress; readonly gas: number; readonly data: string }
    readonly query: { readonly stack: boolean; readonly memory: boolean; readonly storage: boolean }
  }
  readonly expected: { readonly opcodes: readonly object[]; readonly note?: string }
}

interface Trace {
  readonly opcodes: readonly object[]
}

/** Traces that are told as the network tells them. They only become more. */
const floor = 8

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as T
}

async function traceOf({ request: { call, query } }: TraceVector, stated: StatedLedger): Promise<Trace> {
  const texts: string[] = []
  await traceCall(
    {
      kind: 'trace',
      request: {
        from: call.from,
        to: call.to,
        gas: BigInt(call.gas),
        gasPrice: 0n,
        value: 0n,
        data: Buffer.from(call.data.slice(2), 'hex'),
      },
      settings: { rules: rulesOf('0.67')!, chainId: 296, validatePayerBalance: false },
      shown: query,
      newContract: undefined,
      recorded: undefined,
      head: '{',
    },
    vectorState(stated),
    { write: (text) => void texts.push(text), room: () => undefined },
  )
  return JSON.parse(texts.join('')) as Trace
}

async function differenceOf(vector: TraceVector, stated: StatedLedger): Promise<string | undefined> {
  const { note: _, ...expected } = vector.expected
  const whole = {
    ...expected,
    opcodes: expected.opcodes.map((step) => ({ memory: [], storage: {}, ...step })),
  }
  try {
    const trace = await traceOf(vector, stated)
    const at = whole.opcodes.findIndex((step, index) => !isSame(step, trace.opcodes[index]))
    if (at >= 0) return `${vector.name} ${at}: ${JSON.stringify([whole.opcodes[at], trace.opcodes[at]])}`
    return isSame(whole, trace) ? undefined : `${vector.name}: it ends otherwise`
  } catch (error) {
    if (!isLedgerError(error, 'not_implemented')) throw error
    return `${vector.name}: ${error.message}`
  }
}

function isSame(expected: object, found: object | undefined): boolean {
  try {
    expect(found).toEqual(expected)
    return true
  } catch {
    return false
  }
}

describe('traces that the network tells', () => {
  if (!existsSync(folder)) {
    it.skip(`are not there: ${folder.pathname} is missing`, () => {})
    return
  }
  it(`agree step by step: at least ${floor}`, async () => {
    const { vectors } = read<{ vectors: readonly TraceVector[] }>('opcodes')
    const stated = read<StatedLedger>('state')
    const differences: string[] = []
    for (const vector of vectors) {
      const difference = await differenceOf(vector, stated)
      if (difference !== undefined) differences.push(difference)
    }
    expect(vectors.length - differences.length, differences.join('\n')).toBeGreaterThanOrEqual(floor)
  })
})

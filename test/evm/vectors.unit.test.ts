import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderOutcome } from '#queries/contract-calls/render.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import type { CallRequest } from '#src/evm/call-request.ts'
import { estimateGas } from '#src/evm/estimate-gas.ts'
import { newestRules, rulesOf } from '#src/evm/rules.ts'
import { runCall } from '#src/evm/run-call.ts'
import type { CallOutcome } from '#src/evm/threads/messages.ts'
import { type StatedLedger, vectorState } from '#test/evm/vector-state.ts'

const folder = new URL('../../../shared/conformance/evm/', import.meta.url)

interface Vector {
  readonly name: string
  readonly evmVersion?: string
  readonly config?: { readonly validatePayerBalance?: boolean }
  readonly request: { readonly body: VectorBody }
  readonly expected: { readonly status: number; readonly body: unknown; readonly gasUsed?: number }
}

interface VectorBody {
  readonly from?: HexAddress
  readonly to?: HexAddress
  readonly data?: string
  readonly gas?: number
  readonly value?: number
  readonly gasPrice?: number
  readonly estimate?: boolean
}

const pinned = '0.67'
/** What the rules of today change of the vectors of plain EVM, which are of an earlier version: gas, and contracts that came since. */
const changedSince = { gas: 6, outcome: 0 }

/** Vectors that agree in status, body and gas. A number falls only where something broke. */
const floors = [
  ['evm', 128],
  ['evm-versions', 153],
  ['estimate', 12],
  ['payer', 4],
  ['system', 56],
  ['token-facade', 66],
  ['hts', 89],
  ['hts-mutating', 81],
  ['schedule', 12],
] as const

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as T
}

function run({ evmVersion = pinned, config, request: { body } }: Vector, stated: StatedLedger): Promise<CallOutcome> {
  const state = vectorState(stated)
  const rules = rulesOf(evmVersion)!
  const settings = { rules, chainId: 296, validatePayerBalance: config?.validatePayerBalance ?? false }
  const request: CallRequest = {
    from: body.from,
    to: body.to,
    data: Buffer.from((body.data ?? '').replace(/^0x/, ''), 'hex'),
    gas: BigInt(body.gas ?? 15_000_000),
    gasPrice: BigInt(body.gasPrice ?? 0),
    value: BigInt(body.value ?? 0),
  }
  if (body.estimate !== true) return runCall(request, state, settings)
  return estimateGas(request.gas, (gas) => runCall({ ...request, gas }, state, settings))
}

/** What differs; undefined where nothing does. Functions that are not run yet say so. */
async function differenceOf(vector: Vector, stated: StatedLedger): Promise<string | undefined> {
  const { expected } = vector
  try {
    const outcome = await run(vector, stated)
    const { body, status = 200 } = renderOutcome(outcome)
    const gas = typeof outcome === 'bigint' ? undefined : Number(outcome.gasUsed)
    const isSame =
      status === expected.status &&
      JSON.stringify(JSON.parse(body)) === JSON.stringify(expected.body) &&
      (gas === undefined || expected.gasUsed === undefined || gas === expected.gasUsed)
    return isSame ? undefined : `${vector.name}: ${status} ${body.slice(0, 200)} gas ${gas}`
  } catch (error) {
    if (!isLedgerError(error, 'not_implemented')) throw error
    return `${vector.name}: ${error.message}`
  }
}

async function outcomeOf(vector: Vector, evmVersion: string, stated: StatedLedger) {
  try {
    const outcome = await run({ ...vector, evmVersion }, stated)
    return { body: renderOutcome(outcome).body, gas: typeof outcome === 'bigint' ? outcome : outcome.gasUsed }
  } catch (error) {
    if (!isLedgerError(error, 'not_implemented')) throw error
    return { body: error.message, gas: 0n }
  }
}

describe('calls whose outcome on the network is known', () => {
  if (!existsSync(folder)) {
    it.skip(`are not there: ${folder.pathname} is missing`, () => {})
    return
  }
  const stated = read<StatedLedger>('state')
  for (const [file, floor] of floors) {
    it(`${file}: at least ${floor} agree in status, body and gas`, async () => {
      const { vectors } = read<{ vectors: readonly Vector[] }>(file)
      const differences: string[] = []
      for (const vector of vectors) {
        const difference = await differenceOf(vector, stated)
        if (difference !== undefined) differences.push(difference)
      }
      expect(vectors.length - differences.length, differences.join('\n')).toBeGreaterThanOrEqual(floor)
    })
  }

  it('differ under the rules of today in what these change, and in nothing else', async () => {
    const { vectors } = read<{ vectors: readonly Vector[] }>('evm')
    const changed = { gas: 0, outcome: 0 }
    for (const vector of vectors) {
      const [then, now] = [
        await outcomeOf(vector, pinned, stated),
        await outcomeOf(vector, newestRules.version, stated),
      ]
      if (then.body !== now.body) changed.outcome += 1
      else if (then.gas !== now.gas) changed.gas += 1
    }
    expect(changed).toEqual(changedSince)
  })
})

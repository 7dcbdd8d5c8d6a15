import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hexOf } from '#src/domain/bytes.ts'
import { keccak256 } from '#src/domain/keccak.ts'
import { decodeTuple } from '#src/evm/abi/decode.ts'
import { encodeTuple } from '#src/evm/abi/encode.ts'
import { type AbiValue, expandNames, parseTuple } from '#src/evm/abi/types.ts'
import { longZeroOf } from '#src/evm/addresses.ts'
import { rulesOf } from '#src/evm/rules.ts'
import { runCall } from '#src/evm/run-call.ts'
import { systemFunctions } from '#src/evm/services/services.ts'
import { tokenAbiNames } from '#src/evm/services/token/abi-names.ts'
import { type SystemCase, type SystemStep, systemCases } from '#test/evm/system/cases.ts'
import { sequenceCode } from '#test/evm/system/sequence-code.ts'
import { alice, runner, seenAs, systemWorld } from '#test/evm/system/world.ts'
import { vectorState } from '#test/evm/vector-state.ts'

const page = readFileSync(new URL('../../docs/reference/system-contracts.md', import.meta.url), 'utf8')
const vectorsFolder = new URL('../../../shared/conformance/evm/', import.meta.url)
const settings = { rules: rulesOf('0.67')!, chainId: 296, validatePayerBalance: false }
const gas = 15_000_000n
const wordBytes = 32

function dataOf({ signature, args }: SystemStep): Uint8Array {
  const whole = expandNames(signature, tokenAbiNames)
  const inputs = parseTuple(whole.slice(whole.indexOf('(')))
  return Buffer.concat([keccak256(Buffer.from(whole)).subarray(0, 4), encodeTuple(inputs, args)])
}

/** What the last of some steps returns, all of one transaction. */
async function returnedBy({ isOwn = false }: SystemCase, steps: readonly SystemStep[]): Promise<readonly AbiValue[]> {
  const last = steps.at(-1)!
  const code = sequenceCode(steps.map((step) => ({ to: step.to, data: dataOf(step), value: step.value ?? 0n })))
  const request = { from: seenAs(alice), gas, gasPrice: 0n, value: 0n }
  const call = isOwn
    ? { ...request, to: last.to === alice ? seenAs(alice) : longZeroOf(last.to), data: dataOf(last) }
    : { ...request, to: longZeroOf(runner), data: new Uint8Array(0) }
  const { response, output } = await runCall(call, vectorState(systemWorld(code)), settings)
  expect(response, last.signature).toBe('SUCCESS')
  const returned = isOwn ? output : output.subarray(wordBytes)
  const values = decodeTuple(parseTuple(expandNames(last.returns, tokenAbiNames)), returned)
  return values ?? [`0x${hexOf(returned)}`]
}

/** Lines of the page by selector: what shows each function. */
function shownBy(): Map<string, readonly string[]> {
  const rows = [...page.matchAll(/^\| `[^|]*` \| `0x([0-9a-f]{8})` \|.*\| ([^|]+) \|$/gm)]
  return new Map(rows.map(([, selector = '', shown = '']) => [selector, shown.trim().split('; ')]))
}

interface Vector {
  readonly name: string
  readonly request: { readonly body?: { readonly data?: string }; readonly call?: { readonly data?: string } }
}

function vectorNames(): Map<string, string> {
  const files = readdirSync(vectorsFolder).filter((file) => file.endsWith('.json') && file !== 'state.json')
  const all = files.flatMap(
    (file) => (JSON.parse(readFileSync(new URL(file, vectorsFolder), 'utf8')) as { vectors: Vector[] }).vectors,
  )
  return new Map(all.map(({ name, request: { body, call } }) => [name, body?.data ?? call?.data ?? '']))
}

describe('functions of the system contracts', () => {
  it.each(systemCases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    for (const [at, step] of each.steps.entries())
      expect(plain(await returnedBy(each, each.steps.slice(0, at + 1))), step.signature).toEqual(plain(step.expected))
  })

  it('are all on the page, each with what shows it', () => {
    const selectors = systemFunctions().map(({ selector }) => selector)
    expect([...shownBy().keys()].toSorted()).toEqual(selectors.toSorted())
  })

  it('are called by the case that the page names', () => {
    const cases = new Map(systemCases.map(({ name, steps }) => [name, steps.map((step) => hexOf(dataOf(step), 0, 4))]))
    for (const [selector, names] of shownBy())
      for (const name of names)
        if (!name.includes('/')) expect(cases.get(name) ?? [], `0x${selector}: ${name}`).toContain(selector)
  })

  it.skipIf(!existsSync(vectorsFolder))(
    'are called by the vector that the page names (skipped without ../shared)',
    () => {
      const vectors = vectorNames()
      for (const [selector, names] of shownBy())
        for (const name of names)
          if (name.includes('/')) expect(vectors.get(name) ?? '', `0x${selector}: ${name}`).toContain(selector)
    },
  )
})

/** Bytes of any kind compare by what they hold. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return `0x${hexOf(value)}`
  return Array.isArray(value) ? value.map(plain) : value
}

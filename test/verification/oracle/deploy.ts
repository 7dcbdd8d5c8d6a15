import { createEVM } from '@ethereumjs/evm'
import type { Compilers } from '#src/ports/compilers.ts'
import { readCompiledCode } from '#src/verification/compiled-code.ts'
import { parseJson, valueAt } from '#src/verification/json.ts'
import { settingsOf, standardJson } from '#src/verification/standard-json.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'
import type { Fixture } from '#test/verification/oracle/fixtures.ts'

export interface Deployed {
  readonly creation: Buffer
  readonly runtime: Buffer
}

export function inputOf(
  { sources, settings, target }: Fixture,
  compilerVersion: string,
  change = (text: string) => text,
): VerificationInput {
  const path = Object.keys(sources).find((label) => new RegExp(`(contract|library) ${target}\\b`).test(sources[label]!))
  return {
    language: 'Solidity',
    compilerVersion,
    sources: new Map(Object.entries(sources).map(([label, text]) => [label, change(text)])),
    settings,
    target: { name: target, path },
    libraries: [],
  }
}

/** Compiles a contract, links it with some addresses, and runs its creation. */
export async function deploy(fixture: Fixture, version: string, compilers: Compilers): Promise<Deployed> {
  const input = inputOf(fixture, version)
  const { signal } = new AbortController()
  const text = await compilers.use(version, (compile) => compile(standardJson(input, settingsOf(input), false)), signal)
  const made = valueAt(parseJson(text), 'contracts', input.target.path!, input.target.name, 'evm', 'bytecode')
  const code = readCompiledCode(made)
  if (code === undefined || code.bytes.length === 0)
    throw new Error(`${fixture.name} does not compile: ${text.slice(0, 2_000)}`)
  for (const { start, length, name } of code.links) code.bytes.fill(name.length, start, start + length)
  const creation = Buffer.concat([code.bytes, Buffer.from(fixture.given.slice(2), 'hex')])
  const evm = await createEVM()
  const { execResult } = await evm.runCall({ data: creation, gasLimit: 30_000_000n })
  if (execResult.exceptionError) throw new Error(`${fixture.name} is not created: ${execResult.exceptionError.error}`)
  return { creation, runtime: Buffer.from(execResult.returnValue) }
}

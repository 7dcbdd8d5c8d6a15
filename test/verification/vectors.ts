import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChainCode } from '#src/verification/chain-code.ts'
import { type JsonObject, objectOf } from '#src/verification/json.ts'
import type { Json, VerificationInput } from '#src/verification/verification-input.ts'

/** Contracts of the reference data, each with what it came to; beside the checkout, where they are there. */
const file = join(import.meta.dirname, '../../../shared/reference/data/verification/match-vectors.json')

export interface Vector {
  readonly id: string
  readonly form: 'single-file' | 'multi-file' | 'standard-json'
  readonly contract: { readonly bytecode: string | null; readonly runtime_bytecode: string }
  readonly explorerResponse: { readonly result: readonly [Readonly<Record<string, string>>] }
  readonly expected: Readonly<Record<string, unknown>>
  readonly expectedIgnoringLibrary?: Readonly<Record<string, unknown>>
}

/** Undefined where the reference data are not there. */
export function readVectors(): readonly Vector[] | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { cases: Vector[] }).cases : undefined
}

export function codeOf({ contract: { bytecode, runtime_bytecode } }: Vector): ChainCode {
  const creations = bytecode === null ? [] : [{ kind: 'init-code' as const, code: bytes(bytecode) }]
  return { runtime: bytes(runtime_bytecode), creations }
}

/** As the answer of an explorer says it, in the three forms that there are. */
export function inputOf({ form, explorerResponse }: Vector): VerificationInput {
  const [said] = explorerResponse.result
  const source = said['SourceCode']!
  const libraries = said['Library']!.split(';').flatMap((each) => {
    const [name, address] = each.split(':')
    return name && address ? [{ name, address }] : []
  })
  const common = {
    language: 'Solidity' as const,
    compilerVersion: said['CompilerVersion']!,
    target: { name: said['ContractName']!, path: said['ContractFileName'] || undefined },
    libraries,
  }
  if (form === 'standard-json') {
    const input = JSON.parse(source.slice(1, -1)) as { sources: Sources; settings: JsonObject }
    return { ...common, sources: textsOf(input.sources), settings: input.settings }
  }
  const sources =
    form === 'single-file' ? new Map([[`${common.target.name}.sol`, source]]) : textsOf(JSON.parse(source))
  const optimizer = { enabled: said['OptimizationUsed'] === '1', runs: Number(said['Runs']) }
  const settings: [string, Json][] = [
    ['optimizer', optimizer],
    ['evmVersion', said['EVMVersion']!],
  ]
  return { ...common, sources, settings: objectOf(settings) }
}

type Sources = Readonly<Record<string, { readonly content: string }>>

function textsOf(sources: Sources): Map<string, string> {
  return new Map(Object.entries(sources).map(([label, { content }]) => [label, content]))
}

function bytes(digits: string): Buffer {
  return Buffer.from(digits.slice(2), 'hex')
}

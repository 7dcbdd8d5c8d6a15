import { readFileSync } from 'node:fs'
import { hexBytes } from '#src/simulator/ids.ts'

/** The contracts of a simulated ledger; what they do is in the folder `solidity`. */
export type ContractCode =
  | 'token'
  | 'market'
  | 'factory'
  | 'teller'
  | 'collection'
  | 'proxy'
  | 'purse'
  | 'sums'
  | 'multicall'
  | 'pair'

interface Code {
  /** Without the constructor's arguments, which follow it. */
  readonly initcode: Buffer
  readonly runtime: Buffer
}

/** solc 0.8.30 of the sources, for the EVM of Cancun, optimizer on with 200 runs, without metadata. */
const path = new URL('./solidity/compiled.json', import.meta.url)
let loaded: { readonly [code in ContractCode]: Code } | undefined

export function codeOf(code: ContractCode): Code {
  loaded ??= load()
  return loaded[code]
}

/** What was compiled to this. */
export function codeWith(runtime: Uint8Array): ContractCode {
  loaded ??= load()
  const [name] = Object.entries(loaded).find(([, code]) => code.runtime.equals(runtime)) ?? []
  if (name === undefined) throw new TypeError('a contract came into being with code that nothing was compiled to')
  return name as ContractCode
}

function load(): { readonly [code in ContractCode]: Code } {
  const hex = JSON.parse(readFileSync(path, 'utf8')) as { [code in ContractCode]: { [part in keyof Code]: string } }
  const codes = Object.entries(hex).map(([name, { initcode, runtime }]) => [
    name,
    { initcode: hexBytes(initcode), runtime: hexBytes(runtime) },
  ])
  return Object.fromEntries(codes) as { readonly [code in ContractCode]: Code }
}

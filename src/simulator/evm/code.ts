import { readFileSync } from 'node:fs'
import { hexBytes } from '#src/simulator/ids.ts'

/** The contracts of a simulated ledger; what they do is in the folder `solidity`. */
export type ContractCode = 'token' | 'market' | 'factory' | 'teller'

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

function load(): { readonly [code in ContractCode]: Code } {
  const hex = JSON.parse(readFileSync(path, 'utf8')) as { [code in ContractCode]: { [part in keyof Code]: string } }
  const of = (code: ContractCode) => ({ initcode: hexBytes(hex[code].initcode), runtime: hexBytes(hex[code].runtime) })
  return { token: of('token'), market: of('market'), factory: of('factory'), teller: of('teller') }
}

import { readFileSync } from 'node:fs'
import { type ContractCode, codeOf } from '#src/simulator/evm/code.ts'

/** A contract of the network as its explorer publishes it. */
interface PublishedContract {
  readonly name: string
  /** Its own file first, then those that it imports. */
  readonly files: readonly string[]
}

const contracts: Readonly<Record<ContractCode, PublishedContract>> = {
  token: { name: 'Token', files: ['Token.sol'] },
  market: { name: 'Market', files: ['Market.sol', 'Token.sol'] },
  factory: { name: 'Factory', files: ['Factory.sol', 'Market.sol', 'Token.sol'] },
  teller: { name: 'Teller', files: ['Teller.sol'] },
  collection: { name: 'Collection', files: ['Collection.sol'] },
  proxy: { name: 'Proxy', files: ['Proxy.sol'] },
  purse: { name: 'Purse', files: ['Purse.sol'] },
  sums: { name: 'Sums', files: ['Purse.sol'] },
  multicall: { name: 'Multicall', files: ['Multicall.sol'] },
  pair: { name: 'Pair', files: ['Pair.sol', 'Token.sol'] },
}

/** Makes the same code of the sources as the one that it was made with (`code.ts`), and comes with the product. */
const compilerVersion = 'v0.8.28+commit.7893614a'
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
}
const folder = new URL('../evm/solidity/', import.meta.url)

/** What the explorer of a simulated network says of a code, in the form that explorers share; nothing but that it has none of others. */
export function explorerAnswer(runtime: Uint8Array | undefined): object {
  const codes = Object.keys(contracts) as ContractCode[]
  const found = runtime && codes.find((code) => codeOf(code).runtime.equals(runtime))
  if (!found) return { status: '0', message: 'NOTOK', result: 'Contract source code not verified' }
  return { status: '1', message: 'OK', result: [publishedOf(contracts[found])] }
}

function publishedOf({ name, files }: PublishedContract): object {
  const sources = Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(new URL(file, folder), 'utf8') }]),
  )
  const input = { language: 'Solidity', sources, settings }
  return {
    SourceCode: `{${JSON.stringify(input)}}`,
    ContractName: name,
    ContractFileName: files[0],
    CompilerVersion: compilerVersion,
    CompilerType: 'Solc',
    OptimizationUsed: '1',
    Runs: String(settings.optimizer.runs),
    EVMVersion: settings.evmVersion,
    ConstructorArguments: '',
    Library: '',
    LicenseType: 'Apache-2.0',
    Proxy: '0',
    Implementation: '',
  }
}

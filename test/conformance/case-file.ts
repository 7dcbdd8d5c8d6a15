import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseExactJson } from '#test/conformance/exact-json.ts'
import { caseOfVectors, type VectorFile } from '#test/conformance/vector-case.ts'

/** Settings of a case in its own words; only those that differ from the base settings. */
export interface CaseConfig {
  readonly page_size_default?: number
  readonly page_size_max?: number
  readonly bind_timestamp_range?: boolean
  readonly bound_range_ns?: number | bigint
  readonly token_balances_per_account_in_lists?: number
  readonly token_balances_for_one_account?: number
  readonly delegation_address_shown?: boolean
  /** Of calls of contracts: the version of the EVM, and whether payers need to have what they pay. */
  readonly evm_version?: string
  readonly validate_payer_balance?: boolean
  readonly users?: readonly { readonly username: string; readonly password: string; readonly page_size_max: number }[]
}

export interface CaseRequest {
  readonly method: string
  readonly url: string
  readonly send_headers?: Readonly<Record<string, string>>
  /** A JSON value, or bytes as hex after 0x where the request says that it sends protobuf. */
  readonly send_body?: unknown
  readonly config?: CaseConfig
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type CaseRow = Readonly<Record<string, unknown>>
export type CaseRows = Readonly<Record<string, readonly CaseRow[]>>

/** A small ledger and the answers that a compatible service gives over it. */
export interface CaseFile {
  readonly name: string
  readonly config: CaseConfig | null
  readonly now: string | null
  readonly rows: CaseRows
  readonly requests: readonly CaseRequest[]
}

/** Files of the folder `java` leave out what is null. */
export function readCaseFile(file: string): CaseFile {
  const content = parseExactJson(readFileSync(file, 'utf8')) as object
  if ('vectors' in content) return caseOfVectors(file, content as VectorFile)
  return { config: null, now: null, ...(content as Omit<CaseFile, 'config' | 'now'>) }
}

/** Lies beside cases and is none: tables of numbers, the ledger of the vectors, sources of their contracts. */
const others = ['codes.json', '**/state.json', '**/solidity/**']

/** The case files among files and, at any depth, inside folders; sorted, each once. */
export function listCaseFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? globSync('**/*.json', { cwd: path, exclude: others }).map((name) => join(path, name))
      : [path],
  )
  return [...new Set(files)].sort()
}

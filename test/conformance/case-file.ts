import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseExactJson } from '#test/conformance/exact-json.ts'

/** Settings of a case in its own words; only those that differ from the base settings. */
export interface CaseConfig {
  readonly page_size_default?: number
  readonly page_size_max?: number
  readonly bind_timestamp_range?: boolean
  readonly bound_range_ns?: number | bigint
  readonly users?: readonly { readonly username: string; readonly password: string; readonly page_size_max: number }[]
}

export interface CaseRequest {
  readonly method: string
  readonly url: string
  readonly send_headers?: Readonly<Record<string, string>>
  readonly config?: CaseConfig
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type CaseRow = Readonly<Record<string, unknown>>

/** A small ledger and the answers that a compatible service gives over it. */
export interface CaseFile {
  readonly name: string
  readonly config: CaseConfig | null
  readonly now: string | null
  readonly rows: Readonly<Record<string, readonly CaseRow[]>>
  readonly requests: readonly CaseRequest[]
}

export function readCaseFile(file: string): CaseFile {
  return parseExactJson(readFileSync(file, 'utf8')) as CaseFile
}

/** The case files among files and, at any depth, inside folders; sorted, each once. */
export function listCaseFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) =>
    statSync(path).isDirectory() ? globSync('**/*.json', { cwd: path }).map((name) => join(path, name)) : [path],
  )
  return [...new Set(files)].sort()
}

/** The endpoint that a case belongs to: its name without the last part. */
export function endpointOf({ name }: CaseFile): string {
  const slash = name.lastIndexOf('/')
  return slash === -1 ? name : name.slice(0, slash)
}

import type { CaseRequest } from '#test/conformance/case-file.ts'

export interface Failure {
  readonly file: string
  readonly request: CaseRequest
  readonly differences: readonly string[]
}

interface Line {
  passed: number
  failed: number
}

export interface Report {
  readonly byEndpoint: ReadonlyMap<string, Readonly<Line>>
  readonly failures: readonly Failure[]
  /** Rows of transfers, rewards or fees whose transaction the case does not have. */
  readonly orphans: number
  add(endpoint: string, requests: number, failures: readonly Failure[], orphans: number): void
}

export function createReport(): Report {
  const byEndpoint = new Map<string, Line>()
  const failures: Failure[] = []
  let orphans = 0
  return {
    byEndpoint,
    failures,
    get orphans() {
      return orphans
    },
    add(endpoint, requests, failed, orphanRows) {
      orphans += orphanRows
      if (requests === 0) return
      const line = byEndpoint.get(endpoint) ?? { passed: 0, failed: 0 }
      line.passed += requests - failed.length
      line.failed += failed.length
      byEndpoint.set(endpoint, line)
      failures.push(...failed)
    },
  }
}

export interface PrintOptions {
  readonly json: boolean
  readonly failuresMax: number
}

const differencesMax = 6

export function printReport(report: Report, { json, failuresMax }: PrintOptions): void {
  const lines = [...report.byEndpoint]
  const passed = lines.reduce((sum, [, line]) => sum + line.passed, 0)
  const failed = lines.reduce((sum, [, line]) => sum + line.failed, 0)
  if (json) {
    const failures = report.failures.map(({ file, request: { method, url, config }, differences }) => ({
      file,
      method,
      url,
      config,
      differences,
    }))
    const endpoints = Object.fromEntries(lines)
    console.log(
      JSON.stringify({ passed, failed, rowsWithoutTransaction: report.orphans, endpoints, failures }, null, 1),
    )
    return
  }
  printTable(lines)
  if (report.orphans > 0) console.log(`\n${report.orphans} rows belong to no transaction of their case`)
  for (const failure of report.failures.slice(0, failuresMax)) printFailure(failure)
  if (failed > failuresMax)
    console.log(`\n... and ${failed - failuresMax} more failures; print them with --failures ${failed}`)
  console.log(`\n${passed} passed, ${failed} failed`)
}

function printTable(lines: readonly (readonly [string, Readonly<Line>])[]): void {
  const width = Math.max('endpoint'.length, ...lines.map(([endpoint]) => endpoint.length))
  console.log(`${'endpoint'.padEnd(width)}  passed  failed`)
  for (const [endpoint, { passed, failed }] of lines) {
    console.log(`${endpoint.padEnd(width)}  ${String(passed).padStart(6)}  ${String(failed).padStart(6)}`)
  }
}

function printFailure({ file, request: { method, url, config }, differences }: Failure): void {
  console.log(`\n${method} ${url}${config === undefined ? '' : ` ${JSON.stringify(config)}`}\n  ${file}`)
  for (const difference of differences.slice(0, differencesMax)) console.log(`  ${difference}`)
  if (differences.length > differencesMax)
    console.log(`  ... and ${differences.length - differencesMax} more differences`)
}

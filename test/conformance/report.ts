import type { CaseRequest } from '#test/conformance/case-file.ts'
import type { CaseOutcome } from '#test/conformance/run-case.ts'

export interface Failure {
  readonly file: string
  readonly request: CaseRequest
  readonly differences: readonly string[]
}

interface Line {
  passed: number
  failed: number
  /** Requests for endpoints that do not exist yet. */
  later: number
}

type Lines = ReadonlyMap<string, Readonly<Line>>

export interface Report {
  readonly byEndpoint: Lines
  /** Answers that were given with settings of their own, by these; contained in those by endpoint. */
  readonly bySettings: Lines
  readonly failures: readonly Failure[]
  /** Transactions made for transfers, rewards or fees whose transaction the case does not have. */
  readonly made: number
  add(endpoint: string, file: string, outcome: CaseOutcome): void
}

export function createReport(): Report {
  const byEndpoint = new Map<string, Line>()
  const bySettings = new Map<string, Line>()
  const failures: Failure[] = []
  let made = 0
  return {
    byEndpoint,
    bySettings,
    failures,
    get made() {
      return made
    },
    add(endpoint, file, outcome) {
      made += outcome.made
      if (outcome.outcomes.length + outcome.later === 0) return
      const line = lineOf(byEndpoint, endpoint)
      line.later += outcome.later
      for (const { request, differences, settings } of outcome.outcomes) {
        const lines = settings.length === 0 ? [line] : [line, lineOf(bySettings, settings.join(' and '))]
        for (const each of lines) each[differences.length === 0 ? 'passed' : 'failed'] += 1
        if (differences.length > 0) failures.push({ file, request, differences })
      }
    },
  }
}

function lineOf(lines: Map<string, Line>, name: string): Line {
  const line = lines.get(name) ?? { passed: 0, failed: 0, later: 0 }
  lines.set(name, line)
  return line
}

export interface PrintOptions {
  readonly json: boolean
  readonly failuresMax: number
}

const differencesMax = 6

export function printReport(report: Report, { json, failuresMax }: PrintOptions): void {
  const sum = (column: keyof Line) => [...report.byEndpoint.values()].reduce((total, line) => total + line[column], 0)
  const totals = { passed: sum('passed'), failed: sum('failed'), later: sum('later') }
  if (json) printJson(report, totals)
  else printText(report, totals, failuresMax)
}

function printJson({ byEndpoint, bySettings, failures, made }: Report, totals: Line): void {
  const shown = failures.map(({ file, request: { method, url, config }, differences }) => ({
    file,
    method,
    url,
    config,
    differences,
  }))
  const endpoints = Object.fromEntries(byEndpoint)
  const settings = Object.fromEntries(bySettings)
  console.log(JSON.stringify({ ...totals, madeTransactions: made, endpoints, settings, failures: shown }, null, 1))
}

function printText(
  { byEndpoint, bySettings, failures, made }: Report,
  { passed, failed, later }: Line,
  failuresMax: number,
): void {
  printTable('endpoint', byEndpoint)
  if (bySettings.size > 0) {
    console.log('\nOf these, with settings that are not the defaults:')
    printTable('settings', bySettings)
  }
  if (made > 0) console.log(`\n${made} transactions were made for rows that belong to none of their case`)
  for (const failure of failures.slice(0, failuresMax)) printFailure(failure)
  if (failed > failuresMax)
    console.log(`\n... and ${failed - failuresMax} more failures; print them with --failures ${failed}`)
  console.log(`\n${passed} passed, ${failed} failed, ${later} for endpoints that do not exist yet`)
}

function printTable(title: string, lines: Lines): void {
  const width = Math.max(title.length, ...[...lines.keys()].map((name) => name.length))
  console.log(`${title.padEnd(width)}  passed  failed   later`)
  for (const [name, { passed, failed, later }] of lines) {
    const columns = [passed, failed, later].map((count) => String(count).padStart(6))
    console.log(`${name.padEnd(width)}  ${columns.join('  ')}`)
  }
}

function printFailure({ file, request: { method, url, config }, differences }: Failure): void {
  console.log(`\n${method} ${url}${config === undefined ? '' : ` ${JSON.stringify(config)}`}\n  ${file}`)
  for (const difference of differences.slice(0, differencesMax)) console.log(`  ${difference}`)
  if (differences.length > differencesMax)
    console.log(`  ... and ${differences.length - differencesMax} more differences`)
}

import type { CaseRequest } from '#test/conformance/case-file.ts'
import { explanationOf } from '#test/conformance/explanations.ts'
import type { CaseOutcome, RequestOutcome } from '#test/conformance/run-case.ts'

export interface Failure {
  readonly file: string
  readonly request: CaseRequest
  readonly differences: readonly string[]
}

interface Line {
  /** Answered as recorded. */
  matched: number
  /** Answered as recorded but for what later versions changed. */
  amended: number
  /** Answered otherwise for a reason that is given. */
  explained: number
  /** Answered otherwise, and nobody knows why. */
  failed: number
}

type Lines = ReadonlyMap<string, Readonly<Line>>

export interface Report {
  readonly byEndpoint: Lines
  /** Answers that were given with settings of their own, by these; contained in those by endpoint. */
  readonly bySettings: Lines
  /** How many answers each amendment changed, and each reason explains. */
  readonly byAmendment: ReadonlyMap<string, number>
  readonly byReason: ReadonlyMap<string, number>
  readonly failures: readonly Failure[]
  /** Transactions made for transfers, rewards or fees whose transaction the case does not have. */
  readonly made: number
  add(endpoint: string, file: string, outcome: CaseOutcome): void
}

export function createReport(): Report {
  const byEndpoint = new Map<string, Line>()
  const bySettings = new Map<string, Line>()
  const byAmendment = new Map<string, number>()
  const byReason = new Map<string, number>()
  const failures: Failure[] = []
  let made = 0
  return {
    byEndpoint,
    bySettings,
    byAmendment,
    byReason,
    failures,
    get made() {
      return made
    },
    add(endpoint, file, outcome) {
      made += outcome.made
      if (outcome.outcomes.length === 0) return
      const line = lineOf(byEndpoint, endpoint)
      for (const each of outcome.outcomes) {
        const { request, differences, settings } = each
        const reason = differences.length === 0 ? undefined : explanationOf(request, differences)
        if (reason !== undefined) count(byReason, reason)
        if (differences.length === 0) for (const name of each.amendments) count(byAmendment, name)
        const lines = settings.length === 0 ? [line] : [line, lineOf(bySettings, settings.join(' and '))]
        const kind = kindOf(each, reason)
        for (const one of lines) one[kind] += 1
        if (kind === 'failed') failures.push({ file, request, differences })
      }
    },
  }
}

function kindOf({ differences, amendments }: RequestOutcome, reason: string | undefined): keyof Line {
  if (differences.length > 0) return reason === undefined ? 'failed' : 'explained'
  return amendments.length === 0 ? 'matched' : 'amended'
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function lineOf(lines: Map<string, Line>, name: string): Line {
  const line = lines.get(name) ?? { matched: 0, amended: 0, explained: 0, failed: 0 }
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
  const totals = {
    matched: sum('matched'),
    amended: sum('amended'),
    explained: sum('explained'),
    failed: sum('failed'),
  }
  if (json) printJson(report, totals)
  else printText(report, totals, failuresMax)
}

function printJson(report: Report, totals: Line): void {
  const { byEndpoint, bySettings, byAmendment, byReason, failures, made: madeTransactions } = report
  const shown = failures.map(({ file, request: { method, url, config }, differences }) => ({
    file,
    method,
    url,
    config,
    differences,
  }))
  const endpoints = Object.fromEntries(byEndpoint)
  const settings = Object.fromEntries(bySettings)
  const amendments = Object.fromEntries(byAmendment)
  const reasons = Object.fromEntries(byReason)
  const counts = { ...totals, madeTransactions, endpoints, settings, amendments, reasons }
  console.log(JSON.stringify({ ...counts, failures: shown }, null, 1))
}

function printText(report: Report, totals: Line, failuresMax: number): void {
  const { byEndpoint, bySettings, byAmendment, byReason, failures, made } = report
  const { matched, amended, explained, failed } = totals
  printTable('endpoint', byEndpoint)
  if (bySettings.size > 0) {
    console.log('\nOf these, with settings that are not the defaults:')
    printTable('settings', bySettings)
  }
  printCounts('Changed by a later version, of the amended answers:', byAmendment)
  printCounts('Reasons, of the explained answers:', byReason)
  if (made > 0) console.log(`\n${made} transactions were made for rows that belong to none of their case`)
  for (const failure of failures.slice(0, failuresMax)) printFailure(failure)
  if (failed > failuresMax)
    console.log(`\n... and ${failed - failuresMax} more failures; print them with --failures ${failed}`)
  console.log(`\n${matched} matched, ${amended} amended, ${explained} explained, ${failed} failed`)
}

function printCounts(title: string, counts: ReadonlyMap<string, number>): void {
  if (counts.size === 0) return
  console.log(`\n${title}`)
  for (const [name, number] of counts) console.log(`${String(number).padStart(6)}  ${name}`)
}

const kinds = ['matched', 'amended', 'explained', 'failed'] as const

function printTable(title: string, lines: Lines): void {
  const width = Math.max(title.length, ...[...lines.keys()].map((name) => name.length))
  console.log(`${title.padEnd(width)}  ${kinds.map((kind) => kind.padStart(9)).join(' ')}`)
  for (const [name, line] of lines) {
    const columns = kinds.map((kind) => String(line[kind]).padStart(9))
    console.log(`${name.padEnd(width)}  ${columns.join(' ')}`)
  }
}

function printFailure({ file, request: { method, url, config }, differences }: Failure): void {
  console.log(`\n${method} ${url}${config === undefined ? '' : ` ${JSON.stringify(config)}`}\n  ${file}`)
  for (const difference of differences.slice(0, differencesMax)) console.log(`  ${difference}`)
  if (differences.length > differencesMax)
    console.log(`  ... and ${differences.length - differencesMax} more differences`)
}

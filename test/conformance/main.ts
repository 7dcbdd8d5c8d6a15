import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { endpointOf, listCaseFiles, readCaseFile } from '#test/conformance/case-file.ts'
import type { Failure } from '#test/conformance/report.ts'
import { createReport, printReport } from '#test/conformance/report.ts'
import { runCase } from '#test/conformance/run-case.ts'

const usage = `Usage: npm run conformance -- <file or folder>... [--only <path prefix>] [--json]

Loads each case's rows as events through the log and the projections, asks its requests, and compares the answers.
  --only <path prefix>  only requests whose address begins so, for example /api/v1/transactions; may be repeated
  --failures <number>   failures to print in full (default 10)
  --json                print the result as JSON

Example: npm run conformance -- ../shared/conformance/cases/blocks --only /api/v1/blocks`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      json: { type: 'boolean' },
      failures: { type: 'string', default: '10' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || positionals.length === 0) {
    console.log(usage)
    return values.help ? 0 : 1
  }
  const missing = positionals.filter((path) => !existsSync(path))
  const files = missing.length > 0 ? [] : listCaseFiles(positionals)
  if (files.length === 0) {
    console.error(
      missing.length > 0 ? `There is no ${missing.join(', ')}` : `No case files in ${positionals.join(', ')}`,
    )
    return 1
  }
  const { only } = values
  const report = createReport()
  for (const file of files) {
    const content = readCaseFile(file)
    const result = await runCase(
      content,
      ({ url }) => only === undefined || only.some((prefix) => url.startsWith(prefix)),
    )
    const failures: Failure[] = result.outcomes
      .filter(({ differences }) => differences.length > 0)
      .map(({ request, differences }) => ({ file, request, differences }))
    report.add(endpointOf(content), result.outcomes.length, failures, result.orphans)
  }
  printReport(report, { json: values.json ?? false, failuresMax: Number(values.failures) })
  return report.failures.length === 0 ? 0 : 1
}

process.exitCode = await main()

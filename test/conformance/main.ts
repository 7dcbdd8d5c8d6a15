import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type CaseRequest, listCaseFiles } from '#test/conformance/case-file.ts'
import { endpointOf } from '#test/conformance/endpoints.ts'
import type { EngineChoice } from '#test/conformance/engines.ts'
import { createReport, printReport } from '#test/conformance/report.ts'
import { runFiles } from '#test/conformance/run-files.ts'
import { findKafka, findMongoServers, whyMissing } from '#test/support/services.ts'

const usage = `Usage: npm run conformance -- <file or folder>... [--only <path prefix>] [--json]

Loads each case's rows as events through the log and the projections, asks its requests, and compares the answers:
matched as recorded, amended by what later versions changed, explained by a reason of docs/compatibility.md, or failed.
Counts with the product's default settings; what needs others, and what no endpoint serves yet, has its own figure.
  --only <path prefix>  only requests whose address begins so, for example /api/v1/transactions; may be repeated
  --failures <number>   failures to print in full (default 10)
  --json                print the result as JSON
  --log <engine>        embedded (in memory, the default) or kafka: a topic per different ledger, removed at the end
  --brokers <list>      host:port[,host:port] of Kafka
  --store <engine>      embedded (in memory, the default) or mongodb: a database for the run, dropped at the end
  --mongodb <uri>       connection string of a server of the MongoDB protocol

Brokers and server are those that tests find (test/support/services.ts) unless given.

Example: npm run conformance -- ../shared/conformance/cases/blocks --only /api/v1/blocks`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      json: { type: 'boolean' },
      failures: { type: 'string', default: '10' },
      log: { type: 'string', default: 'embedded' },
      store: { type: 'string', default: 'embedded' },
      brokers: { type: 'string' },
      mongodb: { type: 'string' },
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
  const engines = engineChoice(values)
  if (typeof engines === 'string') {
    console.error(engines)
    return 1
  }
  const { only } = values
  const wanted = ({ url }: CaseRequest) => only === undefined || only.some((prefix) => url.startsWith(prefix))
  const report = createReport()
  for (const { file, content, result } of await runFiles(files, wanted, engines)) {
    report.add(endpointOf(content), file, result)
  }
  printReport(report, { json: values.json ?? false, failuresMax: Number(values.failures) })
  return report.failures.length === 0 ? 0 : 1
}

/** What the flags choose, or what is wrong with them. */
function engineChoice(values: {
  log: string
  store: string
  brokers?: string
  mongodb?: string
}): EngineChoice | string {
  const { log, store } = values
  if (log !== 'embedded' && log !== 'kafka') return `--log ${log} is neither embedded nor kafka`
  if (store !== 'embedded' && store !== 'mongodb') return `--store ${store} is neither embedded nor mongodb`
  const brokers = values.brokers?.split(',') ?? findKafka()?.brokers ?? []
  const mongodb = values.mongodb ?? findMongoServers()[0]?.uri ?? ''
  if (log === 'kafka' && brokers.length === 0) return whyMissing('Kafka for --log kafka', 'LEDGER_TEST_KAFKA')
  if (store === 'mongodb' && mongodb === '') return whyMissing('server for --store mongodb', 'LEDGER_TEST_MONGODB')
  return { log, store, brokers, mongodb }
}

process.exitCode = await main()

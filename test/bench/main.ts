import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { allProjections } from '#projections/index.ts'
import { type ApiResult, measureApi } from '#test/bench/api.ts'
import { type LatencyResult, measureLatency } from '#test/bench/latency.ts'
import type { StageName, StageOptions, StageResult } from '#test/bench/stages.ts'

interface Report extends StageResult {
  readonly stage: string
  readonly peakMiB: number
  readonly cpuSeconds: number
}

/** What the architecture asks for, per second or in MiB. */
const budgets = { together: 20_000, rebuild: 50_000, list: 10_000, listP99Ms: 10, peakMiB: 512, latencyMs: 100 }

const command = new Command('bench')
  .description('Measures every stage from stream files to answered requests over a simulated ledger')
  .option('--transactions <count>', 'transactions of the ledger', '200000')
  .option('--full', '1,000,000 transactions')
  .option('--accounts <count>', 'user accounts of the ledger', '20000')
  .option('--block-transactions <count>', 'transactions per record file', '2000')
  .option(
    '--stages <names>',
    'comma-separated: verify,import,publish,project,rebuild,together,api,latency',
    'verify,import,publish,project,rebuild,together,api,latency',
  )
  .option('--api-seconds <seconds>', 'seconds per request kind', '5')
  .option('--folder <folder>', 'work there and keep everything; a ledger generated there before is used again')
  .option('--json', 'print one JSON document')
  .parse()
const flags = command.opts<{
  transactions: string
  full?: boolean
  accounts: string
  blockTransactions: string
  stages: string
  apiSeconds: string
  folder?: string
  json?: boolean
}>()

const wanted = new Set(flags.stages.split(','))
const folder = flags.folder ?? (await mkdtemp(join(tmpdir(), 'ledger-history-bench-')))
const options: StageOptions = {
  folder,
  transactions: flags.full ? 1_000_000 : Number(flags.transactions),
  accounts: Number(flags.accounts),
  blockTransactions: Number(flags.blockTransactions),
}
const reports: Report[] = []
let api: ApiResult[] = []
let latency: LatencyResult | undefined

try {
  await measure('generate', 'generate')
  if (wanted.has('verify')) await measure('verify + decode + encode', 'verify')
  // The stages after it read its log.
  if (['import', 'publish', 'project', 'rebuild'].some((stage) => wanted.has(stage))) {
    await measure('import (verify to log)', 'import')
  }
  if (wanted.has('publish')) await measure('publish', 'publish')
  if (wanted.has('project'))
    for (const { schema } of allProjections)
      await measure(`project ${schema.name}`, 'project', { projection: schema.name })
  if (wanted.has('rebuild')) await measure('rebuild all (events)', 'project')
  if (wanted.has('together')) await measure('together: files to queryable', 'together')
  if (wanted.has('api')) api = await measureApi({ folder, seconds: Number(flags.apiSeconds), onResult: printApi })
  if (wanted.has('latency')) latency = await measureLatency(folder)
  summarize()
} finally {
  if (!flags.folder) await rm(folder, { recursive: true, force: true })
}

async function measure(label: string, stage: StageName, extra: Partial<StageOptions> = {}): Promise<void> {
  const result = JSON.parse(await runStage(stage, { ...options, ...extra })) as Omit<Report, 'stage'>
  const report = { stage: label, ...result }
  reports.push(report)
  if (!flags.json) console.log(formatReport(report))
}

function runStage(stage: StageName, stageOptions: StageOptions): Promise<string> {
  const file = fileURLToPath(new URL('./stage.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', file, stage, JSON.stringify(stageOptions)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve(output) : reject(new Error(`stage ${stage} ended with ${code}`))))
  })
}

function formatReport({ stage, count, seconds, peakMiB, cpuSeconds, marks }: Report): string {
  const rate = Math.round(count / seconds).toLocaleString('en')
  const cpu = ((cpuSeconds * 1e6) / count).toFixed(1)
  const line = `${stage.padEnd(30)} ${rate.padStart(10)} /s  ${cpu.padStart(6)} us CPU each  peak ${String(peakMiB).padStart(4)} MiB`
  const late = lateRatio(marks ?? [])
  return late === undefined ? line : `${line}  last tenth at ${Math.round(late * 100)} % of the first`
}

/** Rate of the last tenth over that of the first tenth, without the very first mark, which pays for warming up. */
function lateRatio(marks: NonNullable<StageResult['marks']>): number | undefined {
  if (marks.length < 30) return undefined
  const tenth = Math.floor(marks.length / 10)
  const rate = (from: number, to: number): number =>
    ((marks[to]?.count ?? 0) - (marks[from]?.count ?? 0)) / ((marks[to]?.seconds ?? 1) - (marks[from]?.seconds ?? 0))
  return rate(marks.length - 1 - tenth, marks.length - 1) / rate(1, 1 + tenth)
}

function printApi(result: ApiResult): void {
  if (flags.json) return
  const { name, requestsPerSecond, p50Ms, p99Ms, peakMiB } = result
  console.log(
    `${name.padEnd(30)} ${Math.round(requestsPerSecond).toLocaleString('en').padStart(10)} /s  p50 ${p50Ms} ms  p99 ${p99Ms} ms  server at ${peakMiB} MiB`,
  )
}

function summarize(): void {
  if (flags.json) {
    console.log(JSON.stringify({ options, reports, api, latency }, null, 2))
    return
  }
  const rateOf = (stage: string): number | undefined => {
    const report = reports.find((each) => each.stage.startsWith(stage))
    return report && report.count / report.seconds
  }
  console.log('\nBudgets (reached / asked):')
  budgetLine('files to queryable, tx/s', rateOf('together'), budgets.together)
  budgetLine('rebuild, events/s', rateOf('rebuild'), budgets.rebuild)
  budgetLine('list of 25, requests/s', api.find(({ name }) => name.startsWith('list'))?.requestsPerSecond, budgets.list)
  budgetLine('list of 25, p99 ms', api.find(({ name }) => name.startsWith('list'))?.p99Ms, budgets.listP99Ms)
  budgetLine('block to answer, ms (median)', latency?.medianMs, budgets.latencyMs)
  budgetLine('block to answer, ms (worst)', latency?.maxMs, budgets.latencyMs)
  const measured = reports.filter(({ stage }) => stage !== 'generate')
  const peakMiB = measured.length > 0 ? Math.max(...measured.map((report) => report.peakMiB)) : undefined
  budgetLine('peak MiB of a stage', peakMiB, budgets.peakMiB)
}

function budgetLine(what: string, reached: number | undefined, asked: number): void {
  if (reached === undefined) return
  console.log(`  ${what.padEnd(28)} ${Math.round(reached).toLocaleString('en')} / ${asked.toLocaleString('en')}`)
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { allProjections } from '#projections/index.ts'
import { usualFoldCosts } from '#projections/usual-fold-costs.ts'
import { copyNames } from '#src/events/event-types.ts'
import { assignLanes, lanesByDefault } from '#src/runtime/fold/lanes.ts'
import { type ApiResult, formatApi, measureApi } from '#test/bench/api.ts'
import { pageKinds } from '#test/bench/api-pages.ts'
import { keptList } from '#test/bench/api-requests.ts'
import { askedRates } from '#test/bench/asked-rates.ts'
import { type BlockFigures, measureBlocks } from '#test/bench/blocks/measure-blocks.ts'
import { everyKind } from '#test/bench/every-kind.ts'
import { measureEvm, type TraceFigures } from '#test/bench/evm.ts'
import { measureKafkaClient } from '#test/bench/kafka.ts'
import { type LatencyResult, measureLatency } from '#test/bench/latency.ts'
import { formatReport, projectorHeap, type Report, runStage } from '#test/bench/run-stage.ts'
import { measureSides, sideStages } from '#test/bench/side-by-side.ts'
import { withoutCache } from '#test/bench/sides.ts'
import type { StageName, StageOptions } from '#test/bench/stages.ts'
import { measureStatus } from '#test/bench/status.ts'
import { measureVerification, type VerificationFigures } from '#test/bench/verification.ts'
import { findKafka, whyMissing } from '#test/support/services.ts'

/** What the architecture asks for, per second or in MiB. */
const wholeWay = 'together: files to queryable'
const budgets = {
  together: 12_000,
  togetherCpuUs: 120,
  rebuild: 50_000,
  listP99Ms: 10,
  peakMiB: 512,
  latencyMs: 100,
  termReads: 40,
  traceMs: 1_000,
  traceFirstMs: 200,
  callsPeakMiB: 768,
  verificationPreloadedMs: 1_200,
  verificationColdMs: 2_500,
}
const verificationRuns = 7

const defaultStages = [
  'verify',
  'import',
  'publish',
  'copy',
  'project',
  'rebuild',
  'supervise',
  'lists',
  'together',
  'api',
  'status',
  'latency',
  'evm',
  'verification',
  'blocks',
]
const defaultSideStages = sideStages.filter((stage) => stage !== 'import')

const command = new Command('bench')
  .description('Measures every stage from stream files to answered requests over a simulated ledger')
  .option('--transactions <count>', 'transactions of the ledger', '200000')
  .option('--full', '1,000,000 transactions')
  .option('--accounts <count>', 'user accounts of the ledger', '20000')
  .option('--block-transactions <count>', 'transactions per record file', '2000')
  .option(
    '--stages <names>',
    `comma-separated: ${defaultStages.join()} (all of them); with several engines ${sideStages.join()} (all but import). kafka-client: our client beside kafkajs' own`,
  )
  .option(
    '--engines <names>',
    'comma-separated, measured side by side when there are several: embedded, or <embedded or kafka>+<embedded or the name of a server that --mongodb names>',
    'embedded',
  )
  .option('--brokers <list>', 'host:port[,host:port] of Kafka; unless given, what tests find')
  .option(
    '--mongodb <name=uri>',
    'servers, comma-separated; one named mongodb is a real one, others stand in. Unless given, what tests find',
  )
  .option('--stand-in-events <count>', 'events folded where a server stands in for a real one', '3000')
  .option('--append-blocks <counts>', 'side by side: blocks per append to measure the import with', '1,5,20,64')
  .option('--kind-transactions <count>', 'transactions of every kind, for the pages of every resource', '30000')
  .option(
    '--lanes <count>',
    'threads that fold in "together", spread by the costs that "project" measured; 0: as the product does',
    '0',
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
  stages?: string
  engines: string
  brokers?: string
  mongodb?: string
  standInEvents: string
  appendBlocks: string
  kindTransactions: string
  lanes: string
  apiSeconds: string
  folder?: string
  json?: boolean
}>()

// Tests and stages find services by these.
if (flags.brokers) process.env['LEDGER_TEST_KAFKA'] = flags.brokers
if (flags.mongodb) process.env['LEDGER_TEST_MONGODB'] = flags.mongodb

const engines = flags.engines.split(',')
const isSideBySide = engines.join() !== 'embedded'
const wanted = new Set((flags.stages ?? (isSideBySide ? defaultSideStages : defaultStages).join()).split(','))
const folder = flags.folder ?? (await mkdtemp(join(tmpdir(), 'ledger-history-bench-')))
const options: StageOptions = {
  folder,
  transactions: flags.full ? 1_000_000 : Number(flags.transactions),
  accounts: Number(flags.accounts),
  blockTransactions: Number(flags.blockTransactions),
}
const reports: Report[] = []
let api: ApiResult[] = []
const status: ApiResult[] = []
const calls: ApiResult[] = []
let trace: TraceFigures | undefined
let latency: LatencyResult | undefined
let blocks: BlockFigures | undefined
let verification: VerificationFigures | undefined

try {
  if (wanted.has('kafka-client')) await runKafkaClient()
  else if (isSideBySide) await runSideBySide()
  else await runAll()
} finally {
  if (!flags.folder) await rm(folder, { recursive: true, force: true })
}

async function runAll(): Promise<void> {
  // What is asked of it needs no ledger.
  if (wanted.has('status')) await measureStatusPage()
  if (isOnly('status')) return summarize()
  if (wanted.has('evm')) await measureCalls()
  if (isOnly('evm')) return summarize()
  if (wanted.has('verification')) verification = await measureVerification(verificationRuns, printLine)
  if (isOnly('verification')) return summarize()
  // Blocks are measured on a ledger of their own.
  if (wanted.has('blocks')) blocks = await measureBlocks({ ledger: options, run: runAndPrint })
  // All others begin with a ledger.
  if (!isOnly('lists') && !isOnly('blocks')) await measure('generate', 'generate')
  if (wanted.has('verify')) await measure('verify + decode + encode', 'verify')
  // The stages after it read its log.
  if (['import', 'publish', 'copy', 'project', 'rebuild', 'supervise'].some((stage) => wanted.has(stage))) {
    await measure('import (verify to log)', 'import')
  }
  if (wanted.has('publish')) await measure('publish', 'publish')
  if (wanted.has('copy'))
    for (const copies of [...copyNames.map((name) => [name]), copyNames])
      await measure(`copy ${copies.join(', ')}`, 'copy', { copies })
  if (wanted.has('project'))
    for (const { schema } of allProjections)
      await measure(`project ${schema.name}`, 'project', { projection: schema.name })
  if (wanted.has('rebuild')) await measure('rebuild all (events)', 'project')
  if (wanted.has('supervise')) await measure('the same, supervised', 'supervise')
  if (wanted.has('lists')) {
    await measure('lists: an entry', 'write-lists')
    await measure('lists: a term among 10^9 events', 'search-lists')
  }
  if (wanted.has('together')) await measure(wholeWay, 'together', { lanes: lanesOf(Number(flags.lanes)) })
  if (wanted.has('api')) {
    const seconds = Number(flags.apiSeconds)
    const place = { data: join(folder, 'together') }
    const common = { seconds, onResult: printApi }
    api = await measureApi({ place, kindsOf: async () => [keptList], ...common })
    api.push(...(await measureApi({ place: { ...place, settings: withoutCache }, ...common })))
    api.push(...(await measurePages(seconds)))
  }
  if (wanted.has('latency')) latency = await measureLatency(folder)
  summarize()
}

/** Pages of every resource, of a ledger of their own: the other one has mostly payments, and pages without rows say nothing. */
async function measurePages(seconds: number): Promise<ApiResult[]> {
  const ledger = { folder: join(folder, 'every-kind'), transactions: Number(flags.kindTransactions), ...everyKind }
  await measure('generate every kind', 'generate', ledger)
  await measure('together: every kind', 'together', ledger)
  const place = { data: join(ledger.folder, 'together'), settings: withoutCache }
  return measureApi({ place, kindsOf: pageKinds, seconds, onResult: printApi })
}

/** The read models of each thread, by what this run measured them to cost, or what they usually do. */
function lanesOf(count: number): readonly (readonly string[])[] {
  const costs = reports.flatMap(({ stage, cpuSeconds }): [string, number][] =>
    stage.startsWith('project ') ? [[stage.slice('project '.length), cpuSeconds]] : [],
  )
  const names = allProjections.map(({ schema }) => schema.name)
  return assignLanes(names, new Map([...usualFoldCosts, ...costs]), count === 0 ? lanesByDefault() : count)
}

/** Whether nothing but this stage is measured. */
function isOnly(stage: string): boolean {
  return wanted.size === 1 && wanted.has(stage)
}

async function measureStatusPage(): Promise<void> {
  await measureStatus({
    seconds: Number(flags.apiSeconds),
    onResult: (result) => {
      status.push(result)
      printApi(result)
    },
  })
}

async function measureCalls(): Promise<void> {
  trace = await measureEvm({
    seconds: Number(flags.apiSeconds),
    onResult: (result) => {
      calls.push(result)
      printApi(result)
    },
  })
}

async function runSideBySide(): Promise<void> {
  const figures = await measureSides({
    folder,
    engines,
    stages: wanted,
    ledger: options,
    standInEvents: Number(flags.standInEvents),
    appendBlocks: flags.appendBlocks.split(',').map(Number),
    apiSeconds: Number(flags.apiSeconds),
    print: printLine,
  })
  if (flags.json) console.log(JSON.stringify({ options, figures }, null, 2))
}

async function runKafkaClient(): Promise<void> {
  const brokers = findKafka()?.brokers
  if (brokers === undefined) throw new Error(whyMissing('Kafka', 'LEDGER_TEST_KAFKA'))
  await measureKafkaClient(brokers)
}

async function measure(label: string, stage: StageName, extra: Partial<StageOptions> = {}): Promise<void> {
  reports.push(await runAndPrint(label, stage, extra))
}

async function runAndPrint(label: string, stage: StageName, extra: Partial<StageOptions>): Promise<Report> {
  const heap = stage === 'project' || stage === 'supervise' ? projectorHeap : []
  const report = await runStage({ label, stage, options: { ...options, ...extra }, heap })
  if (!flags.json) console.log(formatReport(report))
  return report
}

function printLine(line: string): void {
  if (!flags.json) console.log(line)
}

function printApi(result: ApiResult): void {
  printLine(formatApi(result))
}

function summarize(): void {
  if (flags.json) {
    console.log(JSON.stringify({ options, reports, api, status, calls, trace, latency, blocks, verification }, null, 2))
    return
  }
  const rateOf = (stage: string): number | undefined => {
    const report = reportOf(stage)
    return report && report.count / report.seconds
  }
  console.log('\nBudgets (reached / asked):')
  budgetLine('files to queryable, tx/s', rateOf(wholeWay), budgets.together)
  const together = reportOf(wholeWay)
  budgetLine(
    'the same, us of CPU each',
    together && (together.cpuSeconds * 1e6) / together.count,
    budgets.togetherCpuUs,
  )
  budgetLine('rebuild of transactions, events/s', rateOf('project transactions'), budgets.rebuild)
  budgetLine('list of 25, p99 ms', api.find(({ name }) => name.startsWith('list'))?.p99Ms, budgets.listP99Ms)
  const asked = [...api, ...status, ...calls].filter(({ name }) => askedRates[name] !== undefined)
  const reached = asked.filter(({ name, requestsPerSecond }) => requestsPerSecond >= (askedRates[name] ?? 0))
  if (asked.length > 0) budgetLine('kinds of requests at their rate', reached.length, asked.length)
  budgetLine('block to answer, ms (median)', latency?.medianMs, budgets.latencyMs)
  budgetLine('block to answer, ms (worst)', latency?.maxMs, budgets.latencyMs)
  budgetLine('trace of 100,000 steps, ms', trace?.wholeMs, budgets.traceMs)
  budgetLine('its first byte, ms', trace?.firstMs, budgets.traceFirstMs)
  budgetLine('all calls and traces, MiB', trace?.peakMiB, budgets.callsPeakMiB)
  budgetLine('verification, preloaded, ms', verification?.preloadedMs, budgets.verificationPreloadedMs)
  budgetLine('verification, cold, ms', verification?.coldMs, budgets.verificationColdMs)
  const reads = reports.find(({ readsMax }) => readsMax !== undefined)?.readsMax
  budgetLine('reads of a rare term at 10^9', reads, budgets.termReads)
  for (const { what, reached, asked } of blocks?.budgets ?? []) budgetLine(what, reached, asked)
  const measured = reports.filter(({ stage }) => stage !== 'generate')
  const peakMiB = measured.length > 0 ? Math.max(...measured.map((report) => report.peakMiB)) : undefined
  budgetLine('peak MiB of a stage', peakMiB, budgets.peakMiB)
}

function reportOf(stage: string): Report | undefined {
  return reports.find((each) => each.stage.startsWith(stage))
}

function budgetLine(what: string, reached: number | undefined, asked: number): void {
  if (reached === undefined) return
  console.log(`  ${what.padEnd(34)} ${Math.round(reached).toLocaleString('en')} / ${asked.toLocaleString('en')}`)
}

import { keptProjections } from '#projections/index.ts'
import { counted } from '#src/cli/counted.ts'
import type { DataFolder } from '#src/cli/data-folder.ts'
import type { Config } from '#src/config/schema.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { LastBlock } from '#src/importer/state/last-block.ts'
import { projectionLabel } from '#src/runtime/fold/projection.ts'
import { formatCount, type StatusBoard } from '#src/runtime/watch/status.ts'

/** An account that takes part in transactions on every network: the first node's. */
const exampleAccount = '0.0.3'

/** Requests to try, in the order of the banner. */
function exampleRequests(url: string): readonly string[] {
  return [
    `${url}/api/v1/transactions?limit=2`,
    `${url}/api/v1/blocks?limit=1`,
    `${url}/api/v1/transactions?account.id=${exampleAccount}&limit=2`,
    `${url}/health/readiness`,
    `${url}/metrics`,
  ]
}

export interface BannerInput {
  readonly config: Config
  readonly folder: DataFolder
  readonly url: string
}

export function formatBanner({ config, folder, url }: BannerInput): string {
  const curls = exampleRequests(url).map((request) => `  curl '${request}'`)
  return [
    `ledger-history is running: network "${folder.marker.network}", ${describeData(config, folder)}`,
    `  source       ${describeSource(config)}`,
    `  projections  ${keptProjections.map(projectionLabel).join(', ')}`,
    describeApi(config, url),
    `  status page  ${url}/, and ${url}/api/v2/summary.json`,
    '',
    'Try:',
    ...curls,
    '',
    'Stop with Ctrl-C; the same command goes on where it was.',
  ].join('\n')
}

function describeData({ engine }: Config, { path }: DataFolder): string {
  if (engine.log === 'embedded' && engine.store === 'embedded') return `data in ${path}`
  const log = engine.log === 'kafka' ? 'log on Kafka' : `log in ${path}`
  return `${log}, read models in ${engine.store === 'mongodb' ? 'MongoDB' : path}`
}

/** A page that a browser can open comes first; the prefix of the requests alone answers 404. */
function describeApi({ api }: Config, url: string): string {
  const prefix = `requests begin with ${url}/api/v1`
  return `  API          ${api.docs ? `${url}/api/v1/docs describes it; ` : ''}${prefix}`
}

function describeSource({ source, simulation }: Config): string {
  if (source.location !== 'simulated') return source.location
  const { nodes, transactionsPerSecond, blockSeconds } = simulation
  return `simulated network, ${nodes} nodes, ${transactionsPerSecond} transactions/s, a block every ${blockSeconds} s`
}

export interface SummaryInput {
  readonly board: StatusBoard
  /** What the log holds now. */
  readonly lastBlock: Pick<LastBlock, 'number' | 'time'> | undefined
  readonly folder: DataFolder
  readonly seconds: number
}

/** `Imported 3 blocks with 9 transactions` */
export function formatImported(board: StatusBoard): string {
  const { blocks = 0, transactions = 0 } = board.import ?? {}
  return `Imported ${counted(blocks, 'block')} with ${counted(transactions, 'transaction')}`
}

/** What a run with `--once` did. */
export function formatSummary({ board, lastBlock, folder, seconds }: SummaryInput): string {
  const { blocks = 0, transactions = 0 } = board.import ?? {}
  const newest = lastBlock && `newest block ${lastBlock.number}, consensus time ${formatLedgerTime(lastBlock.time)}`
  const ask = `Ask them with: ledger-history serve --data ${folder.path}`
  if (blocks === 0) return [`Nothing new; ${newest ?? 'no block yet'}`, ask].join('\n')
  const rate = formatCount(Math.round(transactions / Math.max(seconds, 0.001)))
  const imported = `${formatImported(board)} in ${seconds.toFixed(1)} s (${rate} tx/s); every read model has them.`
  return [imported, ...(newest === undefined ? [] : [`  ${newest}`]), ask].join('\n')
}

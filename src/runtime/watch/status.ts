import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { Position } from '#src/ports/message-log.ts'
import { instanceName } from '#src/ports/read-store.ts'

/** What the importer did so far. */
export interface ImportStatus {
  /** Newest block on the log; undefined before the first. */
  readonly latestBlock: bigint | undefined
  /** Consensus time (ns) of its last transaction. */
  readonly consensusEnd: bigint | undefined
  /** Published since this process started. */
  readonly blocks: number
  readonly transactions: number
  /** Blocks that the source holds in all, where that is known. */
  readonly blocksTotal?: number
  /** What keeps the import from going on right now. */
  readonly problem?: string
}

export const projectionStates = ['starting', 'catching_up', 'following', 'rebuilding', 'paused'] as const
export type ProjectionState = (typeof projectionStates)[number]

export interface ProjectionId {
  readonly name: string
  readonly version: number
  /** From 1, the default. */
  readonly build?: number
}

/** How far one read model is. */
export interface ProjectionStatus extends ProjectionId {
  /** Committed position, and the newest sequence of the log asked of the log itself. */
  readonly position: Position
  readonly head: Position
  /** Ledger time between the newest event of the log and the newest one folded; null before the first block is folded. */
  readonly lagSeconds: number | null
  /** Seconds since the position last moved while behind; 0 when at the head. */
  readonly stalledSeconds: number
  readonly state: ProjectionState
  /** Events parked so far, over all runs. */
  readonly parked: number
  /** Id within the read model, log generation, and whether requests are answered from it; where the plan was asked. */
  readonly id?: string
  readonly generation?: number
  readonly serving?: boolean
  /** Over the last seconds, and what is left at that rate. */
  readonly eventsPerSecond?: number
  readonly etaSeconds?: number
}

interface Sample {
  readonly atMs: number
  readonly transactions: number
  /** Consensus time reached, ns. */
  readonly consensusEnd: bigint | undefined
}

interface Movement {
  readonly atMs: number
  readonly position: Position
}

const rateWindowMs = 10_000
/** Ledger time that passes faster than the wall clock by this factor is history being caught up with. */
const catchUpSpeedMin = 3
const secondsPerDay = 86_400
const seeAbove = '; see the log above'

/** Collects what the roles report and says it in one line. */
export class StatusBoard {
  /** Called after each report. */
  onChange: (() => void) | undefined
  readonly #now: () => number
  #import: ImportStatus | undefined
  /** By who reports: each thread tells of those that it keeps. */
  readonly #reported = new Map<string, readonly ProjectionStatus[]>()
  readonly #samples: Sample[] = []
  readonly #movements = new Map<string, Movement[]>()

  constructor(now: () => number) {
    this.#now = now
  }

  setImport(status: ImportStatus): void {
    this.#import = status
    const { transactions, consensusEnd } = status
    keepRecent(this.#samples, { atMs: this.#now(), transactions, consensusEnd })
    this.onChange?.()
  }

  /** `reporter` replaces what it reported before. */
  setProjections(projections: readonly ProjectionStatus[], reporter = ''): void {
    this.#reported.set(reporter, projections)
    for (const projection of projections) {
      const key = instanceName(projection)
      const movements = this.#movements.get(key) ?? []
      keepRecent(movements, { atMs: this.#now(), position: projection.position })
      this.#movements.set(key, movements)
    }
    this.onChange?.()
  }

  /** Whether nothing was reported yet. */
  get isEmpty(): boolean {
    return this.#import === undefined && this.projections.length === 0
  }

  get projections(): readonly ProjectionStatus[] {
    return [...this.#reported.values()].flat()
  }

  get import(): ImportStatus | undefined {
    return this.#import
  }

  /** Whether history is being read, rather than the ledger followed as it grows. */
  get isCatchingUp(): boolean {
    const { blocks = 0, blocksTotal = 0 } = this.#import ?? {}
    return blocks < blocksTotal || this.#ledgerSpeed > catchUpSpeedMin || this.projections.some(isBuilding)
  }

  /** The furthest behind of those that should be up to date, in events and in ledger seconds. */
  get lag(): { readonly events: number; readonly seconds: number } {
    const kept = this.projections.filter(({ state }) => state !== 'paused' && state !== 'rebuilding')
    const events = Math.max(0, ...kept.map(({ head, position }) => head - position))
    const seconds = Math.max(0, ...kept.map(({ lagSeconds }) => lagSeconds ?? 0))
    return { events, seconds }
  }

  /** Transactions published per second of wall clock, over the last ten seconds. */
  get transactionsPerSecond(): number {
    const [first] = this.#samples
    const last = this.#samples.at(-1)
    return first && last ? this.#perSecondSince(first, last.transactions - first.transactions) : 0
  }

  /** Seconds of consensus time that pass per second of wall clock. */
  get #ledgerSpeed(): number {
    const first = this.#samples.find(({ consensusEnd }) => consensusEnd !== undefined)
    const end = this.#samples.at(-1)?.consensusEnd
    if (first?.consensusEnd === undefined || end === undefined) return 0
    return this.#perSecondSince(first, Number(end - first.consensusEnd) / 1e9)
  }

  #perSecondSince({ atMs }: { readonly atMs: number }, amount: number): number {
    const seconds = (this.#now() - atMs) / 1_000
    return seconds <= 0 ? 0 : amount / seconds
  }

  /** Fields of a log line; what no role of this process reports is left out. */
  fields(): Record<string, unknown> {
    const { events, seconds } = this.lag
    const { latestBlock, transactions, problem } = this.#import ?? {}
    return {
      latestBlock,
      transactionsSinceStart: transactions,
      lagEvents: this.#measured(events),
      lagSeconds: this.#measured(Number(seconds.toFixed(1))),
      transactionsPerSecond: this.#import && Math.round(this.transactionsPerSecond),
      paused: this.paused.length === 0 ? undefined : this.paused.join(', '),
      problem,
    }
  }

  /** Those that an operator has stopped. */
  get paused(): readonly string[] {
    return this.projections.filter(({ state }) => state === 'paused').map(labelOf)
  }

  /** Where no read model is looked at, a lag of zero would say that all is well. */
  #measured(lag: number): number | undefined {
    return this.projections.length === 0 ? undefined : lag
  }

  /** At most `width` characters where a problem is told, so that its pointer to the log is not cut off. */
  line(width = Number.POSITIVE_INFINITY): string {
    if (this.#import === undefined) return this.#projectionLine()
    const { latestBlock, consensusEnd, transactions, blocks, blocksTotal, problem } = this.#import
    if (problem !== undefined) return problemLine(problem, width)
    const { events, seconds } = this.lag
    const rate = `${formatCount(Math.round(this.transactionsPerSecond))} tx/s`
    const lag = this.projections.length === 0 ? '' : `lag ${formatCount(events)} events, ${formatLag(seconds)}  `
    const paused = this.paused.length === 0 ? '' : `  paused: ${this.paused.join(', ')}`
    const tail = `${formatCount(transactions)} transactions since start  ${lag}${rate}${paused}`
    if (blocksTotal !== undefined && blocksTotal > 0) {
      const done = Math.min(1, blocks / blocksTotal)
      return `${progressBar(done)} ${(done * 100).toFixed(1)}%  ${formatCount(blocks)} / ${formatCount(blocksTotal)} blocks  ${tail}`
    }
    const at = consensusEnd === undefined ? '' : ` at ${formatLedgerTime(consensusEnd)}`
    return `block ${latestBlock ?? '-'}${at}  ${tail}`
  }

  /** The read model that is furthest behind: `transactions v1  41.2%  1,204,000 / 2,922,000  38k/s  eta 45s`. */
  #projectionLine(): string {
    const [furthest] = this.projections.toSorted((a, b) => b.head - b.position - (a.head - a.position))
    if (furthest === undefined) return ''
    const { position, head } = furthest
    const [first] = this.#movements.get(instanceName(furthest)) ?? []
    const rate = first === undefined ? 0 : this.#perSecondSince(first, position - first.position)
    const eta = position < head && rate > 0 ? `  eta ${formatDuration((head - position) / rate)}` : ''
    const moving = furthest.state === 'paused' ? 'paused' : `${formatRate(rate)}/s${eta}`
    return `${labelOf(furthest)}  ${formatProgress(furthest)}  ${moving}`
  }
}

function labelOf({ name, version, build = 1 }: ProjectionId): string {
  return build === 1 ? `${name} v${version}` : `${name} v${version}.${build}`
}

/** `41.2%  1,204,000 / 2,922,000`; 100% only when nothing is left. */
export function formatProgress({ position, head }: Pick<ProjectionStatus, 'position' | 'head'>): string {
  const percent = position >= head ? 100 : Math.floor((position / head) * 1_000) / 10
  return `${percent.toFixed(1)}%  ${formatCount(position)} / ${formatCount(head)}`
}

/** `1,234,567` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

function keepRecent<T extends { readonly atMs: number }>(samples: T[], newest: T): void {
  samples.push(newest)
  while (samples.length > 2 && newest.atMs - samples[0]!.atMs > rateWindowMs) samples.shift()
}

function isBuilding({ state, position, head }: ProjectionStatus): boolean {
  return (state === 'starting' || state === 'catching_up') && position < head
}

/** What is wrong; the way out of it is in the log, where a line is not cut off. */
function problemLine(problem: string, width: number): string {
  const text = `import waits: ${problem}`
  if (text.length <= width) return text
  const reason = text.split(/[;.] /)[0]!
  const room = Math.max(0, width - seeAbove.length)
  return reason.length <= room ? reason + seeAbove : `${reason.slice(0, Math.max(0, room - 1))}…${seeAbove}`
}

/** `950`, `38k` */
export function formatRate(perSecond: number): string {
  return perSecond < 10_000 ? formatCount(Math.round(perSecond)) : `${formatCount(Math.round(perSecond / 1_000))}k`
}

/** `12.3 s` up to a day, `3.5 days` from there. */
export function formatLag(seconds: number, digits = 1): string {
  return seconds < secondsPerDay ? `${seconds.toFixed(digits)} s` : `${(seconds / secondsPerDay).toFixed(1)} days`
}

/** `45s`, `3m 20s`, `2h 05m`, `3d 04h` */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds)
  const padded = (value: number): string => String(value).padStart(2, '0')
  if (whole < 60) return `${whole}s`
  if (whole < 3_600) return `${Math.floor(whole / 60)}m ${padded(whole % 60)}s`
  const hours = Math.floor(whole / 3_600)
  if (hours < 24) return `${hours}h ${padded(Math.floor((whole % 3_600) / 60))}m`
  return `${Math.floor(hours / 24)}d ${padded(hours % 24)}h`
}

function progressBar(done: number, width = 24): string {
  const filled = Math.round(done * width)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}]`
}

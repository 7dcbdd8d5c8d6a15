import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { Position } from '#src/ports/message-log.ts'

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

export const projectionStates = ['starting', 'catching_up', 'following'] as const
export type ProjectionState = (typeof projectionStates)[number]

export interface ProjectionId {
  readonly name: string
  readonly version: number
}

/** How far one read model is. */
export interface ProjectionStatus extends ProjectionId {
  /** Committed position, and the newest sequence of the log asked of the log itself. */
  readonly position: Position
  readonly head: Position
  /** Ledger time between the newest event of the log and the newest one folded. */
  readonly lagSeconds: number
  /** Seconds since the position last moved while behind; 0 when at the head. */
  readonly stalledSeconds: number
  readonly state: ProjectionState
  /** Events parked so far, over all runs. */
  readonly parked: number
}

interface Sample {
  readonly atMs: number
  readonly transactions: number
}

const rateWindowMs = 10_000

/** Collects what the roles report and says it in one line. */
export class StatusBoard {
  readonly #now: () => number
  #import: ImportStatus | undefined
  #projections: readonly ProjectionStatus[] = []
  #samples: Sample[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  setImport(status: ImportStatus): void {
    this.#import = status
    const atMs = this.#now()
    this.#samples.push({ atMs, transactions: status.transactions })
    while (this.#samples.length > 2 && atMs - this.#samples[0]!.atMs > rateWindowMs) this.#samples.shift()
  }

  setProjections(projections: readonly ProjectionStatus[]): void {
    this.#projections = projections
  }

  /** Whether nothing was reported yet. */
  get isEmpty(): boolean {
    return this.#import === undefined && this.#projections.length === 0
  }

  get projections(): readonly ProjectionStatus[] {
    return this.#projections
  }

  get import(): ImportStatus | undefined {
    return this.#import
  }

  /** The furthest behind, in events and in ledger seconds. */
  get lag(): { readonly events: number; readonly seconds: number } {
    const events = Math.max(0, ...this.#projections.map(({ head, position }) => head - position))
    const seconds = Math.max(0, ...this.#projections.map(({ lagSeconds }) => lagSeconds))
    return { events, seconds }
  }

  /** Transactions published per second of wall clock, over the last ten seconds. */
  get transactionsPerSecond(): number {
    const [first] = this.#samples
    const last = this.#samples.at(-1)
    if (!first || !last) return 0
    const seconds = (this.#now() - first.atMs) / 1_000
    return seconds <= 0 ? 0 : (last.transactions - first.transactions) / seconds
  }

  /** Fields of a log line. */
  fields(): Record<string, unknown> {
    const { events, seconds } = this.lag
    return {
      latestBlock: this.#import?.latestBlock === undefined ? undefined : Number(this.#import.latestBlock),
      transactions: this.#import?.transactions ?? 0,
      lagEvents: events,
      lagSeconds: Number(seconds.toFixed(1)),
      transactionsPerSecond: Math.round(this.transactionsPerSecond),
      problem: this.#import?.problem,
    }
  }

  line(): string {
    const { latestBlock, consensusEnd, transactions = 0, blocks = 0, blocksTotal, problem } = this.#import ?? {}
    if (problem !== undefined) return `import waits: ${problem}`
    const { events, seconds } = this.lag
    const rate = `${formatCount(Math.round(this.transactionsPerSecond))} tx/s`
    const lag = `lag ${formatCount(events)} events, ${seconds.toFixed(1)} s`
    if (blocksTotal !== undefined && blocksTotal > 0) {
      const done = Math.min(1, blocks / blocksTotal)
      return `${progressBar(done)} ${(done * 100).toFixed(1)}%  ${formatCount(blocks)} / ${formatCount(blocksTotal)} blocks  ${formatCount(transactions)} transactions  ${lag}  ${rate}`
    }
    const at = consensusEnd === undefined ? '' : ` at ${formatLedgerTime(consensusEnd)}`
    return `block ${latestBlock ?? '-'}${at}  ${formatCount(transactions)} transactions  ${lag}  ${rate}`
  }
}

/** `1,234,567` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

function progressBar(done: number, width = 24): string {
  const filled = Math.round(done * width)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}]`
}

import { type ReadSources, streamPresence } from '#src/cli/importing/stream-presence.ts'
import type { LedgerError } from '#src/domain/errors.ts'
import type { ImportProgress } from '#src/importer/settings.ts'
import type { ImportPresence } from '#src/operations/presence.ts'
import type { ImportedSoFar } from '#src/runtime/watch/metrics.ts'
import type { ImportStatus } from '#src/runtime/watch/status.ts'

const nothingImported: ImportProgress = {
  blocks: 0,
  transactions: 0,
  bytes: 0,
  latestBlock: undefined,
  latestTime: undefined,
  head: 0,
  gapBlocks: 0n,
  stream: undefined,
  quietSince: undefined,
  filesTotal: undefined,
  problem: undefined,
  beginsLate: undefined,
}

export interface TotalsOptions {
  readonly observe: (figures: ImportedSoFar) => void
  readonly show: (status: ImportStatus) => void
  /** What is read; undefined before it is opened. */
  readonly sources: () => ReadSources | undefined
}

/** What one process has imported over all its attempts, and what keeps it from going on. */
export class ImportTotals {
  readonly #options: TotalsOptions
  #total = nothingImported
  #turns = 0
  #waitsFor: LedgerError | undefined
  #standby = false

  constructor(options: TotalsOptions) {
    this.#options = options
  }

  get blocks(): number {
    return this.#total.blocks
  }

  /** How often this process got the right to append. */
  get turns(): number {
    return this.#turns
  }

  /** Begins an attempt; returns what takes its progress. */
  begin(): (progress: ImportProgress) => void {
    const { blocks, transactions } = this.#total
    return (progress) => {
      this.#total = {
        ...progress,
        blocks: blocks + progress.blocks,
        transactions: transactions + progress.transactions,
      }
      this.#options.observe(this.#total)
      this.#options.show(this.#status())
    }
  }

  /** The attempt has the right to append. */
  open(): void {
    this.#turns += 1
    this.#waitsFor = undefined
    this.#standby = false
  }

  /** The attempt failed of this, and there will be another. */
  wait(error: LedgerError, standby = false): void {
    this.#waitsFor = error
    this.#standby = standby
    this.#options.show(this.#status())
  }

  presence(generation: number): ImportPresence {
    const { head, latestBlock, gapBlocks } = this.#total
    const problem = this.#problem ?? this.#total.beginsLate
    const sources = this.#options.sources()
    return {
      generation,
      head,
      latestBlock: latestBlock?.toString() ?? null,
      ...(latestBlock === undefined ? {} : { gapBlocks: gapBlocks.toString() }),
      ...(this.#standby ? { standby: true } : {}),
      ...(problem === undefined ? {} : { problem: problem.message }),
      ...(this.#problem === undefined ? {} : { problemCode: this.#problem.code }),
      ...(sources === undefined || this.#standby ? {} : streamPresence(sources, this.#total)),
    }
  }

  get #problem(): LedgerError | undefined {
    return this.#waitsFor ?? this.#total.problem
  }

  #status(): ImportStatus {
    const { blocks, transactions, latestBlock, latestTime, filesTotal } = this.#total
    const problem = this.#problem?.message
    return {
      latestBlock,
      consensusEnd: latestTime,
      blocks,
      transactions,
      ...(filesTotal === undefined ? {} : { blocksTotal: filesTotal }),
      ...(problem === undefined ? {} : { problem }),
    }
  }
}

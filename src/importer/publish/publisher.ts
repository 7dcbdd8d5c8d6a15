import { blockRecords } from '#src/importer/publish/block-events.ts'
import type { VerifiedBlock } from '#src/importer/publish/verified-block.ts'
import type { ImportSession } from '#src/importer/session.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import type { LogRecord } from '#src/ports/message-log.ts'

export interface PublishedCounts {
  blocks: number
  transactions: number
  bytes: number
  firstBlock: bigint | undefined
}

export interface PublisherOptions {
  readonly session: ImportSession
  readonly settings: ImporterSettings
  readonly now: () => number
  /** Called after every append. */
  readonly onAppended: (counts: Readonly<PublishedCounts>) => void
}

/** Collects blocks and appends several at a time when they come fast; a block is never split. */
export class Publisher {
  readonly counts: PublishedCounts = { blocks: 0, transactions: 0, bytes: 0, firstBlock: undefined }
  readonly #options: PublisherOptions
  #pending: (readonly LogRecord[])[] = []
  #pendingEvents = 0
  #pendingBytes = 0
  #sinceCheckpoint = 0
  #checkpointAt: number

  constructor(options: PublisherOptions) {
    this.#options = options
    this.#checkpointAt = options.now()
  }

  /** Takes a block; appends when enough have come together. */
  async add(block: VerifiedBlock): Promise<void> {
    const { session, settings } = this.#options
    const { number, records, bytes, transactionCount } = blockRecords(block, session.state, settings)
    this.#pending.push(records)
    this.#pendingEvents += records.length
    this.#pendingBytes += bytes
    this.counts.blocks += 1
    this.counts.transactions += transactionCount
    this.counts.bytes += block.facts.size ?? 0
    this.counts.firstBlock ??= number
    const { appendBlocksMax, appendEventsMax, appendBytesMax } = settings
    const enough =
      this.#pending.length >= appendBlocksMax ||
      this.#pendingEvents >= appendEventsMax ||
      this.#pendingBytes >= appendBytesMax
    if (enough) await this.flush()
  }

  /** Appends what is there. */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return
    const blocks = this.#pending
    this.#pending = []
    this.#pendingEvents = 0
    this.#pendingBytes = 0
    await this.#options.session.append(blocks)
    this.#sinceCheckpoint += blocks.length
    this.#options.onAppended(this.counts)
    await this.#checkpointWhenDue()
  }

  /** Appends what is there and makes the state durable up to it, so that whoever reads the state sees every block. */
  async checkpoint(): Promise<void> {
    await this.flush()
    await this.#options.session.checkpoint()
    this.#sinceCheckpoint = 0
    this.#checkpointAt = this.#options.now()
  }

  async #checkpointWhenDue(): Promise<void> {
    const { settings, now } = this.#options
    const due =
      this.#sinceCheckpoint >= settings.checkpointBlocks || now() - this.#checkpointAt >= settings.checkpointMs
    if (due) await this.checkpoint()
  }
}

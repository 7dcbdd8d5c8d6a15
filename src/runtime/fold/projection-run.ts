import { LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { Position, StoredRecord } from '#src/ports/message-log.ts'
import type { OpenCommit, ProjectionWriter, Row, Value } from '#src/ports/read-store.ts'
import { type AnyProjection, type FoldContext, type FoldEvent, projectionLabel } from '#src/runtime/fold/projection.ts'
import { RowCache } from '#src/runtime/fold/row-cache.ts'

export interface ProjectionRunOptions {
  readonly projection: AnyProjection
  readonly writer: ProjectionWriter
  readonly logger: Logger
  /** true: stop at the first event that cannot be folded, as a rebuild does. */
  readonly strict: boolean
  /** Rows of a stateful fold kept between commits. */
  readonly cachedRowsMax: number
}

interface PendingWrite {
  readonly collection: string
  /** undefined: the row of `key` is removed. */
  readonly row: Row | undefined
  readonly key: readonly Value[]
}

/** One projection being brought forward: its position, what the next commit will write, and the current window. */
export class ProjectionRun {
  readonly projection: AnyProjection
  readonly label: string
  readonly #writer: ProjectionWriter
  readonly #logger: Logger
  readonly #strict: boolean
  readonly #cache: RowCache | undefined
  readonly #context: FoldContext<unknown>
  #committed: Position
  #position: Position
  #time: bigint
  #open: OpenCommit | undefined
  /** Writes of the event being folded: they count only when the whole fold succeeds. */
  readonly #pending: PendingWrite[] = []
  #discarding = false
  #windowIndex = -1
  #window: unknown

  constructor({ projection, writer, logger, strict, cachedRowsMax }: ProjectionRunOptions) {
    this.projection = projection
    this.label = projectionLabel(projection)
    this.#writer = writer
    this.#logger = logger
    this.#strict = strict
    this.#position = this.#committed = writer.checkpoint?.position ?? 0
    this.#time = writer.checkpoint?.time ?? 0n
    const { collections } = projection.schema
    if (projection.needs) this.#cache = new RowCache(writer, (name) => collections[name]?.key ?? [], cachedRowsMax)
    this.#context = this.#createContext()
  }

  get position(): Position {
    return this.#position
  }

  /** Number of this ownership. */
  get epoch(): number {
    return this.#writer.epoch
  }

  /** Most events that the store takes in one commit without needing too much memory. */
  get commitEventsMax(): number {
    return this.#writer.commitEventsMax ?? Number.POSITIVE_INFINITY
  }

  get time(): bigint {
    return this.#time
  }

  /** Events folded since the last commit. */
  get uncommitted(): number {
    return this.#position - this.#committed
  }

  /** Rows are complete up to the time of what is read here, or of a block, which nothing of its time follows. */
  movesTime({ type }: StoredRecord): boolean {
    return type === 'BlockRecorded' || this.projection.reads[type] !== undefined
  }

  /** From where to read so that the current window is whole; equals the position where there is none. */
  get replayFrom(): Position {
    const size = this.projection.window?.size
    return size === undefined ? this.#position : Math.floor(this.#position / size) * size
  }

  /** Folds the window's events up to the position again, writing nothing: its state is in memory only. */
  replay(records: readonly StoredRecord[], decode: (record: StoredRecord) => FoldEvent | undefined): void {
    this.#discarding = true
    for (const record of records) {
      if (record.sequence > this.#position) break
      const event = decode(record)
      if (event) this.#apply(event, record.sequence)
    }
    if (this.#window !== undefined) this.projection.window?.flush(this.#window, () => {})
    this.#discarding = false
  }

  /** Folds events in order; those at or below the position are passed over. `events` are the decoded `records`. */
  async fold(records: readonly StoredRecord[], events: readonly (FoldEvent | undefined)[]): Promise<void> {
    const { reads } = this.projection
    const isRead = (event: FoldEvent | undefined): event is FoldEvent =>
      event !== undefined && reads[event.type] !== undefined
    if (this.#cache && this.projection.needs) {
      const ahead = events.filter(isRead).filter(({ sequence }) => sequence > this.#position)
      const refs = ahead.flatMap((event) => this.projection.needs?.(event) ?? [])
      await this.#cache.load(refs)
    }
    for (let index = 0; index < records.length; index++) {
      const record = records[index]!
      if (record.sequence <= this.#position) continue
      if (record.sequence !== this.#position + 1) throw this.#gap(record.sequence)
      const event = events[index]
      if (isRead(event)) this.#apply(event, record.sequence)
      this.#position = record.sequence
      if (record.time > this.#time && this.movesTime(record)) this.#time = record.time
      if (this.#isWindowEnd(record.sequence)) this.#flushWindow()
    }
  }

  /** Makes what the folds produced visible and moves the checkpoint. */
  async commit(): Promise<void> {
    if (this.uncommitted === 0) return
    this.#flushWindow()
    const open = this.#opened()
    if (this.#cache) {
      const { puts, deletes } = this.#cache.changes()
      for (const { collection, row } of puts) open.put(collection, row)
      for (const { collection, key } of deletes) open.remove(collection, key)
    }
    this.#open = undefined
    await open.commit({ position: this.#position, time: this.#time })
    this.#committed = this.#position
    this.#cache?.settle()
  }

  /** Gives up what is not committed. */
  async close(): Promise<void> {
    await this.#open?.abandon()
    await this.#writer.close()
  }

  #apply(event: FoldEvent, sequence: Position): void {
    this.#pending.length = 0
    try {
      this.#openWindow(sequence)
      this.projection.apply(event, this.#context)
    } catch (error) {
      this.#refuse(event, error)
      return
    }
    for (const { collection, row, key } of this.#pending) {
      if (row) this.#put(collection, row)
      else this.#remove(collection, key)
    }
  }

  #refuse(event: FoldEvent, error: unknown): void {
    // Folded again for its window's sake: it was parked the first time.
    if (this.#discarding) return
    const reason = error instanceof Error ? error.message : String(error)
    const fields = {
      projection: this.projection.schema.name,
      version: this.projection.schema.version,
      sequence: event.sequence,
    }
    if (this.#strict || !this.projection.orderFree) {
      throw new LedgerError(
        'fold_failed',
        `Projection ${this.label} cannot fold the ${event.type} at sequence ${event.sequence}: ${reason}`,
        fields,
        error,
      )
    }
    this.#opened().park({ sequence: event.sequence, error: reason })
    this.#logger.error(
      { ...fields, event: event.type, err: error },
      'event parked: the projection diverges until it is resolved',
    )
  }

  #createContext(): FoldContext<unknown> {
    const run = this
    return {
      put: (collection, row) => this.#pending.push({ collection, row, key: [] }),
      remove: (collection, key) => this.#pending.push({ collection, row: undefined, key }),
      get: (collection, key) => {
        if (!this.#cache) throw new Error(`projection ${this.label} reads rows without declaring needs`)
        return this.#cache.get({ collection, key })
      },
      get window() {
        return run.#window
      },
    }
  }

  #put(collection: string, row: Row): void {
    if (this.#discarding) return
    if (this.#cache) this.#cache.set(this.#cache.refOf(collection, row), row)
    else this.#opened().put(collection, row)
  }

  #remove(collection: string, key: readonly Value[]): void {
    if (this.#discarding) return
    if (this.#cache) this.#cache.set({ collection, key }, undefined)
    else this.#opened().remove(collection, key)
  }

  #opened(): OpenCommit {
    this.#open ??= this.#writer.begin(this.#committed)
    return this.#open
  }

  #openWindow(sequence: Position): void {
    const { window } = this.projection
    if (!window) return
    const index = Math.floor((sequence - 1) / window.size)
    if (index === this.#windowIndex) return
    this.#windowIndex = index
    this.#window = window.open(index)
  }

  #isWindowEnd(sequence: Position): boolean {
    return this.projection.window !== undefined && sequence % this.projection.window.size === 0
  }

  #flushWindow(): void {
    if (this.#window === undefined) return
    this.projection.window?.flush(this.#window, (collection, row) => this.#put(collection, row))
  }

  #gap(found: Position): LedgerError {
    return new LedgerError(
      'log_gap',
      `Projection ${this.label} expects sequence ${this.#position + 1}, the log has ${found}`,
      {
        projection: this.projection.schema.name,
        expected: this.#position + 1,
        found,
      },
    )
  }
}

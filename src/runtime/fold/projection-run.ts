import { LedgerError } from '#src/domain/errors.ts'
import type { EventType } from '#src/events/event-types.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { Position, StoredRecord } from '#src/ports/message-log.ts'
import type { BlockEnd, OpenCommit, ProjectionWriter, Row } from '#src/ports/read-store.ts'
import { EventFold } from '#src/runtime/fold/event-fold.ts'
import { type FoldRows, foldRowsOf } from '#src/runtime/fold/fold-rows.ts'
import { type AnyProjection, type FoldEvent, projectionLabel } from '#src/runtime/fold/projection.ts'
import { LoadFailed } from '#src/runtime/fold/row-cache.ts'
import type { RowMemory } from '#src/runtime/fold/row-memory.ts'
import type { ListStore } from '#src/runtime/lists/list-state.ts'
import { type LateEvents, ListWriter } from '#src/runtime/lists/list-writer.ts'

/** Each ends what belongs together and is told with its time. */
const closing: ReadonlySet<EventType> = new Set(['BlockRecorded', 'SnapshotCompleted'])
/** What comes between blocks has their time: nothing is half said there. */
const between: ReadonlySet<EventType> = new Set([...closing, 'LogSuperseded'])

export interface ProjectionRunOptions {
  readonly projection: AnyProjection
  readonly writer: ProjectionWriter
  readonly logger: Logger
  /** true: stop at the first event that cannot be folded, as a rebuild does, unless the projection passes it over. */
  readonly strict: boolean
  /** What the rows kept between commits count into. */
  readonly memory: RowMemory
  /** Rows that one commit should write at most. */
  readonly commitRowsMax: number
  /** Events that were passed over when it was their turn; what they add to lists goes behind the others. */
  readonly late?: LateEvents
}

/** One projection being brought forward: its position, and what the next commit will write. */
export class ProjectionRun {
  readonly projection: AnyProjection
  readonly label: string
  readonly #writer: ProjectionWriter
  readonly #logger: Logger
  readonly #strict: boolean
  readonly #rows: FoldRows
  readonly #fold: EventFold
  readonly #lists: ListWriter | undefined
  readonly #listStore: ListStore
  readonly #memory: RowMemory
  readonly #leaveMemory: () => void
  readonly #commitRowsMax: number
  #committed: Position
  #position: Position
  #time: bigint
  /** The newest end of a block that was folded. */
  #whole: BlockEnd | undefined
  /** Time of the newest that was committed; for what is published. */
  #complete = 0n
  #open: OpenCommit | undefined
  #factsPut = 0
  #seconds = 0
  #loadsInTurn = 0
  /** One for all events. */
  readonly #keepFact = (collection: string, row: Row): void => this.#putFact(collection, row)

  constructor({ projection, writer, logger, strict, memory, commitRowsMax, late }: ProjectionRunOptions) {
    this.projection = projection
    this.label = projectionLabel(projection)
    this.#writer = writer
    this.#logger = logger
    this.#strict = strict
    this.#position = this.#committed = writer.checkpoint?.position ?? 0
    this.#time = writer.checkpoint?.time ?? 0n
    this.#whole = writer.checkpoint?.whole
    if (projection.schema.lists) this.#lists = new ListWriter(projection.schema.lists, late && { late })
    this.#listStore = {
      load: (collection, keys) => writer.load(collection, keys),
      put: (collection, row) => this.#putFact(collection, row),
    }
    this.#rows = foldRowsOf(projection, this.#lists, writer.loadSync)
    this.#fold = new EventFold(projection, this.#rows, writer)
    this.#memory = memory
    this.#leaveMemory = memory.add(this.#rows)
    this.#commitRowsMax = commitRowsMax
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

  /** Rows need not be asked for together. */
  get loadsInPlace(): boolean {
    return this.#writer.loadSync !== undefined
  }

  get time(): bigint {
    return this.#time
  }

  /** Rows of blocks that end up to here (ns) are committed; 0n while that is not known, and where nothing is published. */
  get complete(): bigint {
    return this.#complete
  }

  /** Spent folding, loading included, since it was opened. */
  get seconds(): number {
    return this.#seconds
  }

  /** How often an event waited for rows that were not found ahead, since the last commit. */
  get loadsInTurn(): number {
    return this.#loadsInTurn
  }

  /** Events folded since the last commit. */
  get uncommitted(): number {
    return this.#position - this.#committed
  }

  /** The next commit would write as many rows as one should. */
  get isFull(): boolean {
    return this.#factsPut + this.#rows.dirtyRows >= this.#commitRowsMax
  }

  /** Only positions of decisions have gaps. */
  get #isDense(): boolean {
    return this.projection.source === 'ledger'
  }

  /** Rows are complete up to the time of what is read here, or of what nothing of its time follows. */
  movesTime({ type }: StoredRecord): boolean {
    return closing.has(type) || this.projection.handlers[type] !== undefined
  }

  /** The checkpoint stands at this event. */
  resumeBehind({ type, time }: StoredRecord): void {
    if (!between.has(type)) return
    this.#whole = { position: this.#position, time }
    this.#complete = time
  }

  /** Takes the lists up where the checkpoint says. */
  async openLists(): Promise<void> {
    await this.#lists?.open({ position: this.#position, time: this.#time }, this.#listStore)
  }

  /**
   * Folds events in order; those at or below the position are passed over. `events` are the decoded `records`. Calls
   * `commitFull` between events whenever it is full.
   */
  async fold(
    records: readonly StoredRecord[],
    events: readonly (FoldEvent | undefined)[],
    commitFull: () => Promise<void>,
  ): Promise<void> {
    const started = performance.now()
    await this.#rows.pinned(async () => {
      let asked = false
      for (let index = 0; index < records.length; index++) {
        const record = records[index]!
        if (record.sequence <= this.#position) continue
        if (this.#isDense && record.sequence !== this.#position + 1) throw this.#gap(record.sequence)
        const event = events[index]
        while (event !== undefined && !this.#apply(event)) {
          // Where one row is not here others are missing too: all that the rest of the batch reads is loaded at once.
          if (asked) await this.#loadInTurn()
          else await this.#fold.loadAhead(events, index)
          asked = true
        }
        this.#position = record.sequence
        if (record.time > this.#time && this.movesTime(record)) this.#time = record.time
        if (this.#lists?.endsWindow(record.sequence)) await this.#lists.endWindow(record.sequence, this.#listStore)
        if (!this.isFull) continue
        this.#noteEnd(records)
        await commitFull()
      }
    })
    this.#noteEnd(records)
    this.#memory.makeRoom()
    this.#seconds += (performance.now() - started) / 1_000
  }

  /** Makes what the folds produced visible and moves the checkpoint. */
  async commit(): Promise<void> {
    if (this.uncommitted === 0) return
    const open = this.#opened()
    await this.#lists?.flush(this.#listStore)
    this.#rows.changes(
      ({ collection, row }) => open.put(collection, row),
      ({ collection, key }) => open.remove(collection, key),
    )
    this.#open = undefined
    await open.commit({ position: this.#position, time: this.#time, whole: this.#whole })
    this.#committed = this.#position
    this.#complete = this.#whole?.time ?? 0n
    this.#loadsInTurn = 0
    this.#lists?.committed()
    this.#factsPut = 0
    this.#rows.settle()
  }

  /** Work that commits have left for later. */
  get leftOver(): number {
    return this.#open === undefined ? (this.#writer.leftOver?.() ?? 0) : 0
  }

  tidy(): void {
    this.#writer.tidy?.()
  }

  /** Gives up what is not committed. */
  async close(): Promise<void> {
    this.#leaveMemory()
    await this.#open?.abandon()
    await this.#writer.close()
  }

  /** Returns false when a row that the event needs is not loaded: then nothing has happened. */
  #apply(event: FoldEvent): boolean {
    try {
      if (!this.#fold.apply(event)) return false
    } catch (error) {
      this.#rows.undo()
      if (error instanceof LoadFailed) throw error.cause
      this.#refuse(event, error)
      return true
    }
    this.#rows.keep(this.#keepFact)
    this.#lists?.accept(event.sequence)
    return true
  }

  async #loadInTurn(): Promise<void> {
    this.#loadsInTurn += 1
    await this.#fold.load()
  }

  #refuse(event: FoldEvent, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    const fields = {
      projection: this.projection.schema.name,
      version: this.projection.schema.version,
      sequence: event.sequence,
    }
    const { orderFree, passesOver } = this.projection
    if (!passesOver && (this.#strict || !orderFree)) {
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

  /** What is shown and published waits for the end of its block. Of ends that contradict each other the latest time counts. */
  #noteEnd(records: readonly StoredRecord[]): void {
    if (!this.#isDense) return
    for (const { sequence, type, time } of records) {
      if (sequence > this.#position) return
      if (!between.has(type)) continue
      const before = this.#whole?.time ?? 0n
      this.#whole = { position: sequence, time: time > before ? time : before }
    }
  }

  #putFact(collection: string, row: Row): void {
    this.#factsPut += 1
    this.#opened().put(collection, row)
  }

  #opened(): OpenCommit {
    this.#open ??= this.#writer.begin(this.#committed)
    return this.#open
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

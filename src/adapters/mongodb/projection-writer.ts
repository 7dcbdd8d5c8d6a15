import { keepMarks, wholeRow } from '#src/adapters/mongodb/collection-marks.ts'
import type { Connection } from '#src/adapters/mongodb/connection.ts'
import {
  againMax,
  checkpointOf,
  originOf,
  rowsName,
  type StoredBlockEnd,
  versionOf,
} from '#src/adapters/mongodb/instance.ts'
import { readJournal, removeJournal, removeUndecided, writeJournal } from '#src/adapters/mongodb/journal.ts'
import { type CommitStep, commitEventsMax } from '#src/adapters/mongodb/options.ts'
import { OwnedInstance } from '#src/adapters/mongodb/owned-instance.ts'
import { takeOver } from '#src/adapters/mongodb/ownership.ts'
import { resolveParked } from '#src/adapters/mongodb/parked-events.ts'
import { dropLives } from '#src/adapters/mongodb/removal.ts'
import { type RowSelection, selectRows, selectUnchecked } from '#src/adapters/mongodb/row-selection.ts'
import { deletedField, type Shape, shapesOf, versionField } from '#src/adapters/mongodb/shape.ts'
import { removeOldTombstones } from '#src/adapters/mongodb/tombstones.ts'
import { type Habits, WriteSet } from '#src/adapters/mongodb/write-set.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { Position } from '#src/ports/message-log.ts'
import type {
  Checkpoint,
  CommitBatch,
  OpenCommit,
  ProjectionSchema,
  ProjectionWriter,
  Row,
  RowsOrigin,
  Value,
} from '#src/ports/read-store.ts'

/** Rows asked for in one call. */
const loadKeysMax = 1_000
const tombstonesEveryMs = 3_600_000

/** Takes an instance over, finishes what its last owner had decided, and clears away what it had not. */
export async function openProjectionWriter(
  connection: Connection,
  schema: ProjectionSchema,
  onClosed: () => void,
): Promise<ProjectionWriter> {
  const shapes = shapesOf(schema)
  const owned = new OwnedInstance(connection, schema, await takeOver(connection, schema))
  try {
    await dropLives(connection, schema, owned)
    await keepMarks(connection, schema, owned)
    for (const [name, shape] of shapes) await connection.create(rowsName(owned.scope, name), shape.indexNames)
    const writer = new MongoProjectionWriter({ connection, schema, shapes, owned, onClosed })
    await writer.recover()
    return writer
  } catch (error) {
    await owned.release()
    throw error
  }
}

interface WriterParts {
  readonly connection: Connection
  readonly schema: ProjectionSchema
  readonly shapes: ReadonlyMap<string, Shape>
  readonly owned: OwnedInstance
  readonly onClosed: () => void
}

interface Writes {
  /** To collections that only grow. */
  readonly added: WriteSet
  readonly changed: WriteSet
}

interface Target {
  readonly position: bigint
  readonly time: bigint
  readonly whole?: StoredBlockEnd | null
  readonly again: bigint
}

/**
 * Commits without transactions. Rows that are only ever added go in first and show when the checkpoint moves. Others
 * are written as a journal; the checkpoint's move to `pending` decides, and what follows can be repeated by anyone.
 */
class MongoProjectionWriter implements ProjectionWriter {
  readonly #connection: Connection
  readonly #schema: ProjectionSchema
  readonly #shapes: ReadonlyMap<string, Shape>
  readonly #owned: OwnedInstance
  readonly #onClosed: () => void
  readonly #habits: Habits = new Set()
  readonly #onlyGrows: boolean
  readonly commitEventsMax = commitEventsMax
  checkpoint: Checkpoint | undefined
  /** A commit failed, and nobody knows how far it got. */
  #failed = false
  #closed = false
  #tombstonesAt = 0
  #commits = 0

  readonly #selections = new Map<Shape, RowSelection>()

  constructor({ connection, schema, shapes, owned, onClosed }: WriterParts) {
    this.#connection = connection
    this.#schema = schema
    this.#shapes = shapes
    this.#onlyGrows = [...shapes.values()].every(({ isFacts }) => isFacts)
    this.#owned = owned
    this.#onClosed = onClosed
  }

  get origin(): RowsOrigin {
    return originOf(this.#owned.document)
  }

  async claim(log: string): Promise<void> {
    await this.#owned.move({ log })
  }

  get epoch(): number {
    return Number(this.#owned.epoch)
  }

  async recover(): Promise<void> {
    const { pending } = this.#owned.document
    if (pending) {
      const writes = this.#createWrites()
      await readJournal(this.#connection, pending, writes)
      await this.#finish([writes], pending)
      await removeJournal(this.#connection, pending)
    }
    await removeUndecided(this.#connection, this.#owned.scope, this.#owned.epoch)
    await this.#clearTombstones()
    this.checkpoint = checkpointOf(this.#owned.document)
  }

  async load(collection: string, keys: readonly (readonly Value[])[]): Promise<(Row | undefined)[]> {
    this.#assertUsable()
    const shape = this.#shape(collection)
    const found = new Map<string, Row>()
    for (let start = 0; start < keys.length; start += loadKeysMax)
      await this.#loadSome(collection, shape, keys.slice(start, start + loadKeysMax), found)
    return keys.map((key) => found.get(shape.idOf(key)))
  }

  async commit({ from, to, puts, deletes, parked = [] }: CommitBatch): Promise<void> {
    const open = this.begin(from)
    for (const { collection, row } of puts) open.put(collection, row)
    for (const { collection, key } of deletes) open.remove(collection, key)
    for (const event of parked) open.park(event)
    await open.commit(to)
  }

  begin(from: Position): OpenCommit {
    const writes: Writes = { added: this.#createWrites(), changed: this.#createWrites() }
    return {
      put: (collection, row) =>
        (this.#shape(collection).isFacts ? writes.added : writes.changed).put({ collection, row }),
      remove: (collection, key) => this.#remove(writes, collection, key),
      park: (event) => (this.#onlyGrows ? writes.added : writes.changed).park(event),
      commit: (to) => this.#commit(from, to, writes),
      abandon: async () => {},
    }
  }

  async unpark(sequences: readonly Position[]): Promise<void> {
    this.#assertUsable()
    await this.#owned.assertOwned()
    await resolveParked(this.#connection, this.#owned.scope, sequences)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#onClosed()
    await this.#owned.release()
  }

  #remove({ changed }: Writes, collection: string, key: readonly Value[]): void {
    if (this.#shape(collection).isFacts)
      throw new Error(`${this.#owned.name} says that it only adds rows to ${collection}, and removes one`)
    changed.remove({ collection, key })
  }

  async #commit(from: Position, to: Checkpoint, writes: Writes): Promise<void> {
    this.#assertUsable()
    await this.#assertAt(from)
    const target = this.#targetOf(to)
    try {
      const { added, changed } = writes
      if (!changed.isEmpty) await this.#commitWithJournal(writes, target)
      else if (added.isEmpty) await this.#settle(target, this.#connection.breaks)
      else await this.#finish([added], target)
    } catch (error) {
      this.#failed = true
      throw error
    }
  }

  /** What is only added goes in before the commit is decided: the journal does not have it. */
  async #commitWithJournal({ added, changed }: Writes, target: Target): Promise<void> {
    const { scope, epoch, token } = this.#owned
    // With the token: a store that comes back older than it was gives the same epoch out again.
    const journal = `${scope}/${epoch}-${++this.#commits}-${token}`
    const { breaks } = this.#connection
    await added.writeRows(this.#connection, versionOf(target), this.#habits)
    await this.#step('journal')
    const chunks = await writeJournal(this.#connection, journal, epoch, changed)
    await this.#step('commit-point')
    const pending = { journal, chunks, ...target }
    await this.#connection.assertUnbrokenSince(breaks)
    await this.#owned.move({ state: 'pending', pending })
    // The server may have started anew just before that, without chunks that it had confirmed.
    const hasBroken = this.#connection.breaks !== breaks
    if (hasBroken) await writeJournal(this.#connection, journal, epoch, changed)
    await this.#finish(hasBroken ? [added, changed] : [changed], target)
    await this.#step('journal-end')
    // Only now: until the checkpoint is there, a successor needs the chunks.
    await removeJournal(this.#connection, pending)
    if (performance.now() - this.#tombstonesAt > tombstonesEveryMs) await this.#clearTombstones()
  }

  /** What a successor may have to repeat: writes rows, then says that they are there. */
  async #finish(sets: readonly WriteSet[], target: Target): Promise<void> {
    let { breaks } = this.#connection
    await this.#step('rows')
    for (const writes of sets) await this.#write(writes, target)
    await this.#settle(target, breaks)
    // The server may have started anew just before that, without rows that it had confirmed.
    while (breaks !== this.#connection.breaks) {
      breaks = this.#connection.breaks
      for (const writes of sets) await this.#write(writes, target)
    }
  }

  async #write(writes: WriteSet, target: Target): Promise<void> {
    await writes.writeRows(this.#connection, versionOf(target), this.#habits)
    await this.#step('parked')
    await writes.writeParked(this.#connection)
  }

  /** `breaks`: of the connection, from before the first row. */
  async #settle({ position, time, whole = null, again }: Target, breaks: number): Promise<void> {
    await this.#step('checkpoint')
    await this.#connection.assertUnbrokenSince(breaks)
    await this.#owned.move({ state: 'done', pending: null, position, time, whole, again })
  }

  #targetOf({ position, time, whole }: Checkpoint): Target {
    const current = this.#owned.document
    const to = BigInt(position)
    if (to < (current.position ?? 0n)) throw new Error(`a commit of ${this.#owned.name} goes back to ${position}`)
    const again = to === current.position ? current.again + 1n : 0n
    if (again > againMax) throw new Error(`${this.#owned.name} was written ${againMax} times at position ${position}`)
    const end = whole ? { position: BigInt(whole.position), time: whole.time } : null
    return { position: to, time, whole: end, again }
  }

  async #loadSome(
    collection: string,
    shape: Shape,
    keys: readonly (readonly Value[])[],
    into: Map<string, Row>,
  ): Promise<void> {
    const rows = this.#connection.collection(rowsName(this.#owned.scope, collection))
    const { timeoutMs } = this.#connection.settings
    const found = await this.#connection.run(() =>
      rows
        .find(shape.filterOfKeys(keys, this.#connection.isSharded), { batchSize: keys.length, maxTimeMS: timeoutMs })
        .toArray(),
    )
    const selection = this.#selectionOf(shape)
    for (const document of found) {
      if (!shape.isFacts) await this.#assertNotAhead(collection, document[versionField] as bigint)
      if (document[deletedField] !== true)
        into.set(
          document._id,
          wholeRow(this.#schema, () => selection.rowOf(document)),
        )
    }
  }

  #selectionOf(shape: Shape): RowSelection {
    const known = this.#selections.get(shape)
    if (known !== undefined) return known
    const { sums } = this.#owned.document
    const made = sums ? selectRows(shape, shape.fields, ['_id']) : selectUnchecked(shape.fields, ['_id'])
    this.#selections.set(shape, made)
    return made
  }

  /** A fold must not build on a row that a later commit wrote: then somebody else is the owner, or the store is damaged. */
  async #assertNotAhead(collection: string, version: bigint): Promise<void> {
    const { position, again } = this.#owned.document
    if (version <= versionOf({ position: position ?? 0n, again })) return
    await this.#owned.assertOwned()
    throw new LedgerError(
      'store_damaged',
      `A row of ${collection} in ${this.#owned.name} was written at ${version >> 16n}, but the read model stands at ${position}; restore the database, or remove the read model so that it is built again`,
      { collection, position: Number(position ?? 0n), rowPosition: Number(version >> 16n) },
    )
  }

  async #assertAt(from: Position): Promise<void> {
    const position = Number(this.#owned.document.position ?? 0n)
    if (position === from) return
    await this.#owned.assertOwned()
    throw new LedgerError(
      'checkpoint_moved',
      `Read model ${this.#owned.name} stands at ${position}, not at ${from} as this commit expects`,
      { position, from },
    )
  }

  #assertUsable(): void {
    this.#owned.assertNotFenced()
    if (!this.#failed) return
    throw new LedgerError(
      'store_unavailable',
      `Read model ${this.#owned.name} has to be opened again, since a commit to it failed`,
      { projection: this.#owned.name },
    )
  }

  /** Nothing depends on it: what is not cleared now is cleared an hour later, and neither opening nor a commit fails of it. */
  async #clearTombstones(): Promise<void> {
    this.#tombstonesAt = performance.now()
    try {
      const changing = [...this.#shapes].filter(([, { isFacts }]) => !isFacts).map(([name]) => name)
      await removeOldTombstones(this.#connection, this.#owned.scope, changing)
    } catch (error) {
      this.#connection.logger.warn({ projection: this.#owned.name, err: error }, 'marks of deleted rows not cleared')
    }
  }

  async #step(step: CommitStep): Promise<void> {
    await this.#connection.settings.beforeStep?.(step)
  }

  #createWrites(): WriteSet {
    return new WriteSet(this.#shapes, this.#owned.scope)
  }

  #shape(collection: string): Shape {
    const shape = this.#shapes.get(collection)
    if (!shape) throw new Error(`${this.#owned.name} has no collection ${collection}`)
    return shape
  }
}

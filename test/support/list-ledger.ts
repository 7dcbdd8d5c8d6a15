import type { ListTerm } from '#queries/common/lists/list-runs.ts'
import type { Checkpoint, ListSettings, ProjectionSchema, ProjectionWriter, ReadStore } from '#src/ports/read-store.ts'
import { typedRows } from '#src/ports/read-store.ts'
import { listCollections } from '#src/runtime/lists/list-collections.ts'
import { type LateEvents, ListWriter } from '#src/runtime/lists/list-writer.ts'

export interface Addition extends ListTerm {
  readonly payload: number
}

/** What an event adds; undefined when its fold refuses it after having added something. */
export type ListEvent = readonly Addition[] | undefined

export function listSchema(list: ListSettings) {
  return {
    name: 'listed',
    version: 1,
    collections: listCollections('entries'),
    lists: { entries: { ...list, of: 'entriesBlocks' } },
  } as const satisfies ProjectionSchema
}

/** Time of the event at a sequence. */
export function timeAt(sequence: number): bigint {
  return BigInt(sequence) * 10n
}

/** Does with a list what the runtime does for a projection: folds events, ends windows, commits, dies and takes over. */
export class ListLedger {
  readonly schema: ReturnType<typeof listSchema>
  readonly #store: ReadStore
  readonly #events: readonly ListEvent[]
  readonly #late: LateEvents | undefined
  #writer: ProjectionWriter | undefined
  #lists: ListWriter
  #checkpoint: Checkpoint = { position: 0, time: 0n }

  constructor(store: ReadStore, list: ListSettings, events: readonly ListEvent[], late?: LateEvents) {
    this.#store = store
    this.schema = listSchema(list)
    this.#events = events
    this.#late = late
    this.#lists = this.#createLists()
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  /** Takes the list over at its checkpoint. */
  async open(): Promise<void> {
    await this.#writer?.close()
    const writer = await this.#store.openWriter(this.schema)
    this.#writer = writer
    this.#checkpoint = writer.checkpoint ?? this.#checkpoint
    this.#lists = this.#createLists()
    await this.#lists.open(this.#checkpoint, writer)
  }

  /** Folds to a position and commits there, or dies just before. */
  async fold(to: number, dies = false): Promise<void> {
    const writer = this.#writer!
    const commit = writer.begin(this.#checkpoint.position)
    const store = {
      load: writer.load.bind(writer),
      put: commit.put,
    }
    for (let sequence = this.#checkpoint.position + 1; sequence <= to; sequence++) {
      this.#add(sequence)
      if (this.#lists.endsWindow(sequence)) await this.#lists.endWindow(sequence, store)
    }
    await this.#lists.flush(store)
    if (dies) {
      await commit.abandon()
      await this.open()
      return
    }
    const checkpoint = { position: to, time: timeAt(to) }
    await commit.commit(checkpoint)
    this.#lists.committed()
    this.#checkpoint = checkpoint
  }

  /** Folds events again that were passed over, at the same checkpoint. */
  async addLate(events: readonly (readonly [sequence: number, event: readonly Addition[]])[]): Promise<void> {
    const writer = this.#writer!
    const late = new ListWriter(this.schema.lists, { late: 'all' })
    const commit = writer.begin(this.#checkpoint.position)
    for (const [sequence, event] of events) {
      for (const { kind, term, payload } of event) late.add('entries', kind, term, timeAt(sequence), payload)
      late.accept(sequence)
    }
    await late.flush({ load: writer.load.bind(writer), put: commit.put })
    await commit.commit(this.#checkpoint)
  }

  async reader() {
    const reader = await this.#store.openReader(this.schema)
    return { reader, rows: typedRows<typeof this.schema>(reader) }
  }

  async close(): Promise<void> {
    await this.#writer?.close()
  }

  #createLists(): ListWriter {
    return new ListWriter(this.schema.lists, this.#late && { late: this.#late })
  }

  #add(sequence: number): void {
    const event = this.#events[sequence - 1]
    for (const { kind, term, payload } of event ?? [{ kind: 0, term: 1n, payload: 99 }])
      this.#lists.add('entries', kind, term, timeAt(sequence), payload)
    if (event) this.#lists.accept(sequence)
    else this.#lists.reject()
  }
}

import { keptRow } from '#src/ports/kept-row.ts'
import type { Position } from '#src/ports/message-log.ts'
import type {
  Checkpoint,
  DeleteRow,
  OpenCommit,
  ParkedEvent,
  ProjectionWriter,
  PutRow,
  Row,
  Value,
} from '#src/ports/read-store.ts'

/**
 * Lets a fold begin at any position of an instance whose own checkpoint stays where it is: rows are written in a commit that
 * does not move it, and an event that the fold refuses is kept here.
 */
export class LateWriter implements ProjectionWriter {
  readonly checkpoint: Checkpoint
  readonly epoch: number
  /** What the fold refused. */
  refused: ParkedEvent | undefined
  readonly #writer: ProjectionWriter
  #puts: PutRow[] = []
  #deletes: DeleteRow[] = []

  constructor(writer: ProjectionWriter, from: Position) {
    this.#writer = writer
    this.checkpoint = { position: from, time: 0n }
    this.epoch = writer.epoch
  }

  load(collection: string, keys: readonly (readonly Value[])[]): Promise<(Row | undefined)[]> {
    return this.#writer.load(collection, keys)
  }

  async commit(): Promise<void> {
    throw new Error('a late event is committed as it was begun')
  }

  begin(): OpenCommit {
    return {
      put: (collection, row) => void this.#puts.push({ collection, row: keptRow(row) }),
      remove: (collection, key) => void this.#deletes.push({ collection, key }),
      park: (event) => {
        this.refused = event
      },
      commit: () => this.#flush(),
      abandon: async () => {
        this.#puts = []
        this.#deletes = []
      },
    }
  }

  async unpark(): Promise<void> {
    throw new Error('a late event is forgotten by whoever owns the instance')
  }

  /** Leaves the instance open: its owner closes it. */
  async close(): Promise<void> {}

  async #flush(): Promise<void> {
    const stands = this.#writer.checkpoint ?? { position: 0, time: 0n }
    if (this.#puts.length + this.#deletes.length === 0) return
    await this.#writer.commit({ from: stands.position, to: stands, puts: this.#puts, deletes: this.#deletes })
    this.#puts = []
    this.#deletes = []
  }
}

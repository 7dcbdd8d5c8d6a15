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

/** Writes that are put into one commit of the store, so that memory stays bounded. */
const writesMax = 5_000

/**
 * Lets a fold begin at any position of an instance whose own checkpoint stays where it is: rows are written in commits that
 * do not move it, and events that the fold refuses are kept here.
 */
export class RangeWriter implements ProjectionWriter {
  readonly checkpoint: Checkpoint
  readonly epoch: number
  /** Events that the fold refused. */
  readonly refused: ParkedEvent[] = []
  readonly #writer: ProjectionWriter
  readonly #stands: Checkpoint
  #puts: PutRow[] = []
  #deletes: DeleteRow[] = []

  constructor(writer: ProjectionWriter, from: Position, stands: Checkpoint | undefined = writer.checkpoint) {
    this.#writer = writer
    this.#stands = stands ?? { position: 0, time: 0n }
    this.checkpoint = { position: from, time: 0n }
    this.epoch = writer.epoch
  }

  load(collection: string, keys: readonly (readonly Value[])[]): Promise<(Row | undefined)[]> {
    return this.#writer.load(collection, keys)
  }

  async commit(): Promise<void> {
    throw new Error('a range is committed in pieces')
  }

  begin(): OpenCommit {
    return {
      put: (collection, row) => void this.#puts.push({ collection, row }),
      remove: (collection, key) => void this.#deletes.push({ collection, key }),
      park: (event) => void this.refused.push(event),
      commit: () => this.#flush(),
      abandon: async () => {
        this.#puts = []
        this.#deletes = []
      },
    }
  }

  async unpark(): Promise<void> {
    throw new Error('a range forgets no parked events')
  }

  /** Leaves the instance open: its owner closes it. */
  async close(): Promise<void> {}

  async #flush(): Promise<void> {
    const { position: from } = this.#stands
    for (let at = 0; at < Math.max(this.#puts.length, this.#deletes.length); at += writesMax) {
      const puts = this.#puts.slice(at, at + writesMax)
      const deletes = this.#deletes.slice(at, at + writesMax)
      await this.#writer.commit({ from, to: this.#stands, puts, deletes })
    }
    this.#puts = []
    this.#deletes = []
  }
}

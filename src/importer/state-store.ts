import { LedgerError } from '#src/domain/errors.ts'
import { createEventReader, decodeEvent } from '#src/events/codec.ts'
import type { Realm } from '#src/importer/record/address-book.ts'
import { documentNames, ImportState } from '#src/importer/state.ts'
import { importStateSchema } from '#src/importer/state-schema.ts'
import type { LogHead, MessageLog, Position, StoredRecord } from '#src/ports/message-log.ts'
import type { ProjectionWriter, ReadStore } from '#src/ports/read-store.ts'

const readHeadOf = createEventReader('TransactionRecorded', ['type', 'entityId'])

/** Keeps the importer's state in the read store and brings it up to the end of the log. */
export class StateStore {
  readonly state: ImportState
  readonly #writer: ProjectionWriter
  #position: Position
  #time: bigint

  private constructor(writer: ProjectionWriter, state: ImportState) {
    this.#writer = writer
    this.state = state
    this.#position = writer.checkpoint?.position ?? 0
    this.#time = writer.checkpoint?.time ?? 0n
  }

  /** Takes the state over and folds what the log has beyond it. */
  static async open(store: ReadStore, log: MessageLog, realm: Realm, head: LogHead): Promise<StateStore> {
    const writer = await store.openWriter(importStateSchema)
    try {
      const state = new ImportState(realm)
      const [progress] = await writer.load('progress', [[0]])
      state.restore(
        progress,
        await writer.load(
          'documents',
          documentNames.map((name) => [name]),
        ),
      )
      const opened = new StateStore(writer, state)
      await opened.#catchUp(log, head)
      return opened
    } catch (error) {
      await writer.close()
      throw error
    }
  }

  /** Makes the state durable as the fold of the log up to this head. */
  async commit({ sequence, time }: LogHead): Promise<void> {
    if (sequence === this.#position) return
    const to = { position: sequence, time: time ?? this.#time }
    await this.#writer.commit({ from: this.#position, to, puts: this.state.takeRows(), deletes: [] })
    this.#position = sequence
    this.#time = to.time
  }

  async close(): Promise<void> {
    await this.#writer.close()
  }

  async #catchUp(log: MessageLog, head: LogHead): Promise<void> {
    if (this.#position > head.sequence) {
      throw new LedgerError(
        'checkpoint_ahead',
        `The import state stands at event ${this.#position}, but the log ends at ${head.sequence}; restore the log, or remove the read models so that they are built again`,
        { position: this.#position, head: head.sequence },
      )
    }
    for await (const { records } of log.read({
      after: this.#position,
      countMax: 5_000,
      bytesMax: 8 << 20,
      follow: false,
    })) {
      for (const record of records) this.#fold(record)
      const last = records.at(-1)
      if (last) await this.commit({ sequence: last.sequence, time: last.time })
    }
  }

  #fold(record: StoredRecord): void {
    if (record.type === 'TransactionRecorded' && !this.state.needsBody(readHeadOf(record.value))) {
      this.state.countTransactions(1)
      return
    }
    this.state.apply(record.type, decodeEvent(record))
  }
}

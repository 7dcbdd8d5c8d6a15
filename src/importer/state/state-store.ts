import type { Realm } from '#src/domain/address-book.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { foldRecord } from '#src/importer/state/fold-record.ts'
import { documentNames, ImportState } from '#src/importer/state/import-state.ts'
import { importStateOf } from '#src/importer/state/state-schema.ts'
import type { LogHead, MessageLog, Position } from '#src/ports/message-log.ts'
import type { ProjectionWriter, ReadStore } from '#src/ports/read-store.ts'

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

  /**
   * Takes over the state of a log generation, as of its last commit. Rejects with `owner_busy` while another importer has
   * it.
   */
  static async open(store: ReadStore, generation: number, realm: Realm): Promise<StateStore> {
    const writer = await store.openWriter(importStateOf(generation))
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
      await restoreFiles(writer, state)
      return new StateStore(writer, state)
    } catch (error) {
      await writer.close()
      throw error
    }
  }

  /** Makes the state durable as the fold of the log up to this head. */
  async commit({ sequence, time }: LogHead): Promise<void> {
    if (sequence === this.#position) return
    const to = { position: sequence, time: time ?? this.#time }
    await this.#writer.commit({ from: this.#position, to, ...this.state.takeRows() })
    this.#position = sequence
    this.#time = to.time
  }

  async close(): Promise<void> {
    await this.#writer.close()
  }

  /**
   * Folds what the log has beyond the state, up to the head that the right to append came with. Rejects with
   * `checkpoint_ahead` where the state is of another log: going on from its last block would tear the chain.
   */
  async catchUp(log: MessageLog, head: LogHead): Promise<void> {
    if (this.#position > head.sequence) throw this.#foreign(`it ends at ${head.sequence}`)
    // From the event that the state stands at, which tells whether it is of this log.
    const after = Math.max(0, this.#position - 1)
    for await (const { records } of log.read({ after, countMax: 5_000, bytesMax: 8 << 20, follow: false })) {
      for (const record of records) {
        if (record.sequence > this.#position) foldRecord(this.state, record)
        else if (record.time !== this.#time)
          throw this.#foreign(`its event there is of ${formatLedgerTime(record.time)}`)
      }
      const last = records.at(-1)
      if (last) await this.commit({ sequence: last.sequence, time: last.time })
    }
    if (this.#position === head.sequence) return
    throw new LedgerError(
      'log_unavailable',
      `The log ends at event ${head.sequence}, but only ${this.#position} could be read; try again`,
      { head: head.sequence, position: this.#position },
    )
  }

  #foreign(found: string): LedgerError {
    const [position, time] = [this.#position, formatLedgerTime(this.#time)]
    return new LedgerError(
      'checkpoint_ahead',
      `The import state stands at event ${position} of the log, of ${time}, but ${found}: they do not belong together; restore the log, or remove the read models so that they are built again`,
      { position, time },
    )
  }
}

async function restoreFiles(writer: ProjectionWriter, state: ImportState): Promise<void> {
  const files = state.keptFiles
  const rows = await writer.load(
    'files',
    files.map((file) => [file]),
  )
  files.forEach((file, index) => {
    const contents = rows[index]?.contents
    if (contents !== undefined) state.uploads.restore(file, Buffer.from(contents as Uint8Array))
  })
}

import { readAddressBook } from '#src/domain/address-book.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { openingRecords } from '#src/importer/publish/block-events.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'
import { StateStore } from '#src/importer/state/state-store.ts'
import type { LogHead, LogRecord, LogWriter, MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'

const addressBookFile = 102n

export interface SessionOptions {
  readonly log: MessageLog
  readonly store: ReadStore
  /** Of the log, from 1. */
  readonly generation: number
  readonly settings: ImporterSettings
}

/** The right to append, together with the state as of the end of the log. */
export class ImportSession {
  readonly #writer: LogWriter
  readonly #stateStore: StateStore
  #head: LogHead

  private constructor(writer: LogWriter, stateStore: StateStore) {
    this.#writer = writer
    this.#stateStore = stateStore
    this.#head = writer.head
  }

  /**
   * Takes over a log generation: its state first, which keeps every other importer waiting, then the right to append,
   * which on some engines is taken away from whoever had it. An empty log gets its opening snapshot, unless there is
   * nothing to open it with: `address_book_invalid`. Refuses a log of another network.
   */
  static async open({ log, store, generation, settings }: SessionOptions): Promise<ImportSession> {
    const { shard, realm } = settings
    const stateStore = await StateStore.open(store, generation, { shard, realm })
    try {
      const writer = await log.openWriter()
      try {
        await stateStore.catchUp(log, writer.head)
        const session = new ImportSession(writer, stateStore)
        await session.#begin(settings)
        return session
      } catch (error) {
        await writer.close()
        throw error
      }
    } catch (error) {
      await stateStore.close()
      throw error
    }
  }

  get head(): LogHead {
    return this.#head
  }

  get state(): ImportState {
    return this.#stateStore.state
  }

  /** Appends blocks whose events the state has already folded. After a failure the session must not be used any more. */
  async append(blocks: readonly (readonly LogRecord[])[]): Promise<void> {
    this.#head = await this.#writer.append(blocks)
  }

  /** Makes the state durable up to the end of the log. */
  async checkpoint(): Promise<void> {
    await this.#stateStore.commit(this.#head)
  }

  async close(): Promise<void> {
    try {
      await this.#stateStore.close()
    } finally {
      await this.#writer.close()
    }
  }

  async #begin(settings: ImporterSettings): Promise<void> {
    const { network } = settings
    if (this.#head.sequence === 0) {
      await this.append([openingOf(settings, this.state)])
      await this.checkpoint()
    } else if (this.state.network !== network) {
      throw new LedgerError(
        'data_folder_other_network',
        `The log holds the network "${this.state.network}", not "${network}"; choose another data folder or that network`,
        { found: this.state.network, network },
      )
    }
  }
}

function openingOf({ network, stream, addressBook, shard, realm }: ImporterSettings, state: ImportState): LogRecord[] {
  // Blocks are proved by what the ledger publishes of itself.
  if (!addressBook && stream === 'blocks') return openingRecords(network, undefined, state)
  if (!addressBook) {
    throw new LedgerError(
      'address_book_invalid',
      `There is no address book for the network "${network}"; give the contents of its file 0.0.102 to begin with`,
      { network },
    )
  }
  readAddressBook(addressBook, { shard, realm })
  const fileId = entityIdOf(shard, realm, addressBookFile)
  if (fileId === undefined) throw new Error(`shard ${shard} and realm ${realm} are out of range`)
  return openingRecords(network, { fileId, contents: Buffer.from(addressBook) }, state)
}

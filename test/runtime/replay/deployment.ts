import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { LogRecord, MessageLog } from '#src/ports/message-log.ts'
import type { ProjectionSchema, ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { type SuperviseOptions, type Supervision, superviseProjections } from '#src/runtime/replay/supervisor.ts'
import { digestRows } from '#test/support/digest.ts'
import { publish, recordOf, transactionRecorded } from '#test/support/events.ts'

export interface RunningSupervisor extends Supervision {
  readonly stop: AbortController
  readonly finish: AbortController
  /** Stops it and waits. */
  end(): Promise<void>
}

/** A deployment in memory, or with its read store in a folder, whose processes are supervisors in this one. */
export class TestDeployment {
  readonly store: ReadStore
  readonly control: ControlStore
  readonly #logs = new Map<number, MessageLog>()
  readonly #running: RunningSupervisor[] = []
  readonly #stores: ReadStore[] = []
  readonly #folder: string
  #published = 0

  constructor(folder = ':memory:') {
    this.#folder = folder
    this.store = openSqliteReadStore({ folder })
    this.control = openSqliteControlStore({ folder: ':memory:' })
  }

  log(generation = 1): MessageLog {
    const log = this.#logs.get(generation) ?? openSqliteLog({ folder: ':memory:', pollMs: 1 })
    this.#logs.set(generation, log)
    return log
  }

  /** The same log for one who closes what he opened. */
  async openLog(generation = 1): Promise<MessageLog> {
    const log = this.log(generation)
    return {
      openWriter: () => log.openWriter(),
      identity: () => log.identity(),
      head: () => log.head(),
      read: (options) => log.read(options),
      close: async () => undefined,
    }
  }

  /** Appends one transaction per memo; `undefined` is none. */
  async publish(memos: readonly (string | undefined)[], generation = 1): Promise<void> {
    await publish(
      this.log(generation),
      memos.map((memo) => this.#record(memo)),
    )
  }

  #record(memo: string | undefined): LogRecord {
    this.#published += 1
    const consensusTimestamp = BigInt(this.#published) * 1_000n
    const fields = { consensusTimestamp, memo: memo === undefined ? null : Buffer.from(memo) }
    return recordOf('TransactionRecorded', transactionRecorded(fields))
  }

  /** A process; with a store of its own where there is a folder. */
  supervise(projections: readonly AnyProjection[], options: Partial<SuperviseOptions> = {}): RunningSupervisor {
    const stop = new AbortController()
    const finish = new AbortController()
    const store = this.#folder === ':memory:' ? this.store : openSqliteReadStore({ folder: this.#folder })
    if (store !== this.store) this.#stores.push(store)
    const supervision = superviseProjections({
      control: this.control,
      store,
      openLog: (generation) => this.openLog(generation),
      projections,
      signal: stop.signal,
      finish: finish.signal,
      logger: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
      planPollMs: 5,
      limits: { retryMinMs: 1, retryMaxMs: 10 },
      ...options,
    })
    const end = async (): Promise<void> => {
      stop.abort()
      await supervision.ended
    }
    const running = { ...supervision, stop, finish, end }
    this.#running.push(running)
    // Looked at by the test, or at the end.
    running.ended.catch(() => undefined)
    return running
  }

  async positionOf(schema: ProjectionSchema): Promise<number> {
    const reader = await this.store.openReader(schema)
    const checkpoint = await reader.checkpoint()
    await reader.close()
    return checkpoint?.position ?? 0
  }

  async digestOf(schema: ProjectionSchema): Promise<Record<string, string>> {
    const reader = await this.store.openReader(schema)
    const digest = await digestRows(reader, schema)
    await reader.close()
    return digest
  }

  async close(): Promise<void> {
    for (const running of this.#running) await running.end().catch(() => undefined)
    for (const store of this.#stores) await store.close()
    await this.store.close()
    await this.control.close()
    for (const log of this.#logs.values()) await log.close()
  }
}

import { LedgerError } from '#src/domain/errors.ts'
import type { Checkpoint, RowReader, RowsOrigin } from '#src/ports/read-store.ts'

export interface ServedModelOptions {
  /** Of the read model. */
  readonly name: string
  /** Of the instance, as the plan names it. */
  readonly id: string
  readonly version: number
  readonly build: number
  /** Of the log that its rows are made from. */
  readonly generation: number
  readonly reader: RowReader
  /** Whether it is built for the first time, and nothing has answered for its read model yet. */
  readonly filling?: boolean
  /** Which rows it reads; undefined where there are none, or the engine does not tell. */
  readonly origin?: RowsOrigin | undefined
  /** Whether its rows were near the end of the log once, and are gone, or others are there. */
  readonly lost?: boolean
}

/** A person has to do something first. */
const damagedRetryAfterSeconds = 60

const emptyCheckpoint: Checkpoint = { position: 0, time: 0n }

/**
 * One instance of a read model that requests are answered from. Its reader stays open until it is retired and the last
 * request that began with it has ended.
 */
export class ServedModel {
  readonly name: string
  readonly id: string
  readonly version: number
  readonly build: number
  readonly generation: number
  readonly reader: RowReader
  readonly origin: RowsOrigin | undefined
  #filling: boolean
  #lost: boolean
  #damage: LedgerError | undefined
  #requests = 0
  #retired: PromiseWithResolvers<void> | undefined
  #newest: Checkpoint | undefined

  constructor({
    name,
    id,
    version,
    build,
    generation,
    reader,
    origin,
    filling = false,
    lost = false,
  }: ServedModelOptions) {
    this.name = name
    this.id = id
    this.version = version
    this.build = build
    this.generation = generation
    this.reader = reader
    this.origin = origin
    this.#filling = filling
    this.#lost = lost
  }

  /** Whether these rows have never been near the end of the log: an answer would be wrong rather than late. */
  get filling(): boolean {
    return this.#filling || this.#lost
  }

  /** Whether they are built again, since those that answered are gone. */
  get lost(): boolean {
    return this.#lost
  }

  /** Tells its rows from all others of the read model, also from those of the same build that were there before. */
  get rowsId(): string {
    const mark = this.origin?.mark
    return mark ? `${this.id}.${mark}` : this.id
  }

  /** It was near the end of the log. From now on it answers, however late it may be. */
  markFilled(): void {
    this.#filling = false
    this.#lost = false
  }

  /** Why it cannot be answered from, for a person; undefined while nothing is known against it. */
  get damage(): LedgerError | undefined {
    return this.#damage
  }

  markDamaged(damage: LedgerError): void {
    this.#damage ??= damage
  }

  /** Throws what a request is told where rows are not what they should be. */
  assertIntact(): void {
    if (this.#damage === undefined) return
    const message = `${this.name} ${this.id} cannot be answered from: its rows are not those that were written; it has to be built anew`
    const details = { name: this.name, retryAfterSeconds: damagedRetryAfterSeconds }
    throw new LedgerError('rows_unusable', message, details, this.#damage)
  }

  /** Requests that are being answered from it. */
  get requests(): number {
    return this.#requests
  }

  /** Newest consensus time (ns) that an answer may have reflected so far. */
  get newestTime(): bigint {
    return this.#newest?.time ?? 0n
  }

  /** End of the newest block (ns) that an answer may have shown whole so far. */
  get wholeTime(): bigint {
    return this.#newest?.whole?.time ?? 0n
  }

  /** Its reader stays open until whoever calls this calls `leave`. */
  enter(): void {
    this.#requests += 1
  }

  leave(): void {
    this.#requests -= 1
    if (this.#requests === 0) this.#retired?.resolve()
  }

  /** Does work while the reader stays open. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.enter()
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /**
   * Where it stands; before the first event when it was never built. Rows that were there and are no more were removed while
   * this process gave no sign of life: `unavailable`, since an empty answer would be wrong.
   */
  async checkpoint(): Promise<Checkpoint> {
    const checkpoint = await this.reader.checkpoint()
    if (checkpoint === undefined) {
      if (this.#newest === undefined) return emptyCheckpoint
      throw new LedgerError('unavailable', `The rows of ${this.name} ${this.id} are not there any more`)
    }
    if (this.#newest === undefined || checkpoint.time >= this.#newest.time) this.#newest = checkpoint
    return checkpoint
  }

  /** Closes the reader once no request uses it. No request may begin with it after this. */
  async retire(): Promise<void> {
    this.#retired ??= Promise.withResolvers()
    if (this.#requests === 0) this.#retired.resolve()
    await this.#retired.promise
    await this.reader.close()
  }
}

import type { UpdateFilter } from 'mongodb'
import { type Connection, checkpointConcern, type Stored } from '#src/adapters/mongodb/connection.ts'
import { checkpointsOf, type InstanceDocument, scopeOf } from '#src/adapters/mongodb/instance.ts'
import { forgetToken, read, signOfLife } from '#src/adapters/mongodb/ownership.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { instanceName, type ProjectionSchema } from '#src/ports/read-store.ts'

/** How long closing waits for a server that does not answer; the owner is then found dead by others. */
const releaseMs = 2_000

/** An instance that this handle took over: gives signs of life and moves the checkpoint as long as nobody else did. */
export class OwnedInstance {
  readonly name: string
  readonly scope: string
  readonly epoch: bigint
  readonly #connection: Connection
  readonly #schema: ProjectionSchema
  /** Of this handle alone. */
  readonly token: string
  readonly #timer: NodeJS.Timeout
  #document: InstanceDocument
  #fenced = false
  #beating = false
  /** Writes to the document go one by one, so that a sign of life and a commit never meet. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(connection: Connection, schema: ProjectionSchema, document: InstanceDocument) {
    this.#connection = connection
    this.#schema = schema
    this.#document = document
    this.token = document.owner?.token ?? ''
    this.name = instanceName(schema)
    this.scope = scopeOf(schema, document.life)
    this.epoch = document.epoch
    this.#timer = setInterval(() => this.#beat(), connection.settings.heartbeatMs)
    this.#timer.unref()
  }

  /** As last written or read by this handle. */
  get document(): InstanceDocument {
    return this.#document
  }

  assertNotFenced(): void {
    if (this.#fenced) throw this.#fencedError()
  }

  /** Rejects with `owner_fenced` when another owner took over. */
  async assertOwned(): Promise<void> {
    this.assertNotFenced()
    if (!(await this.#update({}, signOfLife))) await this.#explainLoss()
  }

  /** Changes the document if it still is as this handle knows it; else rejects with what happened to it. */
  async move(change: Partial<InstanceDocument>): Promise<void> {
    this.assertNotFenced()
    const { state, position, again } = this.#document
    const moved = await this.#update({ state, position, again }, { $set: change, ...signOfLife })
    if (!moved) await this.#explainLoss()
    this.#document = { ...this.#document, ...change }
  }

  /** Gives the instance up, so that the next owner need not wait. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    if (!this.#fenced) await this.#releaseWithin(releaseMs)
    forgetToken(this.token)
  }

  async #releaseWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
    })
    try {
      await Promise.race([this.#update({}, { $set: { owner: null } }), tooLate])
    } catch (error) {
      // The next owner finds out by itself that this one is gone; it only takes a little longer.
      this.#connection.logger.warn({ projection: this.name, reason: String(error) }, 'read model not handed back')
    } finally {
      clearTimeout(timer)
    }
  }

  /** One at a time: in an outage they would queue up in front of a commit, and each would wait for its own timeout. */
  #beat(): void {
    if (this.#fenced || this.#beating) return
    this.#beating = true
    // Lost with a failover, it is given again a moment later: no need to wait for a majority.
    this.#update({}, signOfLife, { w: 1 })
      .then(
        (owned) => {
          if (!owned) this.#fenced = true
        },
        // A store that is away is noticed by the next commit.
        (error) => this.#connection.logger.debug({ projection: this.name, reason: String(error) }, 'no sign of life'),
      )
      .finally(() => {
        this.#beating = false
      })
  }

  #update(condition: object, change: UpdateFilter<Stored>, writeConcern = checkpointConcern): Promise<boolean> {
    const filter = { _id: this.name, epoch: this.epoch, 'owner.token': this.token, ...condition }
    const work = async () => {
      const result = await this.#connection.run(() =>
        checkpointsOf(this.#connection).updateOne(filter, change, { writeConcern }),
      )
      return result.matchedCount === 1
    }
    const done = this.#queue.then(work, work)
    this.#queue = done.catch(() => undefined)
    return done
  }

  async #explainLoss(): Promise<never> {
    const found = await read(this.#connection, this.#schema)
    if (found?.epoch !== this.epoch || found.owner?.token !== this.token) {
      this.#fenced = true
      throw this.#fencedError()
    }
    const position = Number(found.position ?? 0n)
    throw new LedgerError(
      'checkpoint_moved',
      `Read model ${this.name} stands at ${position}, not at ${this.#document.position ?? 0n} as this owner left it`,
      { projection: this.#schema.name, position },
    )
  }

  #fencedError(): LedgerError {
    return new LedgerError(
      'owner_fenced',
      `Another process took over read model ${this.name}; this one writes nothing any more`,
      { projection: this.#schema.name, epoch: Number(this.epoch) },
    )
  }
}

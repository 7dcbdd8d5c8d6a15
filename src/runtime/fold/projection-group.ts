import { setImmediate as nextTurn } from 'node:timers/promises'
import { LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { LogBatch, MessageLog, Position } from '#src/ports/message-log.ts'
import type { Arrivals } from '#src/runtime/fold/arrivals.ts'
import { createSharedDecoder } from '#src/runtime/fold/decoder.ts'
import type { ProjectionRun } from '#src/runtime/fold/projection-run.ts'
import type { ProjectionProgress, ProjectorLimits } from '#src/runtime/fold/projector-limits.ts'

/** Events whose decoded form is in memory at a time. */
const partEvents = 64
/** Read models that are tidied between two blocks: each may wait for the disk for some milliseconds. */
const tidyMax = 2

export interface GroupOptions {
  readonly log: MessageLog
  readonly limits: ProjectorLimits
  /** true: go on with new events; false: all members leave at the end of the log. */
  readonly follow: boolean
  readonly logger: Logger
  readonly onProgress?: ((progress: ProjectionProgress) => void) | undefined
  /** Awaited after each batch with its number of events: a way to slow down. */
  readonly pace?: ((events: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** Who comes before the reader is opened shares it. */
  readonly arrivals?: Arrivals
}

/** Why a member is out: its signal or the log's end, or the others being too far ahead to wait for it. */
export type Departure = 'ended' | 'outpaced'

interface Member {
  readonly run: ProjectionRun
  busy: boolean
  leaving: Departure | undefined
  readonly resolve: (how: Departure) => void
  readonly reject: (error: unknown) => void
}

/**
 * Projections that share one reader of a log and one decode. They come and go while the others go on, and one that fails
 * takes nobody with it. The reader runs while there are members.
 */
export class ProjectionGroup {
  readonly options: GroupOptions
  readonly #members = new Set<Member>()
  /** Newest sequence that the group has begun to fold. */
  #position: Position = 0
  /** As the newest batch told it. */
  #head: Position = 0
  #isAtHead = false
  #decode: ReturnType<typeof createSharedDecoder> | undefined
  /** Ends the reader in use: nobody is left, or somebody needs earlier events. */
  #reading = new AbortController()
  #loop: Promise<void> | undefined

  constructor(options: GroupOptions) {
    this.options = options
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  /** Whether a projection may join as it stands, rather than read alone first. */
  takes({ position }: ProjectionRun): boolean {
    if (this.#members.size === 0) return true
    const foremost = Math.max(this.#position, ...[...this.#members].map(({ run }) => run.position))
    if (foremost - position > this.options.limits.sharedLagMax) return false
    // At the head the reader is not opened anew for one who reads the little that is missing as fast alone.
    return position >= this.#position || !this.#isAtHead
  }

  /** Brings a projection forward with the others. Commits what it folded before this resolves; rejects with what it failed of. */
  async follow(run: ProjectionRun, signal?: AbortSignal): Promise<Departure> {
    const { promise, resolve, reject } = Promise.withResolvers<Departure>()
    const member: Member = { run, busy: false, leaving: undefined, resolve, reject }
    const leave = (): void => this.#release(member, 'ended')
    signal?.addEventListener('abort', leave, { once: true })
    this.#add(member)
    if (signal?.aborted) leave()
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Resolves when the reader is closed. */
  async closed(): Promise<void> {
    await this.#loop
  }

  #add(member: Member): void {
    const { position } = member.run
    this.#members.add(member)
    this.#decode = undefined
    const outpaced = [...this.#members].filter((each) => this.#isFarBehind(each, position))
    for (const each of outpaced) this.#release(each, 'outpaced')
    if (this.#loop === undefined) {
      this.#position = position
      this.#isAtHead = false
      this.#loop = this.#run().finally(() => {
        this.#loop = undefined
        // Somebody may have come while the reader was closing.
        if (this.#members.size > 0) this.#restart()
      })
    } else if (position < this.#position || outpaced.length > 0) this.#reading.abort()
  }

  #restart(): void {
    const [first] = this.#members
    if (first === undefined) return
    this.#members.delete(first)
    this.#add(first)
  }

  #isFarBehind({ run }: Member, position: Position): boolean {
    return position - run.position > this.options.limits.sharedLagMax
  }

  /** At once, or after what is being done with it right now. */
  #release(member: Member, how: Departure): void {
    member.leaving ??= how
    if (!member.busy) void this.#settle(member)
  }

  async #settle(member: Member): Promise<void> {
    if (!this.#remove(member)) return
    try {
      await this.#commit(member.run, this.#head)
      member.resolve(member.leaving ?? 'ended')
    } catch (error) {
      member.reject(error)
    }
  }

  #fail(member: Member, error: unknown): void {
    if (this.#remove(member)) member.reject(error)
  }

  #remove(member: Member): boolean {
    if (!this.#members.delete(member)) return false
    this.#decode = undefined
    if (this.#members.size === 0) this.#reading.abort()
    return true
  }

  async #run(): Promise<void> {
    await this.options.arrivals?.over()
    await nextTurn()
    try {
      while (this.#members.size > 0) {
        this.#reading = new AbortController()
        this.#position = Math.min(...[...this.#members].map(({ run }) => run.position))
        this.#isAtHead = false
        await this.#read(this.#reading.signal)
        if (this.#reading.signal.aborted) continue
        if (this.options.follow) throw readerEnded()
        for (const member of [...this.#members]) await this.#settle(member)
      }
    } catch (error) {
      for (const member of [...this.#members]) this.#fail(member, error)
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { log, follow, pace } = this.options
    const { readCountMax: countMax, readBytesMax: bytesMax } = this.options.limits
    for await (const batch of log.read({ after: this.#position, countMax, bytesMax, follow, signal })) {
      await this.#foldBatch(batch)
      if (this.#isAtHead) this.#tidy()
      // Lets messages, timers and the stop signal through between batches.
      await nextTurn()
      await pace?.(batch.records.length, signal)
      if (signal.aborted) return
    }
  }

  /** In parts where that costs no round trips: what was decoded for one is gone before the collector moves it. */
  async #foldBatch({ records, head }: LogBatch): Promise<void> {
    const members = [...this.#members]
    const count = members.every(({ run }) => run.loadsInPlace) ? partEvents : records.length
    for (let at = 0; at < records.length; at += count)
      await this.#foldPart({ records: records.slice(at, at + count), head }, members)
  }

  async #foldPart({ records, head }: LogBatch, members: readonly Member[]): Promise<void> {
    this.#position = records.at(-1)?.sequence ?? this.#position
    this.#head = head
    this.#isAtHead = this.#position >= head
    this.#decode ??= createSharedDecoder([...this.#members].map(({ run }) => run.projection))
    const events = records.map(this.#decode)
    for (const member of members) {
      if (!this.#members.has(member)) continue
      member.busy = true
      try {
        const { run } = member
        await run.fold(records, events, () => this.#commit(run, head))
        const eventsMax = Math.min(this.options.limits.commitEventsMax, run.commitEventsMax)
        if (run.uncommitted >= eventsMax || this.#isAtHead) await this.#commit(run, head)
      } catch (error) {
        this.#fail(member, error)
      }
      member.busy = false
      if (member.leaving) await this.#settle(member)
    }
  }

  /** All is folded: whoever commits next should find as little left over as there is time for before the next block. */
  #tidy(): void {
    for (let times = 0; times < tidyMax; times++) {
      let most: Member | undefined
      let leftOver = 0
      for (const member of this.#members) {
        const own = this.#tidying(member, ({ run }) => run.leftOver) ?? 0
        if (own > leftOver) [most, leftOver] = [member, own]
      }
      if (most === undefined) return
      this.#tidying(most, ({ run }) => run.tidy())
    }
  }

  #tidying<T>(member: Member, work: (member: Member) => T): T | undefined {
    try {
      return work(member)
    } catch (error) {
      this.#fail(member, error)
      return undefined
    }
  }

  async #commit(run: ProjectionRun, head: Position): Promise<void> {
    await commitRun(run, head, this.options)
  }
}

/** Whoever follows a log would take its end for his own and never see what comes. */
function readerEnded(): LedgerError {
  return new LedgerError(
    'log_unavailable',
    'The reader of the log has ended although it was to follow; it is opened anew',
  )
}

/** Commits what a projection has folded, and tells. */
async function commitRun(
  run: ProjectionRun,
  head: Position,
  { logger, onProgress }: Pick<GroupOptions, 'logger' | 'onProgress'>,
): Promise<void> {
  const events = run.uncommitted
  if (events === 0) return
  const { loadsInTurn } = run
  const started = performance.now()
  await run.commit()
  const { name, version, build = 1 } = run.projection.schema
  const seconds = (performance.now() - started) / 1_000
  const { position, time, complete, seconds: foldSeconds } = run
  logger.debug(
    { projection: name, version, build, events, position, lagEvents: Math.max(0, head - position) },
    'batch committed',
  )
  const place = { position, head: Math.max(head, position), time, complete }
  onProgress?.({ name, version, build, ...place, events, seconds, foldSeconds, loadsInTurn })
}

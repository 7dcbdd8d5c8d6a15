import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { CallResult } from '#src/evm/call-request.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { CallPace } from '#src/evm/threads/call-pace.ts'
import { CallWorker } from '#src/evm/threads/call-worker.ts'
import { gatherFacts, requestsOf } from '#src/evm/threads/known-facts.ts'
import type { Job, OutcomeOf, PartTaker } from '#src/evm/threads/messages.ts'
import type { HeapLimits } from '#src/runtime/process/threads.ts'

export interface CallThreadsOptions {
  /** Calls that run at once. */
  readonly threads: number
  /** Calls that wait for one of these to end; further ones are refused. */
  readonly waitingMax: number
  /** From when a call was taken until it is given up, waiting included. */
  readonly deadlineMs: number
  readonly heap: HeapLimits
}

/** A call of 15,000,000 gas fills memory of some 30 MiB at most, and words of the stack are numbers of their own. */
export const defaultCallThreads: CallThreadsOptions = {
  threads: 2,
  waitingMax: 64,
  deadlineMs: 10_000,
  heap: { youngMiB: 16, oldMiB: 128 },
}

interface Waiting {
  readonly job: Job
  readonly since: number
  readonly start: (worker: CallWorker) => void
  readonly refuse: (error: LedgerError) => void
  /** It will be run, as far as anybody can tell. */
  isKept: boolean
}

interface Running {
  readonly job: Job
  readonly since: number
}

/** How a job is run otherwise than others. */
interface JobOptions {
  /** Takes the parts of what is told in parts; the job may be given up after some of them. */
  readonly takePart?: PartTaker
  /** Where it is to be given up before others are. */
  readonly deadlineMs?: number | undefined
}

/** A contract's own failure is `done`. `failed` is what could not be run to its end. */
export type CallEnd = 'done' | 'refused' | 'failed'

const retryAfterSeconds = 1
/** Where every call that runs has run so long, those that wait are told whether they wait on: until then all of them may be quick. */
const patienceMs = 20
/** The same where others have ended since they wait: most are quick then. */
const morePatienceMs = 60
/** Of the time that a call may take, what its wait and run may come to when that is told. */
const shareExpected = 0.7

/** Runs contracts on threads of their own, which begin with the first call. */
export class CallThreads {
  readonly #options: CallThreadsOptions
  readonly #idle: CallWorker[] = []
  readonly #workers = new Set<CallWorker>()
  readonly #running = new Map<CallWorker, Running>()
  readonly #waiting: Waiting[] = []
  readonly #pace = new CallPace()
  readonly #ended: Record<CallEnd, number> = { done: 0, refused: 0, failed: 0 }
  #lastEndedAt = Number.NEGATIVE_INFINITY
  #telling: NodeJS.Immediate | undefined
  #closed = false

  constructor(options: CallThreadsOptions = defaultCallThreads) {
    this.#options = options
  }

  /**
   * Rejects with `overloaded` at once where too many wait, or soon where those before it are likely to take too long, and with
   * `unavailable` at the deadline or where the thread ended.
   */
  async run<J extends Job>(job: J, state: LedgerState, options: JobOptions = {}): Promise<OutcomeOf<J>> {
    try {
      const outcome = await this.#runOn(job, state, options)
      this.#ended.done += 1
      return outcome as OutcomeOf<J>
    } catch (error) {
      this.#ended[isLedgerError(error, 'overloaded') ? 'refused' : 'failed'] += 1
      throw error
    }
  }

  async #runOn(job: Job, state: LedgerState, { takePart, deadlineMs }: JobOptions): Promise<OutcomeOf<Job>> {
    const own = this.#options.deadlineMs
    const deadline = performance.now() + Math.min(own, deadlineMs ?? own)
    const gathered = gatherFacts(requestsOf(job), state)
    // Told below, where there is a thread; where there is none, that is told.
    gathered.catch(() => undefined)
    const worker = await this.#worker(job)
    try {
      const known = await gathered
      return await this.#time(worker, job, takePart === undefined, () =>
        worker.run(job, { state, known, takePart, deadlineMs: Math.max(0, deadline - performance.now()) }),
      )
    } finally {
      this.#giveBack(worker)
    }
  }

  /** Notes how long it takes, unless that depends on whoever takes its parts. */
  async #time<T extends OutcomeOf<Job>>(
    worker: CallWorker,
    job: Job,
    says: boolean,
    run: () => Promise<T>,
  ): Promise<T> {
    const since = performance.now()
    this.#running.set(worker, { job, since })
    let outcome: T | undefined
    try {
      outcome = await run()
      return outcome
    } finally {
      this.#running.delete(worker)
      this.#lastEndedAt = performance.now()
      if (says) this.#pace.saw(job, performance.now() - since, gasOf(job, outcome))
    }
  }

  /** Calls that run, that wait, and how many came to which end so far. */
  get running(): number {
    return this.#workers.size - this.#idle.length
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get ended(): Readonly<Record<CallEnd, number>> {
    return this.#ended
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { refuse } of this.#waiting.splice(0)) refuse(closing())
    await Promise.all([...this.#workers].map((worker) => worker.terminate()))
  }

  async #worker(job: Job): Promise<CallWorker> {
    if (this.#closed) throw closing()
    const { threads, waitingMax, deadlineMs } = this.#options
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#workers.size < threads) return this.#begin()
    if (this.#waiting.length >= waitingMax)
      throw new LedgerError('overloaded', 'Too many contract calls run and wait', { retryAfterSeconds })
    const { promise, resolve, reject } = Promise.withResolvers<CallWorker>()
    const waiting = { job, since: performance.now(), start: resolve, refuse: reject, isKept: false }
    this.#waiting.push(waiting)
    this.#tellSoon()
    const timers = [
      setInterval(() => waiting.isKept || this.#tellSoon(), patienceMs + 1),
      setTimeout(() => this.#refuseLate(waiting), deadlineMs),
    ]
    return promise.finally(() => timers.forEach(clearTimeout))
  }

  /** After what the threads have sent meanwhile: this one may have been busy with other things. */
  #tellSoon(): void {
    this.#telling ??= setImmediate(() => {
      this.#telling = undefined
      this.#refuseHopeless()
    })
  }

  /** Tells those who wait whether there is any use in waiting on. */
  #refuseHopeless(): void {
    // Some are about to begin.
    if (this.#running.size < this.running) return
    const { threads, deadlineMs } = this.#options
    const now = performance.now()
    let beforeMs = 0
    let newestMs = Number.POSITIVE_INFINITY
    for (const [{ readySince }, { job, since }] of this.#running) {
      // A thread that is only about to begin says nothing of its call.
      const ranMs = now - Math.max(since, readySince ?? now)
      beforeMs += this.#pace.expectedMs(job, ranMs) / threads
      newestMs = Math.min(newestMs, ranMs)
    }
    const haveOthersEnded = (this.#waiting[0]?.since ?? now) < this.#lastEndedAt
    if (newestMs < (haveOthersEnded ? morePatienceMs : patienceMs)) return
    for (const waiting of [...this.#waiting]) {
      const ownMs = this.#pace.expectedMs(waiting.job)
      const waitedMs = now - waiting.since
      waiting.isKept ||= waitedMs + beforeMs + ownMs <= deadlineMs * shareExpected
      if (!waiting.isKept) this.#refuse(waiting, 'Too many contract calls run that take long')
      else beforeMs += ownMs / threads
    }
  }

  #refuseLate(waiting: Waiting): void {
    this.#refuse(waiting, 'The call waited for others longer than a call may take')
  }

  #refuse(waiting: Waiting, message: string): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    waiting.refuse(new LedgerError('overloaded', message, { retryAfterSeconds }))
  }

  #begin(): CallWorker {
    const worker = new CallWorker(this.#options.heap, (ended) => this.#onEnd(ended))
    this.#workers.add(worker)
    return worker
  }

  #giveBack(worker: CallWorker): void {
    if (worker.hasEnded || this.#closed) return
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(worker)
    else next.start(worker)
  }

  /** Another thread takes the place of one that ended, where somebody waits for it. */
  #onEnd(worker: CallWorker): void {
    this.#workers.delete(worker)
    const place = this.#idle.indexOf(worker)
    if (place >= 0) this.#idle.splice(place, 1)
    const next = this.#closed ? undefined : this.#waiting.shift()
    next?.start(this.#begin())
  }
}

/** What it used of its gas, where one call was run once. */
function gasOf({ kind }: Job, outcome: OutcomeOf<Job> | undefined): bigint | undefined {
  return kind === 'call' && outcome !== undefined ? (outcome as CallResult).gasUsed : undefined
}

function closing(): LedgerError {
  return new LedgerError('unavailable', 'This process is closing')
}

import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { LedgerError } from '#src/domain/errors.ts'
import { CheckingThread } from '#src/importer/proof/checking-thread.ts'
import type { Outcome, ThreadData } from '#src/importer/proof/messages.ts'
import type { Logger } from '#src/ports/logger.ts'
import { hintsKeyBytes } from '#src/tss/hints/key.ts'
import type { Ledger } from '#src/tss/ledger.ts'
import type { ProofJob, Verdict } from '#src/tss/proof-verifier.ts'

export interface ProofRequest extends ProofJob {
  readonly ledger: Ledger
  /** Aborted when nobody waits for it any more: it is interrupted unless it is being checked already. */
  readonly signal?: AbortSignal | undefined
}

export interface ProofPoolOptions {
  readonly logger: Logger
  /** At most; unless given, as many as there are cores, up to 4. A thread is started when there is work for it. */
  readonly threads?: number
  /** Requests that may wait besides those that are being checked. */
  readonly waitingMax?: number
  /** Bound of the time that a thread has for what it is given, at most 20 requests. */
  readonly batchMs?: number
  readonly pairings?: ThreadData['pairings']
  /** Closes the pool. */
  readonly signal?: AbortSignal
  /** Module of the threads. */
  readonly entry?: URL
}

const threadsMax = 4
/** More in one product gain hardly anything, and a bad one among them costs all of them again. */
const batchMax = 20
const defaults = { waitingMax: 500, batchMs: 30_000, entry: new URL('./proof-worker.ts', import.meta.url) }

interface Request {
  readonly ledger: Ledger
  readonly job: ProofJob
  /** Equal for those that can be checked together. */
  readonly group: string
  /** A thread ended with it once; it is checked alone then. */
  failed: boolean
  readonly signal: AbortSignal | undefined
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: LedgerError) => void
}

interface Checking {
  readonly thread: CheckingThread
  requests: readonly Request[]
}

/**
 * Checks signatures of blocks on threads of its own, so that the importer goes on meanwhile: they may end in another order than they were
 * asked in. Whoever asks for the next before the last is answered gets them checked together, where their keys are equal.
 */
export class ProofPool {
  readonly #options: ProofPoolOptions & typeof defaults
  readonly #threads: number
  readonly #checking = new Set<Checking>()
  readonly #waiting: Request[] = []
  readonly #onAbort = () => void this.close()
  #isClosed = false
  #saidWhichLibrary = false

  constructor(options: ProofPoolOptions) {
    this.#options = { ...defaults, ...options }
    this.#threads = options.threads ?? Math.min(threadsMax, availableParallelism())
    options.signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (options.signal?.aborted) this.#onAbort()
  }

  /**
   * Rejects with `proof_invalid` where the proof does not hold, with `overloaded` where too many wait already, with `unavailable` where a
   * thread ended with it twice, and with `interrupted` when the pool is closed or its signal aborted.
   */
  check({ ledger, name, message, signature, signal }: ProofRequest): Promise<Verdict> {
    const { promise, resolve, reject } = Promise.withResolvers<Verdict>()
    const { waitingMax } = this.#options
    if (this.#isClosed) reject(interrupted(name))
    else if (this.#waiting.length >= waitingMax) reject(overloaded(name, waitingMax))
    else {
      // Copies: slices would take the whole block along to the thread.
      const job = { name, message: new Uint8Array(message), signature: new Uint8Array(signature) }
      const group = `${ledger.digest} ${hash('sha256', job.signature.subarray(0, hintsKeyBytes))}`
      this.#waiting.push({ ledger, job, group, failed: false, signal, resolve, reject })
      this.#dispatch()
    }
    return promise
  }

  /** Rejects what is still asked, and ends the threads. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    const running = [...this.#checking]
    const asked = [...running.flatMap(({ requests }) => requests), ...this.#waiting.splice(0)]
    for (const checking of running) checking.requests = []
    for (const { job, reject } of asked) reject(interrupted(job.name))
    await Promise.all(running.map(({ thread }) => thread.terminate()))
  }

  /** Gives what waits to threads that have nothing to do. */
  #dispatch(): void {
    for (this.#dropForgotten(); this.#waiting.length > 0; ) {
      const idle = this.#idleThread()
      if (!idle) return
      idle.requests = this.#takeBatch()
      const [{ ledger }] = idle.requests as [Request]
      idle.thread.check(
        ledger,
        idle.requests.map(({ job }) => job),
      )
    }
  }

  #dropForgotten(): void {
    for (const request of this.#waiting.filter(({ signal }) => signal?.aborted)) {
      this.#waiting.splice(this.#waiting.indexOf(request), 1)
      request.reject(interrupted(request.job.name))
    }
  }

  #idleThread(): Checking | undefined {
    for (const checking of this.#checking) if (checking.requests.length === 0) return checking
    return this.#checking.size < this.#threads && !this.#isClosed ? this.#startThread() : undefined
  }

  /** The first that waits, with a fair share of those that can be checked with it. */
  #takeBatch(): Request[] {
    const size = Math.min(batchMax, Math.ceil(this.#waiting.length / this.#threads))
    const first = this.#waiting.shift() as Request
    const batch = [first]
    for (let at = 0; at < this.#waiting.length && batch.length < size && !first.failed; ) {
      const next = this.#waiting[at] as Request
      if (next.group === first.group && !next.failed) batch.push(...this.#waiting.splice(at, 1))
      else at++
    }
    return batch
  }

  #startThread(): Checking {
    const { entry, pairings = 'fast', batchMs } = this.#options
    const thread = new CheckingThread({
      entry,
      data: { pairings },
      batchMs,
      onReady: (library, reason) => this.#sayWhichLibrary(library, reason),
      onDone: (outcomes) => this.#onDone(checking, outcomes),
      onEnd: (reason) => this.#onEnd(checking, reason),
    })
    const checking: Checking = { thread, requests: [] }
    this.#checking.add(checking)
    return checking
  }

  #sayWhichLibrary(library: string, reason: string | undefined): void {
    if (this.#saidWhichLibrary) return
    this.#saidWhichLibrary = true
    if (reason === undefined) this.#options.logger.debug({ library }, 'proofs are checked')
    else this.#options.logger.warn({ library, reason }, 'proofs are checked by the slower library')
  }

  #onDone(checking: Checking, outcomes: readonly Outcome[]): void {
    const { requests } = checking
    checking.requests = []
    for (const [at, { resolve, reject }] of requests.entries()) {
      const outcome = outcomes[at] as Outcome
      if (outcome instanceof LedgerError) reject(outcome)
      else resolve(outcome)
    }
    this.#dispatch()
  }

  /** What it had is checked once more, each request alone: one of them may be what it ended of. */
  #onEnd(checking: Checking, reason: string): void {
    this.#checking.delete(checking)
    const { requests } = checking
    if (this.#isClosed) return
    this.#options.logger.warn({ reason, proofs: requests.length }, 'a thread that checks proofs ended')
    for (const request of requests) if (request.failed) request.reject(unavailable(request.job.name, reason))
    const again = requests.filter(({ failed }) => !failed)
    for (const request of again) request.failed = true
    this.#waiting.unshift(...again)
    this.#dispatch()
  }
}

function interrupted(name: string): LedgerError {
  return new LedgerError(
    'interrupted',
    `${name}: its proof was not checked to the end, since the importer does not wait for it any more`,
    {
      block: name,
    },
  )
}

function overloaded(name: string, waitingMax: number): LedgerError {
  const reason = `${waitingMax} proofs wait to be checked already, which is the limit`
  return new LedgerError('overloaded', `${name}: ${reason}. Wait for some of them`, { block: name, reason })
}

function unavailable(name: string, reason: string): LedgerError {
  const text = `${name}: its proof could not be checked, the thread that did ended twice: ${reason}. Start again with more memory, or report it`
  return new LedgerError('unavailable', text, { block: name, reason })
}

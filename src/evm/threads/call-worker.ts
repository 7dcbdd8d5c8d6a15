import { Worker } from 'node:worker_threads'
import { LedgerError } from '#src/domain/errors.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import type { KnownFact } from '#src/evm/threads/known-facts.ts'
import type { FromCallThread, Job, OutcomeOf, PartTaker, ToCallThread } from '#src/evm/threads/messages.ts'
import { receivedError, sentError } from '#src/evm/threads/thread-errors.ts'
import { type HeapLimits, resourceLimitsOf } from '#src/runtime/process/threads.ts'

const entry = new URL('./call-thread.ts', import.meta.url)

interface Running {
  readonly state: LedgerState
  readonly takePart: PartTaker | undefined
  readonly done: PromiseWithResolvers<OutcomeOf<Job>>
}

export interface RunOptions {
  readonly state: LedgerState
  /** Of the state, what the job will ask for. */
  readonly known: readonly KnownFact[]
  /** Milliseconds from now. */
  readonly deadlineMs: number
  /** Takes the parts of what is told as it comes. */
  readonly takePart?: PartTaker | undefined
}

/** One thread and the call that it runs. It keeps the process alive only while it has one. */
export class CallWorker {
  readonly #worker: Worker
  #running: Running | undefined
  #reason: LedgerError | undefined
  /** Whether it is gone, whatever it was at. */
  hasEnded = false
  /** Since when it has loaded all that it needs, which takes longer than most calls; of `performance.now()`. */
  readySince: number | undefined

  constructor(heap: HeapLimits, onEnd: (worker: CallWorker) => void) {
    this.#worker = new Worker(entry, { name: 'contracts', resourceLimits: resourceLimitsOf(heap) })
    this.#worker.unref()
    this.#worker.on('message', (message: FromCallThread) => this.#onMessage(message))
    this.#worker.on('error', (error: Error) => {
      this.#reason ??= new LedgerError('unavailable', 'The thread that ran the call ended before it', {}, error)
    })
    this.#worker.on('exit', () => {
      this.hasEnded = true
      const reason = this.#reason ?? new LedgerError('unavailable', 'The thread that ran the call ended before it')
      this.#running?.done.reject(reason)
      onEnd(this)
    })
  }

  /** Rejects with what ended the call: the deadline, what the state says, or the end of the thread. */
  async run(job: Job, { state, known, deadlineMs, takePart }: RunOptions): Promise<OutcomeOf<Job>> {
    const done = Promise.withResolvers<OutcomeOf<Job>>()
    this.#running = { state, takePart, done }
    this.#worker.ref()
    const timer = setTimeout(() => this.#giveUp(), deadlineMs)
    try {
      this.#send({ kind: 'job', job, known })
      return await done.promise
    } finally {
      clearTimeout(timer)
      this.#running = undefined
      this.#worker.unref()
    }
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  /** A call that runs can't be asked to stop: its thread goes with it. */
  #giveUp(): void {
    this.#reason = new LedgerError('unavailable', 'The call took longer than a call may take; ask for less gas')
    this.#running?.done.reject(this.#reason)
    this.hasEnded = true
    void this.terminate()
  }

  #onMessage(message: FromCallThread): void {
    this.readySince ??= performance.now()
    if (message.kind === 'ready' || this.#running === undefined) return
    const { done, state, takePart } = this.#running
    if (message.kind === 'part') void this.#handOn(message.bytes, takePart)
    else if (message.kind === 'done') done.resolve(message.outcome)
    else if (message.kind === 'failed') done.reject(receivedError(message.error))
    else void this.#answer(message, state)
  }

  async #handOn(part: Uint8Array, takePart: PartTaker | undefined): Promise<void> {
    const isWanted = (await takePart?.(part)) ?? false
    this.#send({ kind: 'taken', isWanted })
  }

  async #answer({ question, about, of }: FromCallThread & { kind: 'ask' }, state: LedgerState): Promise<void> {
    try {
      const find = state[about] as (...facts: unknown[]) => Promise<unknown>
      this.#send({ kind: 'told', question, fact: await find.apply(state, [...of]) })
    } catch (error) {
      this.#send({ kind: 'untold', question, error: sentError(error) })
    }
  }

  #send(message: ToCallThread): void {
    this.#worker.postMessage(message)
  }
}

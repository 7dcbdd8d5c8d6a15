import { Worker } from 'node:worker_threads'
import { type Batch, type FromThread, type Outcome, received, type ThreadData } from '#src/importer/proof/messages.ts'
import type { Ledger } from '#src/tss/ledger.ts'
import type { ProofJob } from '#src/tss/proof-verifier.ts'

export interface CheckingThreadOptions {
  readonly entry: URL
  readonly data: ThreadData
  /** Bound of the time for one batch. */
  readonly batchMs: number
  /** Which library it checks with, and why not with the faster one. */
  readonly onReady: (library: string, reason: string | undefined) => void
  readonly onDone: (outcomes: readonly Outcome[]) => void
  /** It is gone, whatever it was at. */
  readonly onEnd: (reason: string) => void
}

/** Of JavaScript's heap; WebAssembly's memory of some MiB is beside it. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 }

/** A thread that checks one batch after the other. It keeps the process alive only while it has one. */
export class CheckingThread {
  readonly #options: CheckingThreadOptions
  readonly #worker: Worker
  #ledger: string | undefined
  #timer: NodeJS.Timeout | undefined
  #reason: string | undefined

  constructor(options: CheckingThreadOptions) {
    this.#options = options
    this.#worker = new Worker(options.entry, { name: 'proofs', workerData: options.data, resourceLimits })
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => this.#onMessage(message))
    this.#worker.on('error', (error: unknown) => {
      this.#reason ??= error instanceof Error ? error.message : String(error)
    })
    this.#worker.on('exit', (code) => {
      clearTimeout(this.#timer)
      options.onEnd(this.#reason ?? `it ended with code ${code} without saying why`)
    })
  }

  check(ledger: Ledger, jobs: readonly ProofJob[]): void {
    const batch: Batch = { ledger: this.#ledger === ledger.digest ? undefined : ledger, jobs }
    this.#ledger = ledger.digest
    this.#worker.ref()
    this.#timer = setTimeout(() => this.#giveUp(), this.#options.batchMs)
    this.#worker.postMessage(batch)
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #onMessage(message: FromThread): void {
    if (message.kind === 'ready') {
      this.#options.onReady(message.library, message.reason)
      return
    }
    clearTimeout(this.#timer)
    this.#worker.unref()
    this.#options.onDone(message.outcomes.map(received))
  }

  #giveUp(): void {
    this.#reason = `it took longer than ${this.#options.batchMs} ms`
    void this.terminate()
  }
}

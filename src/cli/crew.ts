import { setTimeout as sleep } from 'node:timers/promises'
import { type ReadyReport, type RoleName, type RoleReport, type RoleSettings, roleHeaps } from '#src/cli/roles/role.ts'
import type { WorkerSettings } from '#src/cli/worker.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'
import { type RoleThread, startThread } from '#src/runtime/process/threads.ts'

/** How long a role may take to stop before its thread is ended without asking. Both stores are whole at any instant. */
const stopTimeoutMs = 10_000

export interface CrewOptions {
  readonly settings: RoleSettings
  readonly logger: Logger
  /** `thread` says which one of the crew reports. */
  readonly onReport: (report: RoleReport, thread: string) => void
  readonly onLog: (line: string) => void
  /** Module that the threads run; the roles unless given. */
  readonly entry?: URL
}

export interface MemberOptions extends Partial<RoleSettings> {
  /** Name of the thread; that of the role unless given. */
  readonly thread?: string
}

/** The worker threads of one process: started one after the other, stopped in the same order, failing together. */
export class Crew {
  readonly #options: CrewOptions
  readonly #members = new Map<string, RoleThread & { readonly role: RoleName }>()
  readonly #failed = Promise.withResolvers<never>()
  /** Threads that were ended without asking. */
  readonly #abandoned = new Set<string>()
  #failure: { readonly error: unknown } | undefined
  #stopping = false

  constructor(options: CrewOptions) {
    this.#options = options
    // Whoever waits sees the failure; nobody waiting must not end the process.
    this.#failed.promise.catch(() => undefined)
  }

  /** Rejects with the error of the first role that fails. */
  get failed(): Promise<never> {
    return this.#failed.promise
  }

  /**
   * Starts a role on a thread and waits until it does its work; resolves with what it said then, or undefined where it ended
   * instead. Does nothing once the crew stops.
   */
  async start(
    role: RoleName,
    { thread: name = role, ...settings }: MemberOptions = {},
  ): Promise<ReadyReport | undefined> {
    if (this.#stopping) return undefined
    const ready = Promise.withResolvers<ReadyReport>()
    const data: WorkerSettings = { ...this.#options.settings, ...settings, role, thread: name }
    const thread = startThread<RoleReport>({
      name,
      entry: this.#options.entry ?? new URL('./worker.ts', import.meta.url),
      data,
      heap: roleHeaps[role],
      onLog: this.#options.onLog,
      onReport: (report) => {
        if (report.kind === 'ready') ready.resolve(report)
        this.#options.onReport(report, name)
      },
    })
    this.#members.set(name, { ...thread, role })
    thread.ended.then(
      () => this.#onEnd(name),
      (error: unknown) => this.#onFailure(name, error),
    )
    return Promise.race([ready.promise, thread.ended.then(() => undefined), this.failed])
  }

  /** Resolves when a thread has ended by itself. */
  async ended(thread: string): Promise<void> {
    await Promise.race([this.#members.get(thread)?.ended, this.failed])
  }

  /** Lets a thread do what is there to do, and waits for its end. */
  async finish(thread: string): Promise<void> {
    this.#members.get(thread)?.finish()
    await this.ended(thread)
  }

  /**
   * Stops every role, sources first, so that each leaves what it was given behind it; threads of one role stop together. Then
   * rejects with the first failure of a role, if any: one that fails while it stops has not finished its work either.
   */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const threads of Map.groupBy(this.#members.values(), ({ role }) => role).values()) {
      await Promise.all(threads.map((thread) => this.#end(thread)))
    }
    if (this.#failure !== undefined) throw this.#failure.error
  }

  async #end(thread: RoleThread): Promise<void> {
    const { name: role } = thread
    thread.stop()
    const timeout = new AbortController()
    const late = sleep(stopTimeoutMs, 'late' as const, { signal: timeout.signal }).catch(() => 'ended' as const)
    const outcome = await Promise.race([thread.ended.catch(() => undefined), late])
    timeout.abort()
    if (outcome === 'late') {
      this.#abandoned.add(role)
      this.#options.logger.warn({ role, timeoutMs: stopTimeoutMs }, 'role did not stop in time, ending its thread')
    }
    await thread.terminate()
  }

  #onEnd(role: string): void {
    if (!this.#stopping) this.#options.logger.debug({ role }, 'role ended')
  }

  #onFailure(role: string, error: unknown): void {
    if (this.#abandoned.has(role)) return
    const code = isLedgerError(error) ? error.code : undefined
    if (this.#stopping) this.#options.logger.error({ role, code, err: error }, 'role failed while it stopped')
    else this.#options.logger.error({ role, code, reason: messageOf(error) }, 'role failed, stopping everything')
    this.#failure ??= { error }
    this.#failed.reject(error)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

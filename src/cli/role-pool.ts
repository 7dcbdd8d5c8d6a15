import { setTimeout as sleep } from 'node:timers/promises'
import { type ReadyReport, type RoleName, type RoleReport, type RoleSettings, roleHeaps } from '#src/cli/roles/role.ts'
import type { WorkerSettings } from '#src/cli/worker.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'
import { type RoleThread, startThread } from '#src/runtime/process/threads.ts'

/** How long all roles together may take to stop before threads are ended without asking. Both stores are whole at any instant. */
const stopTimeoutMs = 3_500
/** Each has at least so long, also where another one has used up the time of all. */
const leastStopMs = 250

export interface RolePoolOptions {
  readonly settings: RoleSettings
  readonly logger: Logger
  /** `thread` says which one of the pool reports. */
  readonly onReport: (report: RoleReport, thread: string) => void
  readonly onLog: (line: string) => void
  /** Module that the threads run; the roles unless given. */
  readonly entry?: URL
  /** Bounds of their heaps; those of the roles unless given. */
  readonly heaps?: Partial<typeof roleHeaps>
}

export interface MemberOptions extends Partial<RoleSettings> {
  /** Name of the thread; that of the role unless given. */
  readonly thread?: string
  /** Settings of the one that takes its place when it dies of memory after it was ready; all stop unless given. */
  readonly revive?: (ready: ReadyReport) => Partial<RoleSettings>
}

interface Member extends RoleThread {
  readonly role: RoleName
  readonly options: MemberOptions
  readonly startedMs: number
  /** How often its place was taken in a row. */
  readonly revivals: number
  ready?: ReadyReport
}

/** The first of the pauses before a thread takes the place of another, each twice as long as the one before. */
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** So often in a row; one that lived for so long begins anew. */
const revivalsMax = 10
const longLifeMs = 60_000

/** The worker threads of one process: started one after the other, stopped in the same order, failing together. */
export class RolePool {
  readonly #options: RolePoolOptions
  readonly #members = new Map<string, Member>()
  readonly #failed = Promise.withResolvers<never>()
  /** Threads that were ended without asking. */
  readonly #abandoned = new Set<string>()
  #failure: { readonly error: unknown } | undefined
  readonly #stopped = new AbortController()

  constructor(options: RolePoolOptions) {
    this.#options = options
    // Whoever waits sees the failure; nobody waiting must not end the process.
    this.#failed.promise.catch(() => undefined)
  }

  get #stopping(): boolean {
    return this.#stopped.signal.aborted
  }

  /** Rejects with the error of the first role that fails. */
  get failed(): Promise<never> {
    return this.#failed.promise
  }

  /**
   * Starts a role on a thread and waits until it does its work; resolves with what it said then, or undefined where it ended
   * instead. Does nothing once the pool stops.
   */
  async start(role: RoleName, options: MemberOptions = {}): Promise<ReadyReport | undefined> {
    return this.#stopping ? undefined : this.#start(role, options, 0)
  }

  async #start(role: RoleName, options: MemberOptions, revivals: number): Promise<ReadyReport | undefined> {
    const { thread: name = role, revive: _, ...settings } = options
    const ready = Promise.withResolvers<ReadyReport>()
    const data: WorkerSettings = { ...this.#options.settings, ...settings, role, thread: name }
    const thread = startThread<RoleReport>({
      name,
      entry: this.#options.entry ?? new URL('./worker.ts', import.meta.url),
      data,
      heap: this.#options.heaps?.[role] ?? roleHeaps[role],
      onLog: this.#options.onLog,
      onReport: (report) => {
        if (report.kind === 'ready') {
          member.ready = report
          ready.resolve(report)
        }
        this.#options.onReport(report, name)
      },
    })
    const member: Member = { ...thread, role, options, revivals, startedMs: performance.now() }
    this.#members.set(name, member)
    thread.ended.then(
      () => this.#onEnd(name),
      (error: unknown) => this.#onFailure(member, error),
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
    this.#stopped.abort()
    const deadlineMs = performance.now() + stopTimeoutMs
    for (const threads of Map.groupBy(this.#members.values(), ({ role }) => role).values()) {
      await Promise.all(threads.map((thread) => this.#end(thread, deadlineMs)))
    }
    if (this.#failure !== undefined) throw this.#failure.error
  }

  async #end(thread: RoleThread, deadlineMs: number): Promise<void> {
    const { name: role } = thread
    thread.stop()
    const timeout = new AbortController()
    const leftMs = Math.max(leastStopMs, deadlineMs - performance.now())
    const late = sleep(leftMs, 'late' as const, { signal: timeout.signal }).catch(() => 'ended' as const)
    const outcome = await Promise.race([thread.ended.catch(() => undefined), late])
    timeout.abort()
    if (outcome === 'late') {
      this.#abandoned.add(role)
      this.#options.logger.warn({ role, timeoutMs: stopTimeoutMs }, 'role did not stop in time, ending its thread')
    }
    await thread.terminate()
  }

  /** What the others do, and hold, is not touched by a thread that has used up its own heap. */
  #canRevive({ options, ready, revivals, startedMs }: Member, error: unknown): boolean {
    if (this.#stopping || ready === undefined || options.revive === undefined || !isOutOfMemory(error)) return false
    return revivals < revivalsMax || performance.now() - startedMs > longLifeMs
  }

  async #revive({ name: thread, role, options, ready, startedMs, ...member }: Member): Promise<void> {
    const revivals = performance.now() - startedMs > longLifeMs ? 0 : member.revivals
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** revivals)
    this.#options.logger.error({ role, thread, pauseMs }, 'thread died of memory, another one takes its place')
    await sleep(pauseMs, undefined, { signal: this.#stopped.signal })
    await this.#start(role, { ...options, ...options.revive?.(ready!) }, revivals + 1)
  }

  #onEnd(role: string): void {
    if (!this.#stopping) this.#options.logger.debug({ role }, 'role ended')
  }

  #onFailure(member: Member, error: unknown): void {
    const { name: role } = member
    if (this.#abandoned.has(role)) return
    if (this.#canRevive(member, error)) {
      // Why the other one failed is told by its own end.
      this.#revive(member).catch(() => undefined)
      return
    }
    const code = isLedgerError(error) ? error.code : undefined
    if (this.#stopping) this.#options.logger.error({ role, code, err: error }, 'role failed while it stopped')
    else this.#options.logger.error({ role, code, reason: messageOf(error) }, 'role failed, stopping everything')
    this.#failure ??= { error }
    this.#failed.reject(error)
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

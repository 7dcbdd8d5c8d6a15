import { setFlagsFromString } from 'node:v8'
import { type MessagePort, parentPort, type ResourceLimits, Worker, workerData } from 'node:worker_threads'
import { type ErrorCode, isLedgerError, LedgerError } from '#src/domain/errors.ts'

interface ErrorParts {
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly stack: string | undefined
}

type FromThread<Report> =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: ErrorParts }

type ToThread = 'stop' | 'finish'

/** Bounds of a thread's JavaScript heap. What does not fit ends the thread; rows and events are not kept there. */
export interface HeapLimits {
  /** For objects that die soon. Larger means fewer collections and more resident memory. */
  readonly youngMiB: number
  readonly oldMiB: number
}

export interface ThreadOptions<Report> {
  readonly name: string
  /** Module that calls `runInThread`. */
  readonly entry: URL
  /** Handed to the thread by structured clone. */
  readonly data: unknown
  readonly heap: HeapLimits
  readonly onReport: (report: Report) => void
  readonly onLog: (line: string) => void
}

export interface RoleThread {
  readonly name: string
  /** Resolves when the role ended by itself or was stopped; rejects with what it failed of. */
  readonly ended: Promise<void>
  /** Asks the role to stop at once, leaving whatever it does whole. */
  stop(): void
  /** Asks the role to do what is there to do, then end. */
  finish(): void
  /** Ends the thread without asking. */
  terminate(): Promise<void>
}

/**
 * Settings of V8 for all threads. What a fold makes dies soon, although much of it outlives the first collection: nothing is to be
 * put among what lasts by guess. And where every core has a thread with work, a collection with several helpers takes longer.
 */
const engineFlags = ['--no-allocation-site-pretenuring', '--no-parallel-scavenge']

/** Called before the first thread is started. */
export function setEngineFlags(): void {
  for (const flag of engineFlags) setFlagsFromString(flag)
}

/**
 * The same where a role works on the main thread, whose heap has no bounds of its own: what dies soon has the few MiB that it begins with. An
 * importer takes a quarter less memory with it, in the same time.
 */
export function setMainEngineFlags(): void {
  setEngineFlags()
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** The same limits as the engine takes them. */
export function resourceLimitsOf({ youngMiB, oldMiB }: HeapLimits): ResourceLimits {
  return { maxYoungGenerationSizeMb: youngMiB, maxOldGenerationSizeMb: oldMiB }
}

/** Runs a role on a thread of its own. */
export function startThread<Report>({ name, entry, data, heap, onReport, onLog }: ThreadOptions<Report>): RoleThread {
  setEngineFlags()
  const worker = new Worker(entry, { name, workerData: data, resourceLimits: resourceLimitsOf(heap) })
  const ended = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromThread<Report>) => {
      if (message.kind === 'report') onReport(message.report)
      else if (message.kind === 'log') onLog(message.line)
      else if (message.kind === 'failed') reject(restoreError(message.error))
      else resolve()
    })
    worker.on('error', reject)
    // Without effect after the thread said how it ended.
    worker.on('exit', (code) => reject(new Error(`thread ${name} ended with code ${code} without saying why`)))
  })
  const send = (message: ToThread): void => worker.postMessage(message)
  return {
    name,
    ended,
    stop: () => send('stop'),
    finish: () => send('finish'),
    terminate: async () => {
      await worker.terminate()
    },
  }
}

export interface ThreadContext<Data, Report> {
  readonly data: Data
  /** Stop at once. */
  readonly signal: AbortSignal
  /** Do what is there to do, then end. */
  readonly finish: AbortSignal
  report(report: Report): void
  log(line: string): void
}

/** The thread's side: runs `role` once and tells the parent how it ended. */
export async function runInThread<Data, Report>(
  role: (context: ThreadContext<Data, Report>) => Promise<void>,
): Promise<void> {
  if (!parentPort) throw new Error('runInThread needs a worker thread')
  const port: MessagePort = parentPort
  const stop = new AbortController()
  const finish = new AbortController()
  port.on('message', (message: ToThread) => (message === 'stop' ? stop : finish).abort())
  const post = (message: FromThread<Report>): void => port.postMessage(message)
  try {
    await role({
      data: workerData as Data,
      signal: stop.signal,
      finish: finish.signal,
      report: (report) => post({ kind: 'report', report }),
      log: (line) => post({ kind: 'log', line }),
    })
    post({ kind: 'done' })
  } catch (error) {
    post({ kind: 'failed', error: errorParts(error) })
  }
  port.close()
}

function errorParts(error: unknown): ErrorParts {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const details = isLedgerError(error) ? cloneable(error.details) : {}
  return { code: isLedgerError(error) ? error.code : undefined, message, details, stack }
}

/** Details with only what a message to another thread can carry. */
function cloneable(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = new Set(['string', 'number', 'bigint', 'boolean'])
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value === null || plain.has(typeof value)))
}

function restoreError({ code, message, details, stack }: ErrorParts): Error {
  const error = code === undefined ? new Error(message) : new LedgerError(code, message, details)
  if (stack !== undefined) error.stack = stack
  return error
}

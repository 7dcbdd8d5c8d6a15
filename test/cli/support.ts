import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface ProgramOptions {
  readonly cwd?: string
  readonly env?: Record<string, string>
  /** Checkout whose code runs; this one unless given. */
  readonly tree?: string
  /** Shell commands that mount what only the program finds, in name spaces of its own: at its end they are gone. */
  readonly mounts?: string
  /** Id of the user and group that the program runs as; those of this process unless given. */
  readonly user?: number
}

/** What a process of ours is given of this one's environment: nothing that is a setting. */
export function inherited(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}

/** Whether a program can have mounts of its own here. */
export const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

/** The program as a process of its own, run by this same Node. */
export class Program {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  #out = ''
  #err = ''
  #wakes: (() => void)[] = []

  constructor(args: readonly string[], options: ProgramOptions = {}) {
    const main = join(options.tree ?? root, 'src', 'cli', 'main.ts')
    const { mounts } = options
    const command = [process.execPath, '--disable-warning=ExperimentalWarning', main, ...args]
    const mounting = mounts === undefined ? [] : ['unshare', '-rm', 'sh', '-c', `${mounts} && exec "$@"`, 'sh']
    const [file = '', ...rest] = [...mounting, ...command]
    this.child = spawn(file, rest, {
      cwd: options.cwd ?? root,
      env: { ...inherited(), ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.user !== undefined && { uid: options.user, gid: options.user }),
    })
    this.child.stdout?.on('data', (chunk: Buffer) => this.#take('out', chunk))
    this.child.stderr?.on('data', (chunk: Buffer) => this.#take('err', chunk))
    this.finished = new Promise((resolve) => {
      this.child.once('close', (code) => {
        resolve({ code, out: this.#out, err: this.#err })
        this.#wake()
      })
    })
  }

  get out(): string {
    return this.#out
  }

  get err(): string {
    return this.#err
  }

  /** Resolves with the match once standard output has it; rejects when the program ends without it. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#out)
      if (match) return match
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(
          `ended with ${this.child.exitCode ?? this.child.signalCode} before printing ${pattern}\n${this.#out}${this.#err}`,
        )
      }
      await new Promise<void>((resolve) => this.#wakes.push(resolve))
    }
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<Finished> {
    this.child.kill(signal)
    return this.finished
  }

  #take(stream: 'out' | 'err', chunk: Buffer): void {
    if (stream === 'out') this.#out += chunk.toString('utf8')
    else this.#err += chunk.toString('utf8')
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#wakes.splice(0)) wake()
  }
}

export function run(args: readonly string[], options?: ProgramOptions): Promise<Finished> {
  return new Program(args, options).finished
}

/** Asks until the answer satisfies; the request is the clock, so nothing waits longer than needed. */
export async function askUntil<T>(url: string, fits: (body: T) => boolean, deadlineMs = 20_000): Promise<T> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const response = await fetch(url)
    const body = (await response.json()) as T
    if (response.ok && fits(body)) return body
    if (Date.now() > deadline) throw new Error(`${url} still answers ${response.status} ${JSON.stringify(body)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

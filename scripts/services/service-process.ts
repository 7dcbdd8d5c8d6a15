import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { forget, killAtOurEnd } from './guard.ts'

const logTailLines = 15
const readyPollMs = 100
const stopWithinMs = 15_000

/** `ours`: ends with this process, whatever ends it. `detached`: goes on running until somebody stops it. */
export type Lifetime = 'ours' | 'detached'

export interface ServiceCommand {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Standard output and error are appended here. */
  readonly logFile: string
  readonly lifetime: Lifetime
  /** Whether the service answers; asked again and again until it does. */
  readonly isReady: () => Promise<boolean>
  readonly readyWithinMs: number
}

/**
 * One program that can be killed and started again with the same arguments, hence the same port and data.
 * Every method resolves when the process is really gone, or really ready.
 */
export class ServiceProcess {
  readonly #command: ServiceCommand
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()

  private constructor(command: ServiceCommand) {
    this.#command = command
  }

  /** Rejects with the end of the service's own log when it ends early or is not ready in time. */
  static async start(command: ServiceCommand): Promise<ServiceProcess> {
    const service = new ServiceProcess(command)
    await service.restart()
    return service
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  get logFile(): string {
    return this.#command.logFile
  }

  /** As a power failure would: `kill -9`. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  /** Asks it to end, and kills it when it takes longer than 15 seconds. */
  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  /** Sends any signal, such as SIGSTOP and SIGCONT, and does not wait for its effect. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Starts it again after `kill` or `stop`; kills it first if it still runs. */
  async restart(): Promise<void> {
    await this.kill()
    this.#spawn()
    try {
      await this.#waitUntilReady()
    } catch (error) {
      await this.kill()
      throw error
    }
  }

  #spawn(): void {
    const { command, args, cwd, env, logFile, lifetime } = this.#command
    const log = openSync(logFile, 'a')
    // A group of its own: Ctrl-C in a terminal reaches us, and we stop the services in order.
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
      detached: true,
    })
    closeSync(log)
    if (lifetime === 'detached') child.unref()
    const { pid } = child
    if (lifetime === 'ours' && pid !== undefined) killAtOurEnd(pid)
    this.#child = child
    this.#ended = new Promise((resolve) => {
      const end = () => {
        if (lifetime === 'ours' && pid !== undefined) forget(pid)
        if (this.#child === child) this.#child = undefined
        resolve()
      }
      child.on('exit', end)
      child.on('error', end)
    })
  }

  async #waitUntilReady(): Promise<void> {
    const { name, isReady, readyWithinMs } = this.#command
    const deadline = Date.now() + readyWithinMs
    while (!(await isReady())) {
      if (this.#child === undefined) throw new Error(`${name} ended while starting${this.#logTail()}`)
      if (Date.now() > deadline)
        throw new Error(`${name} was not ready after ${readyWithinMs / 1000} s${this.#logTail()}`)
      await sleep(readyPollMs)
    }
  }

  #logTail(): string {
    const lines = readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-logTailLines)
    return `; the end of ${this.logFile}:\n  ${lines.join('\n  ')}`
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
    await this.#ended
    clearTimeout(timer)
  }
}

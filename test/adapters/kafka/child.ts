import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A script of this folder in a process of its own, and the lines that it prints. */
export class Child {
  readonly process: ChildProcess
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  readonly #lines: AsyncIterator<string>
  stderr = ''

  constructor(script: string, args: readonly string[], nodeFlags: readonly string[] = []) {
    const file = fileURLToPath(new URL(script, import.meta.url))
    this.process = spawn(process.execPath, [...nodeFlags, file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.exit = new Promise((resolve) => this.process.once('exit', (code, signal) => resolve({ code, signal })))
    this.process.stderr!.on('data', (data) => {
      this.stderr += data
    })
    this.#lines = createInterface({ input: this.process.stdout! })[Symbol.asyncIterator]()
  }

  /** The next line, as JSON; undefined at the end. */
  async line(): Promise<unknown> {
    const { value, done } = await this.#lines.next()
    return done ? undefined : JSON.parse(value)
  }
}

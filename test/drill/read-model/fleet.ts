import { type Finished, Program, run } from '../../cli/support.ts'
import { until } from './until.ts'

interface Member {
  readonly args: readonly string[]
  readonly program: Program
}

/** Processes of one deployment, each known by its command, whatever release it runs. */
export class Fleet {
  readonly #cwd: string
  readonly #members = new Map<string, Member>()
  /** Of those that were replaced, to standard error. */
  readonly #lastWords: string[] = []

  constructor(cwd: string) {
    this.#cwd = cwd
  }

  /** Starts a command of a page with the code of a release. */
  start(command: string, tree: string): Program {
    const args = argumentsOf(command)
    const program = new Program(args, { cwd: this.#cwd, tree })
    this.#members.set(command, { args, program })
    return program
  }

  /** Stops it as a supervisor does, and starts the same command with the code of another release. */
  async replace(command: string, tree: string): Promise<Program> {
    const stopped = await this.#members.get(command)?.program.stop('SIGTERM')
    if (stopped?.code !== 0) throw new Error(`${command} ended with ${stopped?.code}: ${stopped?.err}`)
    this.#lastWords.push(stopped.err)
    return this.start(command, tree)
  }

  /** Stops those that begin so, as a supervisor does, and starts nothing in their place. */
  async end(commands: readonly string[]): Promise<void> {
    for (const [command, { program }] of this.#members) {
      if (!commands.some((each) => command.startsWith(each))) continue
      this.#members.delete(command)
      const { code, err } = await program.stop('SIGTERM')
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${err}`)
    }
  }

  /** Runs a verb of this release again and again until what it says is as it should be. */
  async verb(args: readonly string[], fits: (ended: Finished) => boolean): Promise<void> {
    await until(async () => fits(await run(args, { cwd: this.#cwd })))
  }

  /** Stops everything; resolves to what each wrote to standard error, those included that were replaced. */
  async stop(signal: NodeJS.Signals): Promise<string[]> {
    const ended = await Promise.all([...this.#members.values()].map(({ program }) => program.stop(signal)))
    this.#members.clear()
    return [...this.#lastWords, ...ended.map(({ err }) => err)]
  }
}

export function argumentsOf(command: string): string[] {
  const [name, ...args] = command.split(/\s+/)
  if (name !== 'ledger-history') throw new Error(`not a command of ours: ${command}`)
  return args
}

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Stores } from '#src/cli/engines.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { versioned, versionOf } from '#test/support/read-model-versions.ts'
import { run } from '../../cli/support.ts'
import { argumentsOf } from './fleet.ts'
import type { Asked } from './load.ts'
import type { PageBlock } from './page.ts'
import { type Switch, switchesOf } from './switches.ts'
import { until } from './until.ts'

export interface StepsOptions {
  readonly page: readonly PageBlock[]
  readonly stores: Stores
  /** Where the commands run, with the code of this tree. */
  readonly cwd: string
  readonly tree: string
}

interface Decision {
  readonly what: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly from: string
  readonly to: string
}

/** So long after a switch, answers that should not come any more would still be seen. */
const settleMs = 1_500

/** What the commands are said to print. */
const promised: readonly (readonly [command: RegExp, output: RegExp])[] = [
  [/--dry-run/, ofNext(/^blocks vM {2}[\d,]+ events in .* the whole log.*\nNothing was changed; next: /)],
  [/status/, versioned(/^blocks vN .*\n/m)],
  [/rebuild blocks$/, ofNext(/blocks vM +\d+\.\d%.* built\n.*next: ledger-history projections promote blocks/s)],
  [/verify/, ofNext(/^Compared [\d,]+ rows of blocks vM .* all equal/m)],
  [
    /promote/,
    ofNext(
      /^Promoted: blocks vM serves from \S+ \(0\.2\.0-drill\) after \d+ ms, \S+ \(0\.2\.0-drill\) after \d+ ms\nnext: /,
    ),
  ],
  [/rollback/, versioned(/^Rolled back: blocks vN serves from \S+ \(0\.2\.0-drill\) after /)],
  [/prune/, versioned(/^Removed blocks vN; next: /)],
]

/** With the version behind the one that the code has. */
function ofNext({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replace('vM', `v${versionOf('blocks') + 1}`), flags)
}

/** Runs the commands of a page, one after the other, and notes when each decision came into force. */
export class Steps {
  readonly #options: StepsOptions
  readonly #commands: readonly string[]
  readonly #decisions: Decision[] = []
  #done = 0

  constructor(options: StepsOptions) {
    this.#options = options
    const blocks = options.page.filter(({ language, mark }) => language === 'sh' && mark === 'run')
    this.#commands = blocks.flatMap(({ text }) => text.trim().split('\n'))
  }

  async runNext(expected: RegExp): Promise<void> {
    const command = this.#commands[this.#done++] ?? ''
    expect(command).toMatch(expected)
    await this.#run(command)
  }

  async runRest(): Promise<void> {
    while (this.#done < this.#commands.length) await this.#run(this.#commands[this.#done++]!)
  }

  /** How each query process followed each decision, by what it answered. */
  switches(answers: readonly Asked[]): { readonly what: string; readonly figures: readonly Switch[] }[] {
    return this.#decisions.map(({ what, at, from, to }, index) => {
      const next = this.#decisions[index + 1]?.at ?? Number.POSITIVE_INFINITY
      const during = answers.filter(({ endedAt }) => endedAt < next)
      return { what, figures: switchesOf(during, at, from, to) }
    })
  }

  async #run(command: string): Promise<void> {
    const { cwd, tree } = this.#options
    const watching = /promote|rollback/.test(command) ? this.#watchDecision(command) : undefined
    const { code, out, err } = await run(argumentsOf(command), { cwd, tree })
    expect(code, `${command}\n${out}${err}`).toBe(0)
    // After the prune the plan has one version only.
    if (this.#done < this.#commands.length || !command.includes('status')) expectPromised(command, out)
    if (watching === undefined) return
    this.#decisions.push(await watching)
    await sleep(settleMs)
  }

  /** Looks at the plan until another instance is to serve. */
  async #watchDecision(command: string): Promise<Decision> {
    const { controlStore } = this.#options.stores
    const serving = async () => (await readPlan(controlStore)).readModels['blocks']?.serving ?? ''
    const from = await serving()
    let to = from
    const hasChanged = async (): Promise<boolean> => {
      to = await serving()
      return to !== from
    }
    await until(hasChanged, 5)
    return { what: command.replace('ledger-history projections ', ''), at: Date.now(), from, to }
  }
}

function expectPromised(command: string, out: string): void {
  const [, output] = promised.find(([pattern]) => pattern.test(command)) ?? []
  if (output === undefined) throw new Error(`the test does not know what this should print: ${command}`)
  expect(out, command).toMatch(output)
}

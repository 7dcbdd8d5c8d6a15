import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { changingSchema, expectedAt, foundIn, growingSchema } from '#test/adapters/mongodb/numbered-commits.ts'
import { TestDatabase, testTimes } from '#test/adapters/mongodb/open-stores.ts'
import { describeWithMongo } from '#test/support/services.ts'

/** Starting a process takes long on a busy machine. */
const timeout = 180_000
const target = 120
const schemas = [changingSchema, growingSchema].map((schema) => ({ name: schema.name, schema }))

describeWithMongo('processes that keep a read model in MongoDB up to date', (mongo) => {
  let database: TestDatabase
  const children: Committer[] = []
  const start = (schema: ProjectionSchema, leaseMs: number) => {
    const child = new Committer([mongo.uri, database.name, schema.name, String(target), String(leaseMs)])
    children.push(child)
    return child
  }
  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill()
    await database.dispose()
  })
  const rowsOf = async (schema: ProjectionSchema) => foundIn((await database.open()).readStore, schema)

  it.each(schemas)(
    'are killed at any time, and the next one goes on at once with $name',
    { timeout },
    async ({ schema }) => {
      database = new TestDatabase(mongo)
      // Long enough that waiting for it would be noticed: the dead process is recognized.
      const leaseMs = 600_000
      const restarts = 5
      for (let run = 0; run < restarts; run++) {
        const child = start(schema, leaseMs)
        await child.said(/^at/, 1 + Math.floor(Math.random() * 8))
        // Somewhere within the next commits.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
        await child.kill()
      }
      expect(await start(schema, leaseMs).ended()).toBe(0)
      expect(await rowsOf(schema)).toEqual(expectedAt(schema, target))
    },
  )

  it.each(schemas)(
    'are stopped until another has taken over, and change nothing of $name afterwards',
    { timeout },
    async ({ schema }) => {
      database = new TestDatabase(mongo)
      const first = start(schema, testTimes.leaseMs)
      await first.said(/^at/, 5)
      first.signal('SIGSTOP')
      const second = start(schema, testTimes.leaseMs)
      await second.said(/^at/, 3)
      first.signal('SIGCONT')
      expect(await first.ended()).toBe(3)
      expect(first.lines.at(-1)).toBe('fenced')
      expect(await second.ended()).toBe(0)
      expect(await rowsOf(schema)).toEqual(expectedAt(schema, target))
    },
  )

  it('wait while another one works, and go on when it has handed over', { timeout }, async () => {
    database = new TestDatabase(mongo)
    const first = start(changingSchema, 600_000)
    await first.said(/^at/, 1)
    const second = start(changingSchema, 600_000)
    await second.said(/^busy/, 1)
    expect(await first.ended()).toBe(0)
    expect(await second.ended()).toBe(0)
    expect(second.lines.filter((line) => line !== 'busy')).toEqual([`opened ${target}`])
    expect(await rowsOf(changingSchema)).toEqual(expectedAt(changingSchema, target))
  })
})

class Committer {
  readonly lines: string[] = []
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #heard: () => void = () => {}

  constructor(args: readonly string[]) {
    const program = new URL('committer.ts', import.meta.url).pathname
    this.#child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#ended = once(this.#child, 'close')
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.lines.push(line)
      this.#heard()
    })
  }

  /** Resolves when it has said so that many times, or has ended. */
  async said(pattern: RegExp, times: number): Promise<void> {
    const count = () => this.lines.filter((line) => pattern.test(line)).length
    let over = false
    void this.#ended.then(() => {
      over = true
      this.#heard()
    })
    while (count() < times && !over)
      await new Promise<void>((resolve) => {
        this.#heard = resolve
      })
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async ended(): Promise<number | null> {
    await this.#ended
    return this.#child.exitCode
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}

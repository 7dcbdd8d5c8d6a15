import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { onTestFinished } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { errorCatalogue, isLedgerError } from '#src/domain/errors.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { type Finished, Program, run } from '#test/cli/support.ts'
import { importUndisturbed } from '#test/drill/kills.ts'
import { digestPlace, drillNetwork, type PlaceDigest, positionsIn, publishedIn } from '#test/drill/place.ts'
import { importAll } from '#test/drill/role.ts'
import { argumentsOf, clearPlace, enginesAt, type Place, withPlace } from '#test/support/place.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** Long, since a drill may share its few cores with other tests. */
const patienceMs = 240_000

/**
 * Awaits a condition; rejects with what was awaited, and what is known of it by then. What is away, or moves to another
 * server, may come back.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = patienceMs,
  known: () => string = () => '',
): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    let reason: unknown
    try {
      if (await condition()) return
    } catch (error) {
      if (!isLedgerError(error) || errorCatalogue[error.code].disposition !== 'retry') throw error
      reason = error
    }
    if (Date.now() > deadline) throw new Error(`not within ${withinMs / 1_000} s: ${what}${known()}`, { cause: reason })
    await sleep(100)
  }
}

interface Member {
  readonly name: string
  readonly program: Program
  /** Killed by the drill: its end is no news. */
  expectedToEnd: boolean
}

/** Who is not there yet, and where: `; transactions stands at 441`. */
function laggards(positions: readonly (number | undefined)[], wanted: number): string {
  const names = ['the log', ...allProjections.map(({ schema }) => schema.name)]
  if (positions.length === 0) return '; neither log nor read models have told where they stand'
  return positions.flatMap((at = 0, index) => (at < wanted ? `; ${names[index]} stands at ${at}` : [])).join('')
}

export type PlaceMaker = (folder: string, run: string) => Place

/** A network that goes on, and the processes of the product that follow it, each a process of its own. */
export class LiveDrill {
  readonly place: Place
  /** Build of the read models that is looked at. */
  build = 1
  /** Whom processes run as that are started from now on; as this one unless given. */
  user: number | undefined
  readonly #folder: { path: string; remove: () => Promise<void> }
  readonly #network: string
  readonly #members: Member[] = []
  readonly #feed = new AbortController()
  #feeding: Promise<unknown> = Promise.resolve()

  private constructor(folder: { path: string; remove: () => Promise<void> }, placeOf: PlaceMaker) {
    this.#folder = folder
    this.#network = join(folder.path, 'network')
    this.place = placeOf(folder.path, randomUUID().slice(0, 8))
  }

  /** The network has begun when this resolves: two blocks a second, a few rows each, since not every server is fast. */
  static async begin(placeOf: PlaceMaker, blockSeconds = 0.5): Promise<LiveDrill> {
    const drill = new LiveDrill(await temporaryFolder(), placeOf)
    const options = { seed: 'drill', nodes: 1, accounts: 10, transactionsPerSecond: 5, blockSeconds }
    const { signal } = drill.#feed
    drill.#feeding = runSimulator({ folder: drill.#network, options, paced: true, keepBlocks: 0, signal })
    await until('the network begins', () => existsSync(join(drill.#network, 'address-book.bin')))
    return drill
  }

  startImporter(): Program {
    const source = ['--source', this.#network, '--network', drillNetwork, '--source-poll-ms', '100']
    return this.#start('import', ['import', 'run', ...source])
  }

  startProjector(...only: readonly string[]): Program {
    return this.#start('project', ['project', ...(only.length === 0 ? [] : ['--only', ...only])])
  }

  startServer(port: number, ...flags: readonly string[]): Program {
    return this.#start('serve', ['serve', '--port', String(port), ...flags])
  }

  /** Runs a verb to its end. */
  verb(...args: readonly string[]): Promise<Finished> {
    return run([...args, ...argumentsOf(this.place)])
  }

  /** As a power failure would. */
  async kill(program: Program): Promise<void> {
    for (const member of this.#members) if (member.program === program) member.expectedToEnd = true
    await program.stop('SIGKILL')
  }

  /** Newest sequence of the log and positions of the read models. */
  async positions(): Promise<readonly (number | undefined)[]> {
    let positions: readonly (number | undefined)[] = []
    await until('log and store tell their positions', async () => {
      positions = await withPlace(this.place, (opened) => positionsIn(opened, this.build))
      return true
    })
    return positions
  }

  /** Asks the log alone: a drill asks often, and opening every read model takes its time. */
  async head(): Promise<number> {
    let head = 0
    await until('the log tells where it ends', async () => {
      const log = await enginesAt(this.place).openLog(1)
      try {
        head = (await log.head()).sequence
      } finally {
        await log.close()
      }
      return true
    })
    return head
  }

  /** Awaits that every read model stands at a position or beyond. */
  async reached(position: number, withinMs?: number): Promise<void> {
    let positions: readonly (number | undefined)[] = []
    await withPlace(this.place, (opened) => {
      const isThere = async () => {
        const ended = this.ended()
        if (ended.length > 0) throw new Error(`cannot reach ${position}: ${ended.join('; ')}`)
        positions = await positionsIn(opened, this.build)
        return positions.every((each = 0) => each >= position)
      }
      return until(`log and read models reach ${position}`, isThere, withinMs, () => laggards(positions, position))
    })
  }

  /** Awaits that log and read models grow beyond where the log is now. */
  async grows(withinMs?: number): Promise<void> {
    await this.reached((await this.head()) + 1, withinMs)
  }

  /** Who ended by itself, with its last words. */
  ended(): string[] {
    return this.#members
      .filter(
        ({ program: { child }, expectedToEnd }) => !expectedToEnd && (child.exitCode ?? child.signalCode) !== null,
      )
      .map(({ name, program: { child, err } }) => `${name} ended with ${child.exitCode}: ${err.slice(-2_000)}`)
  }

  /** What each process said last, for whoever has to find out why a drill failed. */
  lastWords(): string[] {
    return this.#members.map(({ name, program: { child, out, err } }) => {
      const state = child.exitCode ?? child.signalCode ?? 'running'
      return `--- ${name} ${child.pid} (${state})\n${out.slice(-1_000)}${err.slice(-2_000)}`
    })
  }

  /**
   * Ends the network, awaits that everything of it is imported and folded, and ends the processes. Resolves to what is there
   * and to what an undisturbed import on the embedded engines makes of the same network. With `importsAgain`, an importer is
   * started once more before that: it may have seen only at its end that its store came back older.
   */
  async finish({ importsAgain = false } = {}): Promise<{
    readonly found: PlaceDigest
    readonly undisturbed: PlaceDigest
    readonly problems: string[]
  }> {
    this.#feed.abort()
    await this.#feeding
    const undisturbed = await digestPlace(await importUndisturbed(this.#network, this.#folder.path))
    await this.reached((undisturbed.head as { sequence: number }).sequence)
    const published = await withPlace({ data: join(this.#folder.path, 'undisturbed') }, publishedIn)
    await until('everything is published', async () =>
      isDeepStrictEqual(await withPlace(this.place, publishedIn), published),
    )
    const problems = this.ended()
    for (const { name, program, expectedToEnd } of this.#members) {
      if (expectedToEnd) continue
      const { code, err } = await program.stop('SIGTERM')
      if (code !== 0) problems.push(`${name} ended with ${code} when told to: ${err.slice(-2_000)}`)
    }
    if (importsAgain) await importAll({ network: this.#network, place: this.place })
    return { found: await digestPlace(this.place, this.build), undisturbed, problems }
  }

  /** Network and processes, as a power failure would. */
  async endAll(): Promise<void> {
    this.#feed.abort()
    await Promise.all(this.#members.map(({ program }) => program.stop('SIGKILL')))
    await this.#feeding
  }

  async close(): Promise<void> {
    await this.endAll()
    await clearPlace(this.place)
    await this.#folder.remove()
  }

  #start(name: string, verb: readonly string[]): Program {
    const program = new Program([...verb, ...argumentsOf(this.place), '--log-format', 'json'], {
      ...(this.user !== undefined && { user: this.user }),
    })
    this.#members.push({ name, program, expectedToEnd: false })
    return program
  }
}

/** Runs a drill and leaves nothing behind, however its test ends; when it fails, every process tells its last words. */
export async function withDrill(
  placeOf: PlaceMaker,
  body: (drill: LiveDrill) => Promise<void>,
  blockSeconds?: number,
): Promise<void> {
  const drill = await LiveDrill.begin(placeOf, blockSeconds)
  // A body that takes too long never comes to its end.
  onTestFinished(() => drill.endAll())
  try {
    await body(drill)
  } catch (error) {
    console.log(drill.lastWords().join('\n'))
    throw error
  } finally {
    await drill.close()
  }
}

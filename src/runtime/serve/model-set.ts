import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { BlockEnd, Checkpoint, ProjectionSchema } from '#src/ports/read-store.ts'
import type { GenerationEnd, Instant } from '#src/runtime/serve/instant.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'

/** Versions of read models, by name, that something can be answered from. */
export type ModelChoice = Readonly<Record<string, Pick<ProjectionSchema, 'version'>>>

/** Where the read models of a request stand. */
export interface ModelState {
  /**
   * The newest whole block that every one of them reflects, as far as the instant of the process goes. Of read models that do not
   * know of blocks, the smallest position and time.
   */
  readonly bound: Checkpoint
  /** Whether that is the end of a block: else there may be more of its newest one. */
  readonly isWhole: boolean
  /** Its time as answers write it. */
  readonly boundText: string
  /** Of each of them, by name. */
  readonly checkpoints: Readonly<Record<string, Checkpoint>>
  /** Changes whenever one of them moves or is replaced. */
  readonly stamp: string
}

/** The instances that one request is answered from. They serve together: no promotion comes between them. */
export class ModelSet {
  readonly models: readonly ServedModel[]
  /** Index of the choice that they are. */
  readonly choice: number
  /** Which rows they have: another build may render the same rows otherwise, and a repair makes other rows of the same build. */
  readonly ids: string
  readonly #instant: Instant | undefined
  #state: Promise<ModelState> | undefined
  /** What was read last, and the instant then. */
  #last: ModelState | undefined
  #lastInstant: bigint | undefined

  constructor(models: readonly ServedModel[], choice: number, instant?: Instant) {
    this.models = models
    this.choice = choice
    this.#instant = instant
    this.ids = models.map(({ rowsId }) => rowsId).join('+')
  }

  /**
   * Where they stand in this turn of the event loop: all requests that one turn finds have arrived before the first of them
   * asks, so one answer serves them all.
   */
  state(): Promise<ModelState> {
    if (this.#state === undefined) {
      this.#state = this.#readState()
      setImmediate(() => {
        this.#state = undefined
      })
    }
    return this.#state
  }

  async #readState(): Promise<ModelState> {
    this.#instant?.noteAsked()
    const checkpoints = await Promise.all(this.models.map((model) => model.checkpoint()))
    const newest = this.#instant?.newest
    if (this.#last === undefined || newest?.time !== this.#lastInstant || !this.#stillAt(checkpoints, this.#last))
      this.#last = this.#stateAt(checkpoints, newest)
    this.#lastInstant = newest?.time
    return this.#last
  }

  #stillAt(checkpoints: readonly Checkpoint[], last: ModelState): boolean {
    return this.models.every(({ name }, index) => {
      const [now, before] = [checkpoints[index]!, last.checkpoints[name]!]
      return now.position === before.position && now.time === before.time
    })
  }

  #stateAt(checkpoints: readonly Checkpoint[], newest: GenerationEnd | undefined): ModelState {
    const generation = this.models[0]?.generation
    const ends = checkpoints.map(({ whole }) => whole).filter((end) => end !== undefined)
    const knowBlocks = ends.length === checkpoints.length && ends.length > 0
    const all = newest !== undefined && newest.generation === generation ? [...ends, newest] : ends
    const bound = knowBlocks ? oldest(all) : smallest(checkpoints)
    return {
      bound,
      isWhole: knowBlocks,
      boundText: formatLedgerTime(bound.time),
      checkpoints: Object.fromEntries(this.models.map(({ name }, index) => [name, checkpoints[index]!])),
      stamp: `${this.ids} ${bound.position} ${checkpoints.map(({ position }) => position).join()}`,
    }
  }

  /** All of them stay readable until whoever calls this calls `leave`. */
  enter(): void {
    for (const model of this.models) model.enter()
  }

  leave(): void {
    for (const model of this.models) model.leave()
  }
}

/** The instances that serve, and those of them that each choice has, which is found once. */
export class ServingModels {
  readonly byName: ReadonlyMap<string, ServedModel>
  readonly #chosen = new WeakMap<readonly ModelChoice[], ModelSet>()
  readonly #instant: Instant | undefined

  constructor(byName: ReadonlyMap<string, ServedModel> = new Map(), instant?: Instant) {
    this.byName = byName
    this.#instant = instant
  }

  /** undefined when none of the choices is served. */
  choose(choices: readonly ModelChoice[]): ModelSet | undefined {
    const known = this.#chosen.get(choices)
    if (known !== undefined) return known
    const set = chooseModels(choices, this.byName, this.#instant)
    // One that fills gives way to others, and they to it when it is filled.
    const isSettled = ![...this.byName.values()].some(({ filling }) => filling)
    if (set !== undefined && isSettled) this.#chosen.set(choices, set)
    return set
  }
}

/**
 * The first choice of which all versions serve, those first that nobody has to wait for; undefined when no choice is
 * served.
 */
function chooseModels(
  choices: readonly ModelChoice[],
  serving: ReadonlyMap<string, ServedModel>,
  instant: Instant | undefined,
): ModelSet | undefined {
  const sets = choices.flatMap((choice, index) => {
    const models = Object.keys(choice).map((name) => serving.get(name))
    const isServed = models.every((model) => model !== undefined && model.version === choice[model.name]?.version)
    return isServed ? [new ModelSet(models as ServedModel[], index, instant)] : []
  })
  return sets.find(({ models }) => !models.some(({ filling }) => filling)) ?? sets[0]
}

function oldest([first, ...others]: readonly BlockEnd[]): Checkpoint {
  const { position, time } = others.reduce((least, each) => (each.time < least.time ? each : least), first!)
  return { position, time }
}

/** Each of the two is the smallest by itself, since positions of different logs don't compare, and times do. */
function smallest(checkpoints: readonly Checkpoint[]): Checkpoint {
  const [first, ...others] = checkpoints
  if (first === undefined) return { position: 0, time: 0n }
  let { position, time } = first
  for (const other of others) {
    if (other.position < position) position = other.position
    if (other.time < time) time = other.time
  }
  return { position, time }
}

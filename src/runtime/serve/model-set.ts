import type { Checkpoint, ProjectionSchema } from '#src/ports/read-store.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'

/** Versions of read models, by name, that something can be answered from. */
export type ModelChoice = Readonly<Record<string, Pick<ProjectionSchema, 'version'>>>

/** Where the read models of a request stand. */
export interface ModelState {
  /** The smallest position and time of all: what every one of them reflects. */
  readonly bound: Checkpoint
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
  /** Ids of the instances: another build may render the same rows otherwise. */
  readonly ids: string

  constructor(models: readonly ServedModel[], choice: number) {
    this.models = models
    this.choice = choice
    this.ids = models.map(({ id }) => id).join('+')
  }

  async state(): Promise<ModelState> {
    const checkpoints = await Promise.all(this.models.map((model) => model.checkpoint()))
    return {
      bound: smallest(checkpoints),
      checkpoints: Object.fromEntries(this.models.map(({ name }, index) => [name, checkpoints[index]!])),
      stamp: `${this.ids} ${checkpoints.map(({ position }) => position).join()}`,
    }
  }

  /** Does work while all of them stay readable. */
  use<T>(work: (set: ModelSet) => Promise<T>): Promise<T> {
    const begin = this.models.reduce<() => Promise<T>>(
      (inner, model) => () => model.use(inner),
      () => work(this),
    )
    return begin()
  }
}

/**
 * The first choice of which all versions serve, those first that nobody has to wait for; undefined when no choice is
 * served.
 */
export function chooseModels(
  choices: readonly ModelChoice[],
  serving: ReadonlyMap<string, ServedModel>,
): ModelSet | undefined {
  const sets = choices.flatMap((choice, index) => {
    const models = Object.keys(choice).map((name) => serving.get(name))
    const isServed = models.every((model) => model !== undefined && model.version === choice[model.name]?.version)
    return isServed ? [new ModelSet(models as ServedModel[], index)] : []
  })
  return sets.find(({ models }) => !models.some(({ filling }) => filling)) ?? sets[0]
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

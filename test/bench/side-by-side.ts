import { loadavg } from 'node:os'
import { allProjections } from '#projections/index.ts'
import { formatApi, measureApi } from '#test/bench/api.ts'
import { formatReport, projectorHeap, rateOf, runStage } from '#test/bench/run-stage.ts'
import { comparedWith, formatComparison, formatTable, type SideFigure } from '#test/bench/side-figure.ts'
import { findSide, referenceFor, type Side, type SideOptions } from '#test/bench/sides.ts'
import type { StageName, StageOptions } from '#test/bench/stages.ts'
import { clearPlace } from '#test/support/place.ts'

export const sideStages = ['publish', 'import', 'project', 'supervise', 'rebuild', 'api'] as const

export interface SideBySideOptions extends SideOptions {
  readonly engines: readonly string[]
  readonly stages: ReadonlySet<string>
  readonly ledger: StageOptions
  /** Of the importer: one measurement with each. */
  readonly appendBlocks: readonly number[]
  readonly apiSeconds: number
  readonly print: (line: string) => void
}

/** Measures the same stages over the same ledger on several engines. The embedded ones come first: they are what others are compared with. */
export async function measureSides(options: SideBySideOptions): Promise<SideFigure[]> {
  const sides = sidesOf(options)
  const figures: SideFigure[] = []
  await runStage({ label: 'generate', stage: 'generate', options: options.ledger })
  await runStage({ label: 'import', stage: 'import', options: options.ledger })
  for (const side of sides) {
    options.print(
      `\n${side.name}${side.isStandIn ? ` (a stand-in, ${side.eventsMax} events: no figure of a real MongoDB)` : ''}`,
    )
    const reference = figures.filter((each) => each.side === referenceName(side, sides))
    try {
      await new SideRun(side, reference, options, (figure) => figures.push(figure)).run()
    } finally {
      await clearPlace(side.place)
    }
  }
  for (const line of ['', ...formatTable(figures)]) options.print(line)
  return figures
}

function sidesOf(options: SideBySideOptions): Side[] {
  const found = options.engines.map((name) => ({ name, side: findSide(name, options) }))
  for (const { name, side } of found) if (typeof side === 'string') options.print(`${name} is left out: ${side}`)
  const sides = found.flatMap(({ side }) => (typeof side === 'string' ? [] : [side]))
  const references = sides.some(({ isStandIn }) => isStandIn) ? [referenceFor(options)] : []
  return [...references, ...sides.sort((a, b) => Number(b.name === 'embedded') - Number(a.name === 'embedded'))]
}

function referenceName({ eventsMax, place }: Side, sides: readonly Side[]): string | undefined {
  const reference = sides.find((each) => each.eventsMax === eventsMax && !each.place.kafka && !each.place.mongodb)
  return reference?.place === place ? undefined : reference?.name
}

class SideRun {
  readonly #side: Side
  readonly #reference: readonly SideFigure[]
  readonly #options: SideBySideOptions
  readonly #add: (figure: SideFigure) => void
  #build = 1
  #imports = 0

  constructor(
    side: Side,
    reference: readonly SideFigure[],
    options: SideBySideOptions,
    add: (figure: SideFigure) => void,
  ) {
    this.#side = side
    this.#reference = reference
    this.#options = options
    this.#add = add
  }

  async run(): Promise<void> {
    const { stages, appendBlocks, apiSeconds } = this.#options
    if (stages.has('import')) {
      for (const appendBlocksMax of appendBlocks) await this.#import(appendBlocksMax)
    }
    if (!['publish', 'project', 'supervise', 'rebuild', 'api'].some((stage) => stages.has(stage))) return
    await this.#stage('publish', 'publish', {})
    if (stages.has('project'))
      for (const { schema } of allProjections)
        await this.#fold(`project ${schema.name}`, 'project', { projection: schema.name, build: ++this.#build })
    if (stages.has('rebuild')) await this.#fold('rebuild all', 'project', { build: ++this.#build })
    if (stages.has('supervise') || stages.has('api')) await this.#fold('rebuild all, supervised', 'supervise', {})
    if (!stages.has('api')) return
    const { place } = this.#side
    await measureApi({
      place,
      seconds: apiSeconds,
      onResult: (result) => {
        const { name: stage, requestsPerSecond: perSecond, peakMiB } = result
        this.#tell({ stage, perSecond, cpuUsEach: undefined, peakMiB }, formatApi(result))
      },
    })
  }

  /** Into a log of its own, which is removed. */
  async #import(appendBlocksMax: number): Promise<void> {
    const { place } = this.#side
    const name = `import-${++this.#imports}`
    const own = {
      ...place,
      data: `${place.data}-${name}`,
      ...(place.kafka && { kafka: { ...place.kafka, prefix: `${place.kafka.prefix}-${name}` } }),
      ...(place.mongodb && { mongodb: { ...place.mongodb, database: `${place.mongodb.database}-${name}` } }),
    }
    try {
      await this.#stage(`import, ${appendBlocksMax} blocks an append`, 'import', { place: own, appendBlocksMax })
    } finally {
      await clearPlace(own)
    }
  }

  /** In the heap that a projector has in the product. */
  async #fold(label: string, stage: StageName, extra: Partial<StageOptions>): Promise<void> {
    const { eventsMax } = this.#side
    await this.#stage(label, stage, { ...extra, ...(eventsMax !== undefined && { eventsMax }) }, projectorHeap)
  }

  async #stage(
    label: string,
    stage: StageName,
    extra: Partial<StageOptions>,
    heap: readonly string[] = [],
  ): Promise<void> {
    const options = { ...this.#options.ledger, place: this.#side.place, ...extra }
    const report = await runStage({ label, stage, options, heap })
    const { count, cpuSeconds, peakMiB } = report
    const measured = { stage: label, perSecond: rateOf(report), cpuUsEach: (cpuSeconds * 1e6) / count, peakMiB }
    this.#tell(measured, formatReport(report))
  }

  #tell(measured: Pick<SideFigure, 'stage' | 'perSecond' | 'cpuUsEach' | 'peakMiB'>, line: string): void {
    const { name: side, isStandIn } = this.#side
    const figure = comparedWith(this.#reference, { ...measured, side, isStandIn, load: loadavg()[0] ?? 0 })
    this.#add(figure)
    this.#options.print(`${line}${formatComparison(figure)}`)
  }
}

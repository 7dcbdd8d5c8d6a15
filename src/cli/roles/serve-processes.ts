import type { ImportPresence, StreamPresence } from '#src/operations/import-presence.ts'
import { LivingProcesses } from '#src/operations/living-processes.ts'
import type { PresentProcess } from '#src/operations/presence.ts'
import type { RunningInstance } from '#src/operations/running-instance.ts'
import { rest } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import { inTime } from '#src/runtime/process/in-time.ts'

export interface ImportedStream extends StreamPresence {
  /** `host:pid` */
  readonly process: string
}

type Importer = PresentProcess & { readonly imports: ImportPresence }

const intervalMs = 1_000
const timeoutMs = 2_000

/** Who else works on the same data, for health pages: looked at every second, since only signs of life that move tell. */
export class ServeProcesses {
  #living: readonly PresentProcess[] | undefined

  /** As of the last second: who was killed leaves a few seconds after it. Undefined while that cannot be asked. */
  get living(): readonly PresentProcess[] | undefined {
    return this.#living
  }

  /** What importers of a log generation say that needs a person. */
  importErrors(generation: number): string[] {
    return this.#importers(generation).flatMap(({ host, pid, imports: { problem } }) =>
      problem === undefined ? [] : [`Import of ${host}:${pid}: ${problem}`],
    )
  }

  /** What whoever should keep an instance up to date waits for, or failed of; undefined where somebody does. */
  troubleOf({ name, id }: Pick<RunningInstance, 'name' | 'id'>): string | undefined {
    const runs = (this.#living ?? []).flatMap((each) => each.runs ?? [])
    const own = runs.filter((run) => run.name === name && run.id === id)
    if (own.some(({ state }) => state !== 'waiting' && state !== 'failed')) return undefined
    return own.find(({ problem }) => problem !== undefined)?.problem
  }

  /** Whether all that should keep an instance up to date have given up. */
  isSetAside({ name, id }: Pick<RunningInstance, 'name' | 'id'>): boolean {
    const own = (this.#living ?? []).flatMap(({ runs = [] }) =>
      runs.filter((run) => run.name === name && run.id === id),
    )
    return own.length > 0 && own.every(({ state }) => state === 'failed')
  }

  /** What importers of a log generation read, where from and why. */
  streams(generation: number): ImportedStream[] {
    return this.#importers(generation).flatMap(({ host, pid, imports: { stream } }) =>
      stream === undefined ? [] : [{ process: `${host}:${pid}`, ...stream }],
    )
  }

  /** Those at work. */
  #importers(generation: number): Importer[] {
    return (this.#living ?? []).flatMap((process) => {
      const { imports } = process
      return imports === undefined || imports.standby || imports.generation !== generation
        ? []
        : [{ ...process, imports }]
    })
  }

  async follow(control: ControlStore, signal: AbortSignal): Promise<void> {
    const processes = new LivingProcesses(control)
    while (!signal.aborted) {
      try {
        this.#living = await inTime(processes.read(), timeoutMs, 'The store of the plan')
      } catch {
        // It is the store of the read models, too, and readiness says why that is away.
        this.#living = undefined
      }
      await rest(intervalMs, signal)
    }
  }
}

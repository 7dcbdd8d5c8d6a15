import { type Deployment, projectionOf, schemaOf } from '#src/cli/verbs/projections/deployment.ts'
import { ownerOf, processLabel, serversOf } from '#src/cli/verbs/projections/processes.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { instancesOf, type NamedInstance } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { PresenceWatch, type PresentProcess } from '#src/operations/presence.ts'
import type { LogHead } from '#src/ports/message-log.ts'
import type { Checkpoint, RowReader } from '#src/ports/read-store.ts'

/** Where one instance of a read model stands, and who works on it. */
export interface InstanceStatus {
  readonly name: string
  /** Version, with the number of the build behind a dot where it is not the first. */
  readonly id: string
  readonly version: number
  readonly build: number
  readonly generation: number
  readonly serving: boolean
  readonly state: 'built' | 'building'
  readonly paused: boolean
  /** Sequence up to which rows are durable; null where this code cannot read the instance. */
  readonly position: number | null
  /** Newest sequence of its log generation. */
  readonly head: number
  readonly lagEvents: number | null
  /** Ledger time between the newest event of the log and the newest one folded. */
  readonly lagSeconds: number | null
  /** Since the position last moved while behind, as far as this verb has watched it; 0 at the head. */
  readonly stalledSeconds: number | null
  /** As its owner says, or as this verb has seen; null when neither is known. */
  readonly eventsPerSecond: number | null
  readonly parked: number | null
  readonly owner: OwnerStatus | null
  /** Processes whose answers come from it. */
  readonly servedBy: readonly string[]
}

export interface OwnerStatus {
  readonly process: string
  readonly role: string
  readonly epoch: number | null
  readonly codeVersion: string
  readonly state: string
  readonly problem: string | null
}

export interface ProcessStatus {
  readonly process: string
  readonly role: string
  readonly codeVersion: string
  readonly startedAt: string
  readonly serves: Readonly<Record<string, string>>
  readonly knows: Readonly<Record<string, readonly number[]>>
}

export interface DeploymentStatus {
  readonly generation: number
  readonly instances: readonly InstanceStatus[]
  readonly processes: readonly ProcessStatus[]
}

interface Movement {
  readonly position: number
  /** When it was first seen there. */
  readonly atMs: number
  /** Of the look before this one. */
  readonly seenPosition: number
  readonly seenMs: number
}

/** Asks plan, log, store and processes where every instance stands; what it saw before tells rates and standstills. */
export class StatusMeter {
  readonly #deployment: Deployment
  readonly #watch: PresenceWatch
  readonly #readers = new Map<string, RowReader>()
  readonly #movements = new Map<string, Movement>()

  constructor(deployment: Deployment) {
    this.#deployment = deployment
    this.#watch = new PresenceWatch({ control: deployment.control, now: () => performance.now() })
  }

  async measure(): Promise<DeploymentStatus> {
    const plan = await readPlan(this.#deployment.control)
    const processes = await this.#livingProcesses()
    const instances: InstanceStatus[] = []
    for (const instance of instancesOf(plan)) instances.push(await this.#measureOne(instance, processes))
    return { generation: plan.generation, instances, processes: processes.map(processStatus) }
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.values()) await reader.close()
    this.#readers.clear()
  }

  /** Where it is looked at once, the age of the last beat has to do; later looks see whether it moves. */
  async #livingProcesses(): Promise<PresentProcess[]> {
    const recentMs = 10_000
    return (await this.#watch.read()).filter(({ alive, beatAt }) => alive && Date.now() - Date.parse(beatAt) < recentMs)
  }

  async #measureOne(instance: NamedInstance, processes: readonly PresentProcess[]): Promise<InstanceStatus> {
    const { name, id, version, build, generation, serving, state, paused } = instance
    const head = await (await this.#deployment.log(generation)).head()
    const reader = await this.#readerOf(instance)
    const checkpoint = await reader?.checkpoint()
    const runner = ownerOf(processes, name, id)
    const position = reader === undefined ? (runner?.run.position ?? null) : (checkpoint?.position ?? 0)
    const movement = position === null ? undefined : this.#move(`${name}@${id}`, position, head.sequence)
    return {
      name,
      id,
      version,
      build,
      generation,
      serving,
      state,
      paused,
      position,
      head: head.sequence,
      lagEvents: position === null ? null : Math.max(0, head.sequence - position),
      lagSeconds: reader === undefined ? null : lagSecondsOf(checkpoint, head),
      stalledSeconds: movement?.stalledSeconds ?? null,
      eventsPerSecond: runner === undefined ? (movement?.eventsPerSecond ?? null) : runner.run.eventsPerSecond,
      parked: reader === undefined || checkpoint === undefined ? null : await reader.parkedCount(),
      owner:
        runner === undefined
          ? null
          : {
              process: processLabel(runner.process),
              role: runner.process.role,
              epoch: runner.run.epoch,
              codeVersion: runner.process.codeVersion,
              state: runner.run.state,
              problem: runner.run.problem ?? null,
            },
      servedBy: serversOf(processes, name, id).map(processLabel),
    }
  }

  #move(key: string, position: number, head: number) {
    const atMs = performance.now()
    const before = this.#movements.get(key)
    const stands = before !== undefined && before.position === position && position < head
    const since = stands ? before.atMs : atMs
    this.#movements.set(key, { position, atMs: since, seenPosition: position, seenMs: atMs })
    const seconds = before === undefined ? 0 : (atMs - before.seenMs) / 1_000
    return {
      stalledSeconds: (atMs - since) / 1_000,
      eventsPerSecond: before === undefined || seconds === 0 ? null : (position - before.seenPosition) / seconds,
    }
  }

  /** undefined for a version that this code does not know. */
  async #readerOf(instance: NamedInstance): Promise<RowReader | undefined> {
    const key = `${instance.name}@${instance.id}`
    const open = this.#readers.get(key)
    if (open !== undefined) return open
    if (!isKnown(instance)) return undefined
    const reader = await this.#deployment.store.openReader(schemaOf(instance.name, instance))
    this.#readers.set(key, reader)
    return reader
  }
}

function isKnown({ name, version }: NamedInstance): boolean {
  try {
    projectionOf(name, version)
    return true
  } catch (error) {
    if (isLedgerError(error, 'version_unknown')) return false
    throw error
  }
}

function lagSecondsOf(checkpoint: Checkpoint | undefined, { sequence, time = 0n }: LogHead): number | null {
  if (checkpoint === undefined) return null
  if (checkpoint.position >= sequence) return 0
  return Math.max(0, Number((time - checkpoint.time) / 1_000_000n) / 1_000)
}

function processStatus({ role, codeVersion, startedAt, serves, knows, ...process }: PresentProcess): ProcessStatus {
  return {
    process: processLabel({ role, codeVersion, startedAt, ...process }),
    role,
    codeVersion,
    startedAt,
    serves: serves ?? {},
    knows: knows ?? {},
  }
}

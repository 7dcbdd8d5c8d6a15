import { errorCatalogue, isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { LivingProcesses } from '#src/operations/living-processes.ts'
import { instancesOf, type NamedInstance } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import type { PresentProcess } from '#src/operations/presence.ts'
import { ownerOf, problemOf, processLabel, serversOf } from '#src/operations/processes.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { LogHead, MessageLog } from '#src/ports/message-log.ts'
import type { ProjectionSchema, ReadStore, RowReader } from '#src/ports/read-store.ts'
import { inTime } from '#src/runtime/process/in-time.ts'
import { etaOf, LagMeter } from '#src/runtime/watch/lag-meter.ts'

const headTimeoutMs = 5_000

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
  /** Whether a rollback took it out of service. */
  readonly rolledBack: boolean
  /** Sequence up to which rows are durable; null where this code cannot read the instance. */
  readonly position: number | null
  /** Newest sequence of its log generation; null while the log does not answer. */
  readonly head: number | null
  readonly lagEvents: number | null
  /** Ledger time between the newest event of the log and the newest one folded; null before the first block is folded. */
  readonly lagSeconds: number | null
  /** Since the position last moved while behind, as far as this verb has watched it; 0 at the head and while paused. */
  readonly stalledSeconds: number | null
  /** As its owner says, or as this verb has seen; null when neither is known. */
  readonly eventsPerSecond: number | null
  /** What is left at that rate; null where that is unknown, or nothing is left. */
  readonly etaSeconds: number | null
  readonly parked: number | null
  readonly owner: OwnerStatus | null
  /** Why a process that should keep it up to date does not; null where none says so. */
  readonly problem: string | null
  /** Processes whose answers come from it. */
  readonly servedBy: readonly string[]
}

export interface OwnerStatus {
  readonly process: string
  readonly role: string
  readonly epoch: number | null
  readonly codeVersion: string
  readonly state: string
}

export interface ProcessStatus {
  readonly process: string
  readonly role: string
  readonly codeVersion: string
  readonly startedAt: string
  /** Where it answers requests; null where it does not. */
  readonly port: number | null
  readonly serves: Readonly<Record<string, string>>
  readonly knows: Readonly<Record<string, readonly number[]>>
}

export interface DeploymentStatus {
  readonly generation: number
  readonly instances: readonly InstanceStatus[]
  readonly processes: readonly ProcessStatus[]
  /** Why figures are missing: what the logs say that do not answer. */
  readonly problems: readonly string[]
  /** Log generations that are lost or damaged: no wait brings them back. */
  readonly brokenLogs: readonly number[]
}

export interface StatusMeterOptions {
  readonly control: ControlStore
  readonly store: ReadStore
  readonly log: (generation: number) => Promise<MessageLog>
  /** Where the rows of an instance are; undefined for a version that this code does not know. */
  readonly schemaOf: (instance: NamedInstance) => ProjectionSchema | undefined
}

/** Asks plan, log, store and processes where every instance stands; what it saw before tells rates and standstills. */
export class StatusMeter {
  readonly #options: StatusMeterOptions
  readonly #processes: LivingProcesses
  readonly #readers = new Map<string, RowReader>()
  readonly #meter = new LagMeter(() => performance.now())

  constructor(options: StatusMeterOptions) {
    this.#options = options
    this.#processes = new LivingProcesses(options.control)
  }

  async measure(): Promise<DeploymentStatus> {
    const plan = await readPlan(this.#options.control)
    const processes = await this.#processes.read()
    const planned = instancesOf(plan)
    const heads = new Map<number, LogHead | LedgerError>()
    const generations = new Set(planned.map(({ generation }) => generation))
    await Promise.all([...generations].map(async (each) => heads.set(each, await this.#headOf(each))))
    const instances: InstanceStatus[] = []
    for (const instance of planned) {
      const rolledBack = plan.readModels[instance.name]?.rolledBack === instance.id
      const head = heads.get(instance.generation)
      const known = head instanceof LedgerError ? undefined : head
      instances.push({ ...(await this.#measureOne(instance, processes, known)), rolledBack })
    }
    const problems = [...heads.values()].flatMap((head) => (head instanceof LedgerError ? [head.message] : []))
    const brokenLogs = [...heads].flatMap(([each, head]) => (isBroken(head) ? [each] : []))
    return { generation: plan.generation, instances, processes: processes.map(processStatus), problems, brokenLogs }
  }

  /** Where instances stand is worth knowing although the log is away. */
  async #headOf(generation: number): Promise<LogHead | LedgerError> {
    const ask = async (): Promise<LogHead> => (await this.#options.log(generation)).head()
    try {
      return await inTime(ask(), headTimeoutMs, `Log generation ${generation}`)
    } catch (error) {
      if (isLedgerError(error) && (error.code === 'unavailable' || error.code.startsWith('log_'))) return error
      throw error
    }
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.values()) await reader.close()
    this.#readers.clear()
  }

  async #measureOne(
    instance: NamedInstance,
    processes: readonly PresentProcess[],
    head: LogHead | undefined,
  ): Promise<Omit<InstanceStatus, 'rolledBack'>> {
    const { name, id, version, build, generation, serving, state, paused } = instance
    const reader = await this.#readerOf(instance)
    const checkpoint = await reader?.checkpoint()
    const runner = ownerOf(processes, name, id)
    const position = reader === undefined ? (runner?.run.position ?? null) : (checkpoint?.position ?? 0)
    const sighting = { position: position ?? undefined, time: checkpoint?.time, head, paused }
    const lag = this.#meter.measure(`${name}@${id}`, sighting)
    const eventsPerSecond = runner?.run.eventsPerSecond ?? lag.eventsPerSecond
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
      head: head?.sequence ?? null,
      lagEvents: lag.lagEvents,
      lagSeconds: lag.lagSeconds,
      stalledSeconds: lag.lagEvents === null ? null : lag.stalledSeconds,
      eventsPerSecond,
      etaSeconds: etaOf(lag.lagEvents, eventsPerSecond),
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
            },
      problem: runner === undefined ? problemOf(processes, name, id) : (runner.run.problem ?? null),
      servedBy: serversOf(processes, name, id).map(processLabel),
    }
  }

  /** undefined for a version that this code does not know. */
  async #readerOf(instance: NamedInstance): Promise<RowReader | undefined> {
    const key = `${instance.name}@${instance.id}`
    const open = this.#readers.get(key)
    if (open !== undefined) return open
    const schema = this.#options.schemaOf(instance)
    if (schema === undefined) return undefined
    const reader = await this.#options.store.openReader(schema)
    this.#readers.set(key, reader)
    return reader
  }
}

function isBroken(head: LogHead | LedgerError): boolean {
  return head instanceof LedgerError && errorCatalogue[head.code].disposition === 'stop'
}

function processStatus({ role, codeVersion, startedAt, serves, knows, ...process }: PresentProcess): ProcessStatus {
  return {
    process: processLabel({ role, codeVersion, startedAt, ...process }),
    role,
    codeVersion,
    startedAt,
    port: process.port ?? null,
    serves: serves ?? {},
    knows: knows ?? {},
  }
}

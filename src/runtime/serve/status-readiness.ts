import { isLedgerError } from '#src/domain/errors.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { decisionsGeneration, isPaused } from '#src/operations/plan.ts'
import type { ScrubRecord } from '#src/operations/scrubs.ts'
import { rest } from '#src/ports/clock.ts'
import type { LogHead } from '#src/ports/message-log.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'
import { inTime } from '#src/runtime/process/in-time.ts'
import { FillingRates, fillingError, fillingText } from '#src/runtime/serve/filling.ts'
import type { GenerationEnd, Instant } from '#src/runtime/serve/instant.ts'
import { isOfOtherLog, otherLog } from '#src/runtime/serve/rows-of-log.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'
import type { ServedModels } from '#src/runtime/serve/served-models.ts'
import { type Lag, LagMeter } from '#src/runtime/watch/lag-meter.ts'
import type { KnownHead, LogHeads } from '#src/runtime/watch/log-heads.ts'
import { formatCount, formatLag } from '#src/runtime/watch/status.ts'

export interface ServingWatchOptions {
  readonly models: Pick<ServedModels, 'plan' | 'serving' | 'problem'>
  /** Read models of the ledger that must be served. */
  readonly names: readonly string[]
  readonly heads: LogHeads
  /** What answers of the process are as of. */
  readonly instant?: Instant
  /** How far behind the log, in ledger time, a read model may be; and how long it may stand still while behind. */
  readonly lagBudgetSeconds: number
  /** What whoever should keep an instance up to date says that it waits for, or failed of. */
  readonly troubleOf?: (model: ServedModel) => string | undefined
  /** What the last whole reading of its rows came to. */
  readonly scrubOf?: (model: ServedModel) => ScrubRecord | undefined
  /** How old the newest answer of the log may be. */
  readonly headAgeMaxSeconds?: number
  /** Milliseconds of a clock that only goes forwards. */
  readonly now: () => number
}

/** One served read model. Null: not known, since the log or the store does not answer. */
export interface ReadModelReadiness {
  readonly name: string
  /** Id of the instance that answers requests. */
  readonly instance: string
  readonly version: number
  readonly build: number
  readonly generation: number
  readonly ready: boolean
  /** It is built for the first time and has not been near the end of the log: its endpoints say how far it is. */
  readonly filling: boolean
  /** An operator stopped it: it goes on answering, and gets older. */
  readonly paused: boolean
  /** It is behind what the other answers of the process are as of, and not waited for: its own answers say how old they are. */
  readonly leftOut: boolean
  readonly position: number | null
  readonly lagEvents: number | null
  /** Null also before its first block is folded. */
  readonly lagSeconds: number | null
  /** Since the position last moved while behind; 0 at the head and while paused. */
  readonly stalledSeconds: number
  /** When all of its rows were read last, how many there were, and whether they were as they were written; null before the first time. */
  readonly scrubbed: { readonly at: string; readonly rows: number; readonly whole: boolean } | null
}

export interface LedgerReadiness {
  readonly [detail: string]: unknown
  /** True when every read model that is not filling is served, built and, unless paused, within its budget of a head that is known; and one is. */
  readonly ready: boolean
  /** Sentences that say what is not as it should be; empty when ready. */
  readonly reasons: readonly string[]
  /** Generation of the log that serves, its newest sequence and its time, and how long ago it told them. */
  readonly generation: number
  readonly head: number | null
  readonly headTime: string | null
  readonly headAgeSeconds: number | null
  /** Names of the read models that are built for the first time, beside those that answer. */
  readonly filling: readonly string[]
  /** Names of those that an operator has paused: no reason to ask another process, which would answer the same. */
  readonly paused: readonly string[]
  /** End of the block that answers are as of; null before one is known. */
  readonly asOf: string | null
  /** Names of those whose answers are older than that. */
  readonly leftOut: readonly string[]
  readonly readModels: readonly ReadModelReadiness[]
}

interface MeasuredModel {
  readonly readModel: ReadModelReadiness
  /** Why it is not ready; empty when it is, or when only the head is unknown. */
  readonly reasons: readonly string[]
  /** Those of them that count also while it fills beside others that answer. */
  readonly troubles: readonly string[]
}

/** What stands still for less may only wait for its turn. */
const stuckSeconds = 3

const storeTimeoutMs = 2_000
const intervalMs = 1_000

/** Compares every served read model with the true head of its log. */
export class ServingWatch {
  readonly #options: ServingWatchOptions
  readonly #headAgeMaxSeconds: number
  readonly #rates = new FillingRates()
  readonly #meter: LagMeter
  #measuring: Promise<LedgerReadiness> | undefined

  constructor(options: ServingWatchOptions) {
    this.#options = options
    this.#headAgeMaxSeconds = options.headAgeMaxSeconds ?? 10
    this.#meter = new LagMeter(options.now)
  }

  /** Measures now and then until the signal, so that standing still shows however seldom somebody asks. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.measure()
      await rest(intervalMs, signal)
    }
  }

  /** Never rejects, and takes a few seconds at most. Who asks meanwhile gets the same answer. */
  measure(): Promise<LedgerReadiness> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined
    })
    return this.#measuring
  }

  /** Throws `filling` while the read model is not near the end of the log, with how far it is; measures it before. */
  async assertFilled(model: ServedModel): Promise<void> {
    const { readModels, head } = await this.measure()
    if (!model.filling) return
    const measured = readModels.find(({ name, instance }) => name === model.name && instance === model.id)
    const figures = { position: measured?.position ?? 0, head }
    throw fillingError(model, figures, this.#rates.retryAfterSeconds(model, figures, this.#options.now()))
  }

  async #measure(): Promise<LedgerReadiness> {
    const { models, names, heads } = this.#options
    const { serving, plan } = models
    const generation = plan?.generation ?? 1
    const generations = new Set([generation, ...serving.map((model) => model.generation)])
    heads.keepOnly(generations)
    const known = new Map<number, KnownHead>()
    await Promise.all([...generations].map(async (each) => known.set(each, await heads.ask(each))))
    const reasons: string[] = models.problem === undefined ? [] : [models.problem]
    for (const each of generations)
      if (each !== decisionsGeneration) reasons.push(...this.#headReasons(each, known.get(each)!))
    const missing = names.filter((name) => !serving.some((model) => model.name === name))
    reasons.push(...missing.map((name) => `${name} is not served`))
    const measured = await Promise.all(
      serving.map((model) => {
        const { identity, ...head } = known.get(model.generation)!
        if (isOfOtherLog(model, identity)) model.markDamaged(otherLog(model))
        return this.#measureModel(model, this.#recent(head))
      }),
    )
    // The status page is told of, but keeps nobody from asking about the ledger, nor makes up for it.
    const ofLedger = measured.filter(({ readModel }) => readModel.generation !== decisionsGeneration)
    const answering = ofLedger.filter(({ readModel }) => !readModel.filling)
    // What fills beside others keeps nobody from asking those.
    reasons.push(...(answering.length > 0 ? answering : ofLedger).flatMap((each) => each.reasons))
    // What was answered before, or does not get any further, is no mere beginning.
    const troubled = answering.length > 0 ? ofLedger.filter(({ readModel }) => readModel.filling) : []
    reasons.push(...troubled.flatMap(({ troubles }) => troubles))
    const filling = measured.flatMap(({ readModel }) => (readModel.filling ? [readModel.name] : []))
    if (answering.length === 0 && filling.length > 0 && reasons.length === 0)
      reasons.push('No read model is filled yet')
    this.#meter.keepOnly(new Set(serving.map(keyOf)))
    const { head, ageSeconds } = known.get(generation)!
    const newest = this.#options.instant?.newest
    return {
      ready: reasons.length === 0,
      reasons,
      generation,
      head: head?.sequence ?? null,
      // 0 before the first block.
      headTime: head?.time ? formatLedgerTime(head.time) : null,
      headAgeSeconds: ageSeconds,
      filling,
      paused: measured.flatMap(({ readModel }) => (readModel.paused ? [readModel.name] : [])),
      asOf: newest === undefined ? null : formatLedgerTime(newest.time),
      leftOut: measured.flatMap(({ readModel }) => (readModel.leftOut ? [readModel.name] : [])),
      readModels: measured.map(({ readModel }) => readModel),
    }
  }

  /** A head that is too old tells nothing of the lag: it would read zero while the log goes on. */
  #recent({ head, ageSeconds }: Pick<KnownHead, 'head' | 'ageSeconds'>): LogHead | undefined {
    return ageSeconds !== null && ageSeconds <= this.#headAgeMaxSeconds ? head : undefined
  }

  #headReasons(generation: number, known: KnownHead): string[] {
    if (this.#recent(known) !== undefined) return []
    const since = known.ageSeconds === null ? 'yet' : `since ${Math.round(known.ageSeconds)} s`
    return [`The head of log generation ${generation} is not known ${since}: ${known.problem ?? 'it was not asked'}`]
  }

  async #measureModel(model: ServedModel, head: LogHead | undefined): Promise<MeasuredModel> {
    const { lagBudgetSeconds, models } = this.#options
    const { name, id: instance, version, build, generation } = model
    const reasons: string[] = []
    // Asked before the read model is: what it has not reached then, it is behind.
    const asOf = this.#options.instant?.newest
    const label = `${name} ${instance}`
    const checkpoint = await checkpointOf(model, label, reasons)
    const figures = { position: checkpoint?.position ?? 0, head: head?.sequence ?? null }
    const troubles = damageReasons(model, label)
    const isIntact = troubles.length === 0
    if (model.lost && isIntact) troubles.push(`${fillingText(model, figures)}; its endpoints answer 503 until it is`)
    const wasNeverBuilt = checkpoint === undefined && isIntact && reasons.length === 0
    // Where nothing was decided yet there is nothing to build.
    const isEmpty = generation === decisionsGeneration && head?.sequence === 0
    if (wasNeverBuilt && !isEmpty) reasons.push(`${label} was never built`)
    const position = checkpoint?.position ?? null
    const paused = isPaused(models.plan, name, instance)
    // What was never built stands before the first event, and may stand there for too long.
    const sighting = { position: position ?? (wasNeverBuilt ? 0 : undefined), time: checkpoint?.time, head, paused }
    const lag = this.#meter.measure(keyOf(model), sighting)
    const { stalledSeconds } = lag
    const { lagEvents, lagSeconds } = position === null ? { lagEvents: null, lagSeconds: null } : lag
    if (head !== undefined && position !== null && position > head.sequence) {
      reasons.push(
        `${label} stands at event ${position}, but the log ends at ${head.sequence}: they do not belong together`,
      )
    }
    if (!paused) reasons.push(...lateReasons(label, { lagEvents, lagSeconds, stalledSeconds }, lagBudgetSeconds))
    if (model.filling && isIntact) troubles.push(...this.#stuckReasons(model, label, stalledSeconds))
    const isNear = head !== undefined && isIntact && reasons.length === 0
    // Nothing is missing where there is nothing to fold.
    if ((isNear && !paused) || head?.sequence === 0) model.markFilled()
    const ready = isNear && !model.filling
    const readModel = {
      name,
      instance,
      version,
      build,
      generation,
      ready,
      filling: model.filling,
      paused,
      leftOut: isLeftOut(model, checkpoint, asOf),
      position,
      lagEvents,
      lagSeconds,
      stalledSeconds,
      scrubbed: scrubbedOf(this.#options.scrubOf?.(model)),
    }
    return { readModel, reasons: [...reasons, ...troubles], troubles }
  }

  /** Why what is built for the first time, or again, does not get any further. */
  #stuckReasons(model: ServedModel, label: string, stalledSeconds: number): string[] {
    const trouble = stalledSeconds < stuckSeconds ? undefined : this.#options.troubleOf?.(model)
    if (trouble !== undefined) return [`${label} is not built any further: ${trouble}`]
    if (stalledSeconds <= this.#options.lagBudgetSeconds) return []
    const since = formatLag(stalledSeconds, 0)
    return [
      `${label} is not built any further since ${since}; whether a process projects, and what its log says, tells why`,
    ]
  }
}

/** What fills answers not at all, and the status page is of no block. */
function isLeftOut(
  { filling, generation }: ServedModel,
  checkpoint: Checkpoint | undefined,
  asOf: GenerationEnd | undefined,
): boolean {
  if (asOf === undefined || filling || generation === decisionsGeneration) return false
  return (checkpoint?.whole?.time ?? 0n) < asOf.time
}

function scrubbedOf(record: ScrubRecord | undefined): ReadModelReadiness['scrubbed'] {
  return record === undefined ? null : { at: record.endedAt, rows: record.rows, whole: record.damage === undefined }
}

function damageReasons({ damage }: ServedModel, label: string): string[] {
  return damage === undefined ? [] : [`${label} cannot be answered from: ${damage.message}`]
}

async function checkpointOf(model: ServedModel, label: string, reasons: string[]): Promise<Checkpoint | undefined> {
  if (model.damage !== undefined) return undefined
  try {
    return await inTime(model.reader.checkpoint(), storeTimeoutMs, `The store of ${label}`)
  } catch (error) {
    if (isLedgerError(error, 'store_damaged')) model.markDamaged(error)
    reasons.push(`${label} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function keyOf({ name, id }: ServedModel): string {
  return `${name}@${id}`
}

/** Why what is not paused is too late; what cannot be told has a reason of its own. */
function lateReasons(
  label: string,
  { lagEvents, lagSeconds, stalledSeconds }: Pick<Lag, 'lagEvents' | 'lagSeconds' | 'stalledSeconds'>,
  budgetSeconds: number,
): string[] {
  const reasons: string[] = []
  const behind = lagEvents === null ? 'was behind when that could last be told' : `is ${counted(lagEvents)} behind`
  if (lagEvents !== null && lagEvents > 0 && lagSeconds === null)
    reasons.push(`${label} has folded no block yet; the log is ${counted(lagEvents)} ahead`)
  if (lagSeconds !== null && lagSeconds > budgetSeconds)
    reasons.push(`${label} is ${counted(lagEvents!)} and ${formatLag(lagSeconds, 0)} of ledger time behind the log`)
  if (stalledSeconds > budgetSeconds)
    reasons.push(`${label} ${behind} and has not moved for ${formatLag(stalledSeconds, 0)}`)
  return reasons
}

function counted(events: number): string {
  return `${formatCount(events)} ${events === 1 ? 'event' : 'events'}`
}

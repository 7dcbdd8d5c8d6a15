import { compareVersions, type SemanticVersion } from '#src/domain/semantic-version.ts'
import { blockStreamVersion, type LastBlock } from '#src/importer/state/last-block.ts'

/** What a network writes: record files, or blocks. */
export type Stream = 'records' | 'blocks'

export interface CutoverSettings {
  /** `cutover`: records until the network writes blocks. */
  readonly stream: Stream | 'cutover'
  /** How long nothing new may come before the other stream is tried, milliseconds. */
  readonly thresholdMs: number
  /** From this version of the ledger's API on blocks are expected. */
  readonly hapiVersion: SemanticVersion
  /** From this version on wrapped record files are read instead of files; undefined: never. */
  readonly wrappedFrom?: SemanticVersion | undefined
  readonly now: () => number
}

export interface StreamChoice {
  readonly stream: Stream
  /** Milliseconds since the epoch. */
  readonly since: number
  /** For people. */
  readonly why: string
  /** What would change it; undefined where nothing does. */
  readonly waitsFor: string | undefined
}

type Last = Pick<LastBlock, 'version' | 'hapiVersion' | 'time'>

/** Before the version that blocks are expected from, silence has other reasons more often. */
const patienceBefore = 2.5
/** How long wrapped files are read before their pace is judged, and how far they may fall behind the ledger, milliseconds. */
const paceAfterMs = 10_000
const paceLagMs = 4_000

/**
 * Decides which stream is read next, one at a time, so that the log has one writer throughout. Final once a real block is in
 * the log. Until then silence makes it try the other one, in turns.
 */
export class Cutover {
  readonly #settings: CutoverSettings
  #choice: StreamChoice
  /** When something new came last, or another stream was tried. */
  #quietSince: number
  #advancedAt: number
  #lastRun: { readonly stream: Stream; readonly advanced: boolean } | undefined
  /** Where the reading of wrapped files began: wall clock and consensus time (ns). */
  #pace: { readonly startedAt: number; readonly from: bigint } | undefined

  constructor(settings: CutoverSettings) {
    this.#settings = settings
    this.#quietSince = settings.now()
    this.#advancedAt = this.#quietSince
    const stream = settings.stream === 'blocks' ? 'blocks' : 'records'
    this.#choice = { stream, since: settings.now(), why: 'as set', waitsFor: undefined }
  }

  /** As decided last. */
  get choice(): StreamChoice {
    return this.#choice
  }

  /** Whether the choice cannot change any more. */
  isFinal(last: Last | undefined): boolean {
    return this.#settings.stream !== 'cutover' || isBlock(last)
  }

  /** The stream to read next. */
  next(last: Last | undefined): Stream {
    if (this.#settings.stream !== 'cutover') return this.#choice.stream
    if (isBlock(last)) this.#choose('blocks', 'the log ends with a block of the block stream', undefined)
    else if (last && this.#readsWrapped(last)) this.#chooseWrapped(last)
    else this.#chooseBySilence(last)
    return this.#choice.stream
  }

  /** To be told after each attempt with a stream. */
  passed(stream: Stream, advanced: boolean): void {
    this.#lastRun = { stream, advanced }
    if (advanced) this.advanced()
  }

  /** To be told of everything new, since an attempt may last for long. */
  advanced(): void {
    this.#quietSince = this.#settings.now()
    this.#advancedAt = this.#quietSince
  }

  /**
   * Since when nothing new came (milliseconds since the epoch), once that made it try another stream. Blocks come also of a
   * network in which nothing happens, so without them it is quiet as well where there is no other stream to try. undefined
   * while all is well.
   */
  get quietSince(): number | undefined {
    const isTrying = this.#quietSince !== this.#advancedAt
    const lacksBlocks =
      this.#choice.stream === 'blocks' && this.#settings.now() - this.#advancedAt >= this.#settings.thresholdMs
    return isTrying || lacksBlocks ? this.#advancedAt : undefined
  }

  /** How long an attempt may last before the choice is looked at again, milliseconds; undefined: for good. */
  passMs(last: Last | undefined): number | undefined {
    if (this.isFinal(last)) return undefined
    return last && this.#readsWrapped(last) ? paceAfterMs : this.#settings.thresholdMs
  }

  /** Of fixed sets: whether the other stream has its turn when this one is used up. */
  turnsAtEnd(stream: Stream, last: Last | undefined): boolean {
    if (stream === 'blocks' || this.isFinal(last)) return false
    this.#choose('blocks', 'the record files are used up', undefined)
    return true
  }

  #choose(stream: Stream, why: string, waitsFor: string | undefined): void {
    const before = this.#choice
    if (stream === before.stream && why === before.why && waitsFor === before.waitsFor) return
    const since = stream === before.stream ? before.since : this.#settings.now()
    this.#choice = { stream, since, why, waitsFor }
  }

  #readsWrapped({ hapiVersion }: Last): boolean {
    const { wrappedFrom } = this.#settings
    return wrappedFrom !== undefined && hapiVersion !== undefined && compareVersions(hapiVersion, wrappedFrom) >= 0
  }

  /** Wrapped files first; where they bring nothing or come too slowly, record files for one run. */
  #chooseWrapped({ time }: Last): void {
    const run = this.#lastRun
    this.#lastRun = undefined
    const isStuck = run?.stream === 'blocks' && !run.advanced
    const isSlow = run?.stream === 'blocks' && this.#isTooSlow(time)
    if (isStuck || isSlow) {
      this.#pace = undefined
      const why = isStuck
        ? 'wrapped record files bring nothing new'
        : 'wrapped record files come more slowly than the ledger goes on'
      this.#choose('records', why, 'one look at the record files')
    } else {
      this.#pace ??= { startedAt: this.#settings.now(), from: time }
      this.#choose('blocks', 'wrapped record files are wanted', 'the first block that wraps none')
    }
  }

  #isTooSlow(time: bigint): boolean {
    if (!this.#pace) return false
    const elapsed = this.#settings.now() - this.#pace.startedAt
    const processed = Number((time - this.#pace.from) / 1_000_000n)
    return elapsed >= paceAfterMs && elapsed > paceLagMs + processed
  }

  #chooseBySilence(last: Last | undefined): void {
    const { now, thresholdMs } = this.#settings
    const patience = this.#isExpected(last) ? thresholdMs : thresholdMs * patienceBefore
    const waitsFor = `${patience / 1_000} s without anything new`
    const quietMs = now() - this.#quietSince
    const isRecords = this.#choice.stream === 'records'
    if (quietMs < patience)
      this.#choose(this.#choice.stream, isRecords ? 'record files come' : this.#choice.why, waitsFor)
    if (quietMs < patience) return
    this.#quietSince = now()
    const [other, name] = isRecords ? (['blocks', 'record file'] as const) : (['records', 'block'] as const)
    this.#choose(other, `no ${name} for ${Math.round(quietMs / 1_000)} s`, waitsFor)
  }

  #isExpected(last: Last | undefined): boolean {
    return last?.hapiVersion !== undefined && compareVersions(last.hapiVersion, this.#settings.hapiVersion) >= 0
  }
}

function isBlock(last: Last | undefined): boolean {
  return last !== undefined && last.version >= blockStreamVersion
}

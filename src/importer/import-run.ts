import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { BlockImport, type BlockImportOptions } from '#src/importer/block-stream/block-import.ts'
import { LedgerTrust } from '#src/importer/block-stream/ledger-trust.ts'
import { Cutover, type Stream } from '#src/importer/cutover/cutover.ts'
import { noBlockInput, recordsAreOver, sourceQuiet } from '#src/importer/cutover/stream-problems.ts'
import { isFileProblem } from '#src/importer/file-problems.ts'
import { ProblemLog } from '#src/importer/problem-log.ts'
import { Publisher } from '#src/importer/publish/publisher.ts'
import { RecordImport } from '#src/importer/record-stream/record-import.ts'
import type { ImportSession } from '#src/importer/session.ts'
import type { ImporterOptions, ImporterSettings, ImportSummary } from '#src/importer/settings.ts'
import { blockStreamVersion } from '#src/importer/state/last-block.ts'
import type { PassOutcome, StreamImport } from '#src/importer/stream-import.ts'
import { CurrentTrust } from '#src/importer/verify/trust.ts'

/** What has not come yet at the live edge is said only when it lasts this long. */
const lateGraceMs = 10_000
const lateCodes: ReadonlySet<string> = new Set(['consensus_missing', 'file_missing', 'source_empty'])

/** The import loop: one pass reads what is new in one stream and publishes what holds. */
export class ImportRun {
  readonly #options: ImporterOptions
  readonly #settings: ImporterSettings
  readonly #session: ImportSession
  readonly #publisher: Publisher
  readonly #problems: ProblemLog
  readonly #cutover: Cutover
  readonly #records: RecordImport
  /** Undefined where only record files are read. */
  readonly #blocks: BlockImport | undefined
  readonly #startedAt: number
  #problem: LedgerError | undefined
  #filesTotal: number | undefined
  /** Of the registered block nodes that are followed. */
  #nodesVersion: number | undefined

  constructor(options: ImporterOptions, settings: ImporterSettings, session: ImportSession) {
    const { clock, logger } = options
    const now = () => clock.now()
    this.#options = options
    this.#settings = settings
    this.#session = session
    this.#startedAt = now()
    this.#problems = new ProblemLog(logger, now)
    this.#publisher = new Publisher({ session, settings, now, onAppended: () => this.#report() })
    this.#cutover = new Cutover({
      ...settings,
      thresholdMs: settings.cutoverThresholdMs,
      hapiVersion: settings.cutoverVersion,
      now,
    })
    const shared = {
      ...options,
      settings,
      session,
      publisher: this.#publisher,
      problems: this.#problems,
      trust: new CurrentTrust(session.state, settings),
      now,
      onPublished: () => this.#published(),
    }
    this.#records = new RecordImport({ ...shared, onBeginning: () => this.#report() })
    this.#blocks = this.#newBlockImport(shared)
  }

  async loop(): Promise<void> {
    const { once, pollIntervalMs, stream } = this.#settings
    const { signal } = this.#options
    this.#report()
    if (stream === 'records') this.#assertRecordsGoOn()
    else this.#warnOfUnknownLedger()
    if (once && stream !== 'blocks') this.#filesTotal = await this.#records.countFiles()
    while (!signal?.aborted) {
      const stream = this.#chooseStream()
      const outcome = await this.#tryPass(stream)
      if (outcome === 'ended') return
      this.#cutover.passed(stream, outcome === 'advanced')
      if (outcome === 'advanced') continue
      if (signal?.aborted) return
      if (once && !this.#cutover.turnsAtEnd(stream, this.#session.state.lastBlock)) return this.#assertSomething(stream)
      if (!once) await this.#of(stream).waitForChange(pollIntervalMs)
    }
  }

  summary(): ImportSummary {
    const { blocks, transactions, bytes, firstBlock } = this.#publisher.counts
    const { lastBlock } = this.#session.state
    return {
      blocks,
      transactions,
      bytes,
      firstBlock,
      lastBlock: lastBlock?.number,
      lastTime: lastBlock?.time,
      warnings: { ...this.#problems.counts },
      durationMs: this.#options.clock.now() - this.#startedAt,
    }
  }

  #newBlockImport(shared: Omit<BlockImportOptions, 'supply' | 'checker' | 'ledgers' | 'onRefused'>) {
    const { blocks } = this.#options
    const { stream, network } = this.#settings
    if (stream === 'records') return undefined
    if (!blocks) throw noBlockInput()
    const { supply, checker, ledger } = blocks
    const ledgers = new LedgerTrust(network, ledger)
    return new BlockImport({ ...shared, supply, checker, ledgers, onRefused: (error) => this.#problems.warn(error) })
  }

  #chooseStream(): Stream {
    const before = this.#cutover.choice
    const stream = this.#cutover.next(this.#session.state.lastBlock)
    if (this.#cutover.choice !== before) this.#report()
    return stream
  }

  /** Only record files are read where there is nothing that reads blocks. */
  #of(stream: Stream): StreamImport {
    return stream === 'blocks' && this.#blocks ? this.#blocks : this.#records
  }

  async #tryPass(stream: Stream): Promise<PassOutcome> {
    const reader = this.#of(stream)
    const { once } = this.#settings
    this.#setProblem(this.#quietness(reader, this.#lastFailure(stream)) ?? this.#problem)
    try {
      const outcome = await reader.pass({ forMs: this.#cutover.passMs(this.#session.state.lastBlock) })
      const quiet = outcome === 'idle' ? this.#quietness(reader, undefined) : undefined
      this.#setProblem(quiet ?? (outcome === 'idle' && !once ? await reader.emptiness() : undefined))
      return outcome
    } catch (error) {
      // What is wrong with a file says nothing against the blocks before it, so the state is kept up to them. After any
      // other failure it stays as it was, and the next start brings it up to the end of the log.
      const mayPass = this.#mayPass(error, stream)
      if (mayPass) await this.#publisher.checkpoint()
      else await this.#publisher.flush()
      const { signal } = this.#options
      if (signal?.aborted && (error === signal.reason || mayPass)) return 'idle'
      if (!mayPass || (once && !this.#isTrial(stream))) throw error
      if (once) this.#options.logger.info({ err: error }, 'there are no blocks behind the record files')
      if (once) return 'idle'
      this.#setProblem(this.#quietness(reader, error) ?? error)
      return 'idle'
    }
  }

  /** Whether to try again: what is wrong with a file or a source, and all that is in the way of a stream that may not be there yet. */
  #mayPass(error: unknown, stream: Stream): error is LedgerError {
    return isFileProblem(error) || (isLedgerError(error, 'ledger_untrusted') && this.#isTrial(stream))
  }

  #isTrial(stream: Stream): boolean {
    return stream === 'blocks' && !this.#cutover.isFinal(this.#session.state.lastBlock)
  }

  /** That nothing new has come for long, what is tried therefore, and what came of it. */
  #quietness({ description }: StreamImport, cause: LedgerError | undefined): LedgerError | undefined {
    const { quietSince, choice } = this.#cutover
    if (quietSince === undefined) return undefined
    const quietMs = this.#options.clock.now() - quietSince
    const isFinal = this.#cutover.isFinal(this.#session.state.lastBlock)
    return sourceQuiet({ quietMs, choice, isFinal, from: description, cause })
  }

  /** What came of the last look at a stream that is tried because it is quiet. */
  #lastFailure(stream: Stream): LedgerError | undefined {
    const problem = this.#problem
    const isOfStream = isLedgerError(problem, 'source_quiet') && problem.details['stream'] === stream
    return isOfStream && isLedgerError(problem.cause) ? problem.cause : undefined
  }

  /** The ledger's own block nodes, as the log tells of them. */
  #followNodes(): void {
    const { blockNodes } = this.#session.state
    if (this.#nodesVersion === blockNodes.version) return
    this.#nodesVersion = blockNodes.version
    this.#options.blocks?.onRegistered?.(blockNodes)
  }

  #published(): void {
    this.#problem = undefined
    this.#cutover.advanced()
  }

  /** What keeps the import from going on, or that nothing does any more. */
  #setProblem(error: LedgerError | undefined): void {
    const lasts = error && this.#problems.block(error, lateCodes.has(error.code) ? lateGraceMs : 0)
    const problem = lasts ? error : undefined
    if (problem === this.#problem) return
    this.#problem = problem
    this.#report()
  }

  #report(): void {
    this.#followNodes()
    const { onProgress } = this.#options
    if (!onProgress) return
    const { blocks, transactions, bytes } = this.#publisher.counts
    const { head, state } = this.#session
    const { lastBlock, gapBlocks } = state
    onProgress({
      blocks,
      transactions,
      bytes,
      latestBlock: lastBlock?.number,
      latestTime: lastBlock?.time,
      head: head.sequence,
      gapBlocks,
      filesTotal: this.#filesTotal,
      stream: this.#cutover.choice,
      quietSince: this.#cutover.quietSince,
      problem: this.#problem,
      beginsLate: this.#records.beginsLate,
    })
  }

  /** A fixed set without a single file is a mistake in where to look. */
  async #assertSomething(stream: Stream): Promise<void> {
    const error = await this.#of(stream).emptiness()
    if (error) throw error
  }

  /** Before the first block comes, when there is time to do something about it. */
  #warnOfUnknownLedger(): void {
    const { network, stream, startBlockNumber } = this.#settings
    const { state } = this.#session
    if (this.#options.blocks?.ledger || state.document('ledger')) return
    if (stream === 'blocks' && !state.lastBlock && startBlockNumber === 0n) return
    this.#options.logger.warn(
      { network },
      `nothing says yet who signs for the network "${network}", no setting, not the log, nor what this version knows of it, so its blocks ` +
        'cannot be proved; name a file with the serialized ledger id publication with --ledger-publication, unless it is still to come with the record files',
    )
  }

  #assertRecordsGoOn(): void {
    const { lastBlock } = this.#session.state
    if (lastBlock && lastBlock.version >= blockStreamVersion) throw recordsAreOver(lastBlock)
  }
}

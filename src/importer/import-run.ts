import { LedgerError } from '#src/domain/errors.ts'
import { isFileProblem } from '#src/importer/file-problems.ts'
import { ProblemLog } from '#src/importer/problem-log.ts'
import { Publisher } from '#src/importer/publish/publisher.ts'
import { ReadAhead } from '#src/importer/read-ahead.ts'
import { listAfterMarker, markerAt, parseStreamFileName } from '#src/importer/record/file-name.ts'
import type { ImportSession } from '#src/importer/session.ts'
import type { ImporterOptions, ImporterSettings, ImportSummary } from '#src/importer/settings.ts'
import { type Candidate, listCandidates } from '#src/importer/source/candidates.ts'
import { countFiles } from '#src/importer/source/count-files.ts'
import { NodeFolders } from '#src/importer/source/node-folders.ts'
import { PublicKeys } from '#src/importer/verify/public-keys.ts'
import { type Trust, trustOf } from '#src/importer/verify/trust.ts'
import { chooseByChain, type Verification, type VerifiedFile, verifyFile } from '#src/importer/verify/verify-file.ts'

/** What has not come yet at the live edge is said only when it lasts this long. */
const lateGraceMs = 10_000
const lateCodes: ReadonlySet<string> = new Set(['consensus_missing', 'file_missing'])

type PassOutcome = 'advanced' | 'idle' | 'ended'

/** The import loop: one pass lists the next files and publishes those that hold. */
export class ImportRun {
  readonly #options: ImporterOptions
  readonly #settings: ImporterSettings
  readonly #session: ImportSession
  readonly #publisher: Publisher
  readonly #problems: ProblemLog
  readonly #folders: NodeFolders
  readonly #keys = new PublicKeys()
  readonly #startedAt: number
  /** Where the chain has to be taken up; undefined before the first file. */
  #anchor: Buffer | undefined
  #after: string
  #trust: Trust | undefined
  #problem: LedgerError | undefined
  #filesTotal: number | undefined

  constructor(options: ImporterOptions, settings: ImporterSettings, session: ImportSession) {
    const { clock, logger } = options
    const now = () => clock.now()
    this.#options = options
    this.#settings = settings
    this.#session = session
    this.#startedAt = now()
    this.#problems = new ProblemLog(logger, now)
    this.#publisher = new Publisher({ session, settings, now, onAppended: () => this.#report() })
    this.#folders = this.#newFolders()
    const { lastBlock } = session.state
    this.#anchor = lastBlock?.hash
    this.#after = lastBlock ? listAfterMarker(lastBlock.name) : ''
    this.#applyStart()
  }

  async loop(): Promise<void> {
    const { once, pollIntervalMs } = this.#settings
    const { signal, source } = this.#options
    // With folders of its own: looking to the end must not make a node leave the layout that it is still read in.
    if (once) this.#filesTotal = await countFiles(this.#newFolders(), this.#currentTrust().nodes, this.#after, signal)
    while (!signal?.aborted) {
      const outcome = await this.#tryPass()
      if (outcome === 'ended') return
      if (outcome === 'advanced') continue
      if (signal?.aborted) return
      if (once) return this.#assertSomething()
      await source.waitForChange(pollIntervalMs, signal)
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

  #newFolders(): NodeFolders {
    const { network, pathType, pathPrefix, once, refreshIntervalMs } = this.#settings
    const { source, clock } = this.#options
    // A single pass through a fixed set has no later look, so it always looks in both layouts.
    const refresh = once ? 0 : refreshIntervalMs
    return new NodeFolders({
      source,
      network,
      pathType,
      pathPrefix,
      refreshIntervalMs: refresh,
      now: () => clock.now(),
    })
  }

  /** A start date behind the last block is how an operator leaves a gap behind: then nothing is there to link to. */
  #applyStart(): void {
    const { startTime } = this.#settings
    const { lastBlock } = this.#session.state
    if (startTime === undefined) return
    const last = lastBlock ? parseStreamFileName(lastBlock.name)?.instant : undefined
    if (last !== undefined && last >= startTime) return
    this.#after = markerAt(startTime)
    this.#anchor = undefined
    if (lastBlock) {
      const fields = { lastBlock: lastBlock.name, startTime: startTime.toString() }
      this.#options.logger.warn(fields, 'the start date leaves a gap behind the last block')
    }
  }

  async #tryPass(): Promise<PassOutcome> {
    try {
      return await this.#pass()
    } catch (error) {
      await this.#publisher.flush()
      const { signal } = this.#options
      if (signal?.aborted && (error === signal.reason || isFileProblem(error))) return 'idle'
      if (this.#settings.once || !isFileProblem(error)) throw error
      this.#blockedBy(error)
      return 'idle'
    }
  }

  /** Lists once and publishes in order. A failure rejects after what precedes it is published. */
  async #pass(): Promise<PassOutcome> {
    const candidates = await this.#list()
    const ahead = new ReadAhead(candidates, {
      filesMax: this.#settings.readAheadFilesMax,
      bytesMax: this.#settings.readAheadBytesMax,
      verify: (candidate) => this.#verify(candidate),
    })
    try {
      return await this.#publishAll(ahead)
    } finally {
      ahead.abandon()
    }
  }

  async #publishAll(ahead: ReadAhead): Promise<PassOutcome> {
    let outcome: PassOutcome = 'idle'
    let skipped: LedgerError | undefined
    for (let next = await ahead.next(); next; next = await ahead.next()) {
      if (this.#options.signal?.aborted) break
      if (this.#isPastEnd(next.candidate)) {
        await this.#publisher.flush()
        if (skipped && this.#settings.once) throw skipped
        return 'ended'
      }
      const verified = await this.#accept(next)
      if (verified instanceof LedgerError) {
        if (!this.#maySkip(verified)) throw skipped ?? verified
        skipped ??= verified
        continue
      }
      if (skipped) this.#problems.warn(skipped)
      skipped = undefined
      await this.#publish(verified)
      outcome = 'advanced'
    }
    await this.#publisher.flush()
    if (skipped) throw skipped
    return outcome
  }

  /**
   * A name without consensus may be one that only a minority uses, so the next one is tried: if it continues the chain,
   * nothing is missing. Without a chain nobody could tell, which a single pass through a fixed set does not risk.
   */
  #maySkip({ code, details }: LedgerError): boolean {
    const isAboutName = details.have !== undefined || code === 'file_name_invalid'
    return isAboutName && !(this.#settings.once && this.#anchor === undefined)
  }

  async #list(): Promise<readonly Candidate[]> {
    const { listFilesMax, signatureBytesMax, startTime } = this.#settings
    const { candidates, problems } = await listCandidates({
      folders: this.#folders,
      nodes: this.#currentTrust().nodes,
      after: this.#after,
      filesMax: listFilesMax,
      signatureBytesMax,
      signal: this.#options.signal,
    })
    for (const problem of problems) this.#problems.warn(problem)
    return candidates.filter(({ instant }) => startTime === undefined || instant === undefined || instant > startTime)
  }

  #verify(candidate: Candidate): Promise<Verification> {
    return verifyFile(candidate, this.#currentTrust(), {
      ...this.#settings,
      source: this.#options.source,
      signal: this.#options.signal,
    })
  }

  async #accept(verification: Verification): Promise<VerifiedFile | LedgerError> {
    let current = verification
    if (current.trustVersion !== this.#session.state.trustVersion) {
      // A block in between brought a new address book or new stakes.
      current = await this.#verify(verification.candidate)
    }
    for (const warning of current.warnings) this.#problems.warn(warning)
    return current.error ?? chooseByChain(current.files, this.#anchor)
  }

  async #publish(verified: VerifiedFile): Promise<void> {
    const { file } = verified
    if (this.#anchor === undefined) {
      const fields = { file: file.name, previousHash: file.previousHash.toString('hex') }
      this.#options.logger.warn(fields, 'no earlier block is known, so the chain begins here unchecked')
    }
    await this.#publisher.add(verified)
    this.#anchor = file.chainHash
    this.#after = listAfterMarker(file.name)
    this.#problem = undefined
  }

  #isPastEnd({ instant }: Candidate): boolean {
    const { endTime } = this.#settings
    return endTime !== undefined && instant !== undefined && instant > endTime
  }

  #currentTrust(): Trust {
    const { state } = this.#session
    if (this.#trust?.version !== state.trustVersion) this.#trust = trustOf(state, this.#keys, this.#settings)
    return this.#trust
  }

  #blockedBy(error: LedgerError): void {
    this.#problem = error
    this.#problems.block(error, lateCodes.has(error.code) ? lateGraceMs : 0)
    this.#report()
  }

  #report(): void {
    const { onProgress } = this.#options
    if (!onProgress) return
    const { blocks, transactions, bytes } = this.#publisher.counts
    const { lastBlock } = this.#session.state
    onProgress({
      blocks,
      transactions,
      bytes,
      latestBlock: lastBlock?.number,
      latestTime: lastBlock?.time,
      filesTotal: this.#filesTotal,
      problem: this.#problem,
    })
  }

  /** A fixed set without a single file is a mistake in where to look. */
  #assertSomething(): void {
    if (this.#session.state.lastBlock) return
    const { network } = this.#settings
    const nodes = this.#currentTrust().nodes
    const example = nodes[0]
    const looked = example
      ? [this.#folders.accountFolder(example), ...this.#folders.nodeIdFolders(example)].join(', ')
      : 'no folder'
    throw new LedgerError(
      'source_empty',
      `${this.#options.source.description} holds no record files of the network "${network}" for any of the ${nodes.length} nodes ` +
        `of its address book (looked in ${looked} and so on); check the folder, the network and the address book`,
      { source: this.#options.source.description, network },
    )
  }
}

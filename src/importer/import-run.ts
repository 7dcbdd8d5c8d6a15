import { LedgerError } from '#src/domain/errors.ts'
import { isFileProblem } from '#src/importer/file-problems.ts'
import { findFirstBlock } from '#src/importer/first-block.ts'
import { FirstFile } from '#src/importer/first-file.ts'
import { PassedOver } from '#src/importer/passed-over.ts'
import { ProblemLog } from '#src/importer/problem-log.ts'
import { Publisher } from '#src/importer/publish/publisher.ts'
import { blockOfFile } from '#src/importer/publish/verified-block.ts'
import { ReadAhead } from '#src/importer/read-ahead.ts'
import { listAfterMarker } from '#src/importer/record/file-name.ts'
import { zeroHash } from '#src/importer/record/hash.ts'
import type { RecordFile } from '#src/importer/record/record-file.ts'
import { Rejections } from '#src/importer/rejections.ts'
import type { ImportSession } from '#src/importer/session.ts'
import type { ImporterOptions, ImporterSettings, ImportSummary } from '#src/importer/settings.ts'
import { type Candidate, type Listing, listCandidates } from '#src/importer/source/candidates.ts'
import { countFiles } from '#src/importer/source/count-files.ts'
import { NodeFolders } from '#src/importer/source/node-folders.ts'
import { sourceEmpty } from '#src/importer/source/source-empty.ts'
import { startPosition } from '#src/importer/start-position.ts'
import { PublicKeys } from '#src/importer/verify/public-keys.ts'
import { chooseSuccessor } from '#src/importer/verify/succession.ts'
import { type Trust, trustOf } from '#src/importer/verify/trust.ts'
import { type Verification, type VerifiedFile, verifyFile } from '#src/importer/verify/verify-file.ts'

/** What has not come yet at the live edge is said only when it lasts this long. */
const lateGraceMs = 10_000
const lateCodes: ReadonlySet<string> = new Set(['consensus_missing', 'file_missing', 'source_empty'])

type PassOutcome = 'advanced' | 'idle' | 'ended'

/** The import loop: one pass lists the next files and publishes those that hold. */
export class ImportRun {
  readonly #options: ImporterOptions
  readonly #settings: ImporterSettings
  readonly #session: ImportSession
  readonly #publisher: Publisher
  readonly #problems: ProblemLog
  readonly #rejections: Rejections
  readonly #folders: NodeFolders
  readonly #firstFile: FirstFile
  readonly #keys = new PublicKeys()
  readonly #startedAt: number
  /** Where the chain has to be taken up; undefined before the first file. */
  #anchor: Buffer | undefined
  #after: string
  #trust: Trust | undefined
  #problem: LedgerError | undefined
  /** Whether the source was asked for what is before the log, which another run may have begun. */
  #comparedBeginning = false
  #filesTotal: number | undefined

  constructor(options: ImporterOptions, settings: ImporterSettings, session: ImportSession) {
    const { clock, logger } = options
    const now = () => clock.now()
    this.#options = options
    this.#settings = settings
    this.#session = session
    this.#startedAt = now()
    this.#problems = new ProblemLog(logger, now)
    this.#rejections = new Rejections({ delayMs: settings.pollIntervalMs, now })
    this.#firstFile = new FirstFile({ once: settings.once, waitMs: settings.firstFileWaitMs, now })
    this.#publisher = new Publisher({ session, settings, now, onAppended: () => this.#report() })
    this.#folders = this.#newFolders()
    const { anchor, after } = startPosition(session.state.lastBlock, settings.startTime, logger)
    this.#anchor = anchor
    this.#after = after
  }

  async loop(): Promise<void> {
    const { once, pollIntervalMs } = this.#settings
    const { signal, source } = this.#options
    this.#report()
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

  async #tryPass(): Promise<PassOutcome> {
    try {
      const outcome = await this.#pass()
      const { once } = this.#settings
      this.#setProblem(outcome === 'idle' && !once ? await this.#emptiness() : undefined)
      return outcome
    } catch (error) {
      // What is wrong with a file says nothing against the blocks before it, so the state is kept up to them. After any
      // other failure it stays as it was, and the next start brings it up to the end of the log.
      if (isFileProblem(error)) await this.#publisher.checkpoint()
      else await this.#publisher.flush()
      const { signal } = this.#options
      if (signal?.aborted && (error === signal.reason || isFileProblem(error))) return 'idle'
      if (this.#settings.once || !isFileProblem(error)) throw error
      this.#setProblem(error)
      return 'idle'
    }
  }

  /** Lists and publishes in order until something was published or nothing is left to try; then it says why, if it can. */
  async #pass(): Promise<PassOutcome> {
    await this.#compareBeginning()
    const passedOver = new PassedOver()
    let after: string | undefined = this.#after
    while (after !== undefined) {
      const { candidates, unsigned, oddNames, leftOut, next } = await this.#list(after)
      const trust = this.#currentTrust()
      if (this.#anchor === undefined) this.#firstFile.assertNoneBefore(unsigned, candidates[0]?.stem, trust)
      for (const { error } of leftOut) this.#problems.warn(error)
      for (const warning of passedOver.addOddNames(oddNames, trust)) this.#problems.warn(warning)
      passedOver.addLeftOut(leftOut, trust)
      const outcome = await this.#publishAll(candidates, passedOver)
      if (outcome !== 'idle') return outcome
      // One node may hold any number of names that nobody else has. Where it is more than that, all would fail alike.
      after = passedOver.onlyMinorities ? next : undefined
    }
    if (passedOver.problem) throw passedOver.problem
    return 'idle'
  }

  /** What is missing at the beginning stays so for good, so it is told until it is repaired or meant. */
  async #compareBeginning(): Promise<void> {
    if (this.#comparedBeginning) return
    const { once, startTime } = this.#settings
    const first = once || startTime !== undefined ? undefined : await findFirstBlock(this.#options.log)
    if (first) {
      const { candidates, unsigned } = await this.#list('')
      this.#firstFile.compare(first.name, [...candidates, ...unsigned], this.#currentTrust())
      this.#tellBeginning()
    }
    this.#comparedBeginning = true
  }

  #tellBeginning(): void {
    const { leftOut } = this.#firstFile
    if (leftOut) this.#options.logger.error({ err: leftOut }, 'the log begins later than its source')
    if (leftOut) this.#report()
  }

  async #publishAll(candidates: readonly Candidate[], passedOver: PassedOver): Promise<PassOutcome> {
    const ahead = new ReadAhead(candidates, {
      filesMax: this.#settings.readAheadFilesMax,
      bytesMax: this.#settings.readAheadBytesMax,
      verify: (candidate) => this.#verify(candidate),
    })
    try {
      const outcome = await this.#publishInOrder(ahead, passedOver)
      await this.#publisher.flush()
      return outcome
    } finally {
      ahead.abandon()
    }
  }

  async #publishInOrder(ahead: ReadAhead, passedOver: PassedOver): Promise<PassOutcome> {
    let outcome: PassOutcome = 'idle'
    for (let next = await ahead.next(); next; next = await ahead.next()) {
      if (this.#options.signal?.aborted) return outcome
      const verified = await this.#accept(next)
      if (verified instanceof LedgerError) {
        this.#passOver(next.candidate, verified, passedOver)
        continue
      }
      if (passedOver.rejection) this.#problems.warn(passedOver.rejection)
      passedOver.clear()
      if (this.#isPastEnd(next.candidate)) return 'ended'
      await this.#publish(verified)
      outcome = 'advanced'
      // A new address book may also say in which folders to look, so what was listed with the old one is listed again.
      if (next.trustVersion !== this.#session.state.trustVersion) return outcome
    }
    return outcome
  }

  /** Goes on with the next name, or throws where that could leave a file out. */
  #passOver(candidate: Candidate, error: LedgerError, passedOver: PassedOver): void {
    if (this.#settings.once && this.#isPastEnd(candidate)) this.#problems.warn(error)
    else if (!this.#maySkip(candidate, error)) throw passedOver.rejection ?? error
    else passedOver.add(candidate, error, this.#currentTrust())
  }

  /**
   * Whatever is wrong with a name, a later one that continues the chain proves that nothing is missing. Without a chain
   * only a name that enough nodes have not signed is left out, and nothing at all from a fixed set.
   */
  #maySkip(candidate: Candidate, error: LedgerError): boolean {
    if (error.code === 'source_unavailable') return false
    if (this.#anchor !== undefined) return true
    return error.details.have !== undefined && this.#firstFile.mayLeaveOut(candidate, this.#currentTrust(), error)
  }

  async #list(after: string): Promise<Listing> {
    const { listFilesMax, signatureBytesMax, startTime } = this.#settings
    const listing = await listCandidates({
      folders: this.#folders,
      nodes: this.#currentTrust().nodes,
      after,
      filesMax: listFilesMax,
      signatureBytesMax,
      signal: this.#options.signal,
    })
    if (startTime === undefined) return listing
    const isLater = ({ instant }: { readonly instant: bigint }): boolean => instant > startTime
    return {
      ...listing,
      candidates: listing.candidates.filter(isLater),
      unsigned: listing.unsigned.filter(isLater),
    }
  }

  async #verify(candidate: Candidate, signatureChecks = this.#settings.signatureChecks): Promise<Verification> {
    const trust = this.#currentTrust()
    const error = this.#rejections.find(candidate, trust.version)
    if (error) return { candidate, trustVersion: trust.version, files: [], error, warnings: [], recalled: true }
    const { source, signal } = this.#options
    return verifyFile(candidate, trust, { ...this.#settings, signatureChecks, source, signal })
  }

  async #accept(verification: Verification): Promise<VerifiedFile | LedgerError> {
    const { candidate } = verification
    // What was recalled ahead of a block published since is looked at again.
    const isOutdated = verification.recalled && !this.#rejections.has(candidate)
    const current = isOutdated ? await this.#verify(candidate) : verification
    const { error, trustVersion } = current
    let accepted = this.#chooseFrom(current)
    if (accepted instanceof LedgerError && error === undefined && this.#settings.signatureChecks === 'enough') {
      // The nodes that were enough have gone another way; the others may not.
      accepted = this.#chooseFrom(await this.#verify(candidate, 'all'))
    }
    if (accepted instanceof LedgerError) this.#rejections.add(candidate, trustVersion, accepted)
    return accepted
  }

  #chooseFrom({ files, error, warnings }: Verification): VerifiedFile | LedgerError {
    for (const warning of warnings) this.#problems.warn(warning)
    const { lastBlock } = this.#session.state
    return error ?? chooseSuccessor(files, { chainHash: this.#anchor, lastBlock })
  }

  async #publish(verified: VerifiedFile): Promise<void> {
    const { file } = verified
    // A hash of zeros says that there is no file before it.
    if (this.#anchor === undefined && !file.previousHash.equals(zeroHash)) {
      const fields = { file: file.name, previousHash: file.previousHash.toString('hex') }
      this.#options.logger.info(fields, 'no earlier block is known, so the chain begins here unchecked')
      this.#warnOfNumber(file)
    }
    if (this.#anchor === undefined) this.#tellBeginning()
    await this.#publisher.add(blockOfFile(verified))
    this.#anchor = file.chainHash
    this.#after = listAfterMarker(file.name)
    this.#problem = undefined
    this.#rejections.clear()
  }

  /** It has blocks before it, so it is not the first of its network. */
  #warnOfNumber({ name, blockNumber }: RecordFile): void {
    const { startBlockNumber } = this.#settings
    if (blockNumber !== undefined || startBlockNumber !== 0n || this.#session.state.lastBlock) return
    this.#options.logger.warn(
      { file: name, number: 0 },
      'no file has told a block number yet, so the first block, which is not the first of its network, is counted as 0; begin again with its number in --start-block-number, or with "import republish" where the log is to stay',
    )
  }

  #isPastEnd({ instant }: Candidate): boolean {
    const { endTime } = this.#settings
    return endTime !== undefined && instant > endTime
  }

  #currentTrust(): Trust {
    const { state } = this.#session
    if (this.#trust?.version !== state.trustVersion) this.#trust = trustOf(state, this.#keys, this.#settings)
    return this.#trust
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
      problem: this.#problem,
      beginsLate: this.#firstFile.leftOut,
    })
  }

  /** A fixed set without a single file is a mistake in where to look. */
  async #assertSomething(): Promise<void> {
    const error = await this.#emptiness()
    if (error) throw error
  }

  /** That the source has nothing to begin with, if so. */
  async #emptiness(): Promise<LedgerError | undefined> {
    if (this.#session.state.lastBlock) return undefined
    const { network, startTime } = this.#settings
    const { source, signal } = this.#options
    const { nodes } = this.#currentTrust()
    return sourceEmpty({ source: source.description, network, nodes, folders: this.#folders, startTime, signal })
  }
}

import { LedgerError } from '#src/domain/errors.ts'
import { findFirstBlock } from '#src/importer/first-block.ts'
import type { ProblemLog } from '#src/importer/problem-log.ts'
import type { Publisher } from '#src/importer/publish/publisher.ts'
import { blockOfFile } from '#src/importer/publish/verified-block.ts'
import { listAfterMarker } from '#src/importer/record/file-name.ts'
import { zeroHash } from '#src/importer/record/hash.ts'
import type { RecordFile } from '#src/importer/record/record-file.ts'
import { FirstFile } from '#src/importer/record-stream/first-file.ts'
import { PassedOver } from '#src/importer/record-stream/passed-over.ts'
import { ReadAhead } from '#src/importer/record-stream/read-ahead.ts'
import { Rejections } from '#src/importer/record-stream/rejections.ts'
import { startPosition } from '#src/importer/record-stream/start-position.ts'
import type { ImportSession } from '#src/importer/session.ts'
import type { ImporterOptions, ImporterSettings } from '#src/importer/settings.ts'
import { type Candidate, type Listing, listCandidates } from '#src/importer/source/candidates.ts'
import { countFiles } from '#src/importer/source/count-files.ts'
import { NodeFolders } from '#src/importer/source/node-folders.ts'
import { sourceEmpty } from '#src/importer/source/source-empty.ts'
import type { PassOutcome, StreamImport } from '#src/importer/stream-import.ts'
import { chooseSuccessor } from '#src/importer/verify/succession.ts'
import type { CurrentTrust, Trust } from '#src/importer/verify/trust.ts'
import { type Verification, type VerifiedFile, verifyFile } from '#src/importer/verify/verify-file.ts'

export interface RecordImportOptions extends Pick<ImporterOptions, 'source' | 'log' | 'logger' | 'signal'> {
  readonly settings: ImporterSettings
  readonly session: ImportSession
  readonly publisher: Publisher
  readonly problems: ProblemLog
  readonly trust: CurrentTrust
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Told once a block is on its way to the log. */
  readonly onPublished: () => void
  /** Told once it is known that the log begins later than its source. */
  readonly onBeginning: () => void
}

/** Imports record files: one pass lists the next ones and publishes those that hold. */
export class RecordImport implements StreamImport {
  readonly #options: RecordImportOptions
  readonly #settings: ImporterSettings
  readonly #session: ImportSession
  readonly #problems: ProblemLog
  readonly #rejections: Rejections
  readonly #folders: NodeFolders
  readonly #firstFile: FirstFile
  /** The file that the position stands behind; undefined before the first. */
  #last: string | undefined
  /** Where the chain has to be taken up; undefined before the first file. */
  #anchor: Buffer | undefined
  #after: string
  /** Whether the source was asked for what is before the log, which another run may have begun. */
  #comparedBeginning = false

  constructor(options: RecordImportOptions) {
    const { settings, session, problems, logger, now } = options
    this.#options = options
    this.#settings = settings
    this.#session = session
    this.#problems = problems
    this.#rejections = new Rejections({ delayMs: settings.pollIntervalMs, now })
    this.#firstFile = new FirstFile({ once: settings.once, waitMs: settings.firstFileWaitMs, now })
    this.#folders = this.#newFolders()
    const { anchor, after } = startPosition(session.state.lastBlock, settings.startTime, logger)
    this.#anchor = anchor
    this.#after = after
    this.#last = session.state.lastBlock?.name
  }

  /** That the source has files before the log's first one, which nobody said to leave out. */
  get beginsLate(): LedgerError | undefined {
    return this.#firstFile.leftOut
  }

  /** Where the files are, for people. */
  get description(): string {
    return this.#options.source.description
  }

  /** How many files a fixed set has from here on. */
  async countFiles(): Promise<number | undefined> {
    // With folders of its own: looking to the end must not make a node leave the layout that it is still read in.
    return countFiles(this.#newFolders(), this.#currentTrust().nodes, this.#after, this.#options.signal)
  }

  async waitForChange(maxMs: number): Promise<void> {
    const { source, signal } = this.#options
    await source.waitForChange(maxMs, signal)
  }

  #newFolders(): NodeFolders {
    const { network, pathType, pathPrefix, once, refreshIntervalMs } = this.#settings
    const { source, now } = this.#options
    // A single pass through a fixed set has no later look, so it always looks in both layouts.
    return new NodeFolders({
      source,
      network,
      pathType,
      pathPrefix,
      refreshIntervalMs: once ? 0 : refreshIntervalMs,
      now,
    })
  }

  /** Lists and publishes in order until something was published or nothing is left to try; then it says why, if it can. */
  async pass(): Promise<PassOutcome> {
    this.#takeUp()
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

  /** Record files may have been published from blocks meanwhile, which wrap them. */
  #takeUp(): void {
    const { lastBlock } = this.#session.state
    if (lastBlock === undefined || lastBlock.name === this.#last) return
    this.#anchor = lastBlock.hash
    this.#after = listAfterMarker(lastBlock.name)
    this.#last = lastBlock.name
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
    if (leftOut) this.#options.onBeginning()
  }

  async #publishAll(candidates: readonly Candidate[], passedOver: PassedOver): Promise<PassOutcome> {
    const ahead = new ReadAhead(candidates, {
      filesMax: this.#settings.readAheadFilesMax,
      bytesMax: this.#settings.readAheadBytesMax,
      verify: (candidate) => this.#verify(candidate),
    })
    try {
      const outcome = await this.#publishInOrder(ahead, passedOver)
      await this.#options.publisher.flush()
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
    await this.#options.publisher.add(blockOfFile(verified))
    this.#anchor = file.chainHash
    this.#after = listAfterMarker(file.name)
    this.#last = file.name
    this.#rejections.clear()
    this.#options.onPublished()
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
    return this.#options.trust.now()
  }

  /** That the source has nothing to begin with, if so. */
  async emptiness(): Promise<LedgerError | undefined> {
    if (this.#session.state.lastBlock) return undefined
    const { network, startTime } = this.#settings
    const { source, signal } = this.#options
    const { nodes } = this.#currentTrust()
    return sourceEmpty({ source: source.description, network, nodes, folders: this.#folders, startTime, signal })
  }
}

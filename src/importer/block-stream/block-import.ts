import type { HashRule } from '#src/domain/block-hash.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { type Block, blockText } from '#src/importer/block/block.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { readWrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import type { BlockSupply } from '#src/importer/block-sources/block-supply.ts'
import { assertAsked } from '#src/importer/block-stream/block-chain.ts'
import { BlockConfirmation } from '#src/importer/block-stream/block-confirmation.ts'
import { BlockPass } from '#src/importer/block-stream/block-pass.ts'
import { type BlockInFlight, BlocksInFlight } from '#src/importer/block-stream/blocks-in-flight.ts'
import type { LedgerTrust } from '#src/importer/block-stream/ledger-trust.ts'
import { type Proof, type ProofChecker, proveBlock } from '#src/importer/block-stream/prove-block.ts'
import { isFileProblem } from '#src/importer/file-problems.ts'
import type { Publisher } from '#src/importer/publish/publisher.ts'
import type { ImportSession } from '#src/importer/session.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import type { PassBounds, PassOutcome, StreamImport } from '#src/importer/stream-import.ts'
import type { CurrentTrust } from '#src/importer/verify/trust.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { Ledger } from '#src/tss/ledger.ts'

export interface BlockImportOptions {
  readonly settings: ImporterSettings
  readonly session: ImportSession
  readonly publisher: Publisher
  readonly supply: BlockSupply
  readonly checker: ProofChecker
  readonly ledgers: LedgerTrust
  /** Whom to believe about wrapped record files, as of now. */
  readonly trust: CurrentTrust
  readonly logger: Logger
  readonly signal?: AbortSignal | undefined
  /** Told of each block that did not hold. */
  readonly onRefused: (error: LedgerError) => void
  /** Told once a block is on its way to the log. */
  readonly onPublished: () => void
}

/**
 * Imports blocks: reads and hashes them as they come, lets threads check their proofs, and publishes them in order once they
 * are proved and continue the log. What does not hold publishes nothing, and is asked for again, elsewhere first.
 */
export class BlockImport implements StreamImport {
  readonly #options: BlockImportOptions
  readonly #confirmation: BlockConfirmation
  /** Under which the last block's hash was made. */
  #rule: HashRule = 'sixteen'
  /** What was wrong with a block that somebody else may have as it should be. */
  #refused: LedgerError | undefined

  constructor(options: BlockImportOptions) {
    this.#options = options
    const { supply, signal } = options
    const fetch = (number: bigint) => supply.fetch(number, signal)
    this.#confirmation = new BlockConfirmation({ ...options, fetch })
  }

  /**
   * Publishes blocks until the source has no more for now, or the end that was asked for is reached. Rejects with what was wrong
   * with a block, or with the source, once all before it is published.
   */
  async pass({ forMs }: PassBounds): Promise<PassOutcome> {
    const until = forMs === undefined ? undefined : performance.now() + forMs
    for (;;) {
      this.#refused = undefined
      try {
        return await this.#passOnce(until === undefined ? undefined : Math.max(0, until - performance.now()))
      } catch (error) {
        if (this.#refused === undefined || error !== this.#refused) throw error
      }
    }
  }

  async #passOnce(forMs: number | undefined): Promise<PassOutcome> {
    const { settings, supply, publisher, signal } = this.#options
    const over = new AbortController()
    const ending = signal ? AbortSignal.any([signal, over.signal]) : over.signal
    const left = new AbortController()
    let isTimeUp = false
    const endInTime = (): void => {
      isTimeUp = true
      over.abort()
    }
    const timer = forMs === undefined ? undefined : setTimeout(endInTime, forMs)
    const from = this.#next
    let wanted = from
    const through = settings.once ? await supply.newest(ending) : undefined
    const flight = new BlocksInFlight({
      blocksMax: settings.blocksInFlightMax,
      bytesMax: settings.blockBytesInFlightMax,
    })
    let firstOfAll: Ledger | undefined
    const pass = new BlockPass({
      feed: supply.blocks({ from, through, signal: ending }),
      stop: () => over.abort(),
      flight,
      take: (source) => {
        const block = readBlock(source, settings.acceptUnproved)
        assertAsked(block, wanted)
        wanted += 1n
        const wrapped = readWrappedFile(block)
        if (wrapped && !this.#isOfLedger(block, firstOfAll)) return flight.add(source, block, wrapped, undefined)
        firstOfAll ??= this.#ledgerOf(block)
        flight.add(source, block, wrapped, this.#prove(block, firstOfAll, left.signal))
      },
      confirm: (block) => this.#publish(block),
      flush: () => publisher.flush(),
      refused: (source, error) => this.#refuse(source, error),
    })
    try {
      return await pass.run()
    } catch (error) {
      // A pass that was ended from here says nothing of its source.
      if (isTimeUp && (error === ending.reason || isLedgerError(error, 'source_unavailable'))) return 'idle'
      throw error
    } finally {
      clearTimeout(timer)
      // Until here what has come is still published, also when the pass has to end.
      left.abort()
    }
  }

  get #next(): bigint {
    const { session, settings } = this.#options
    const { lastBlock } = session.state
    return lastBlock ? lastBlock.number + 1n : settings.startBlockNumber
  }

  /** Where blocks come from, for people. */
  get description(): string {
    return this.#options.supply.description
  }

  async waitForChange(maxMs: number): Promise<void> {
    const { supply, signal } = this.#options
    await supply.waitForChange(maxMs, signal)
  }

  /** That there is no block to begin with, if so. */
  async emptiness(): Promise<LedgerError | undefined> {
    const { session, settings, supply } = this.#options
    if (session.state.lastBlock) return undefined
    const { network, startBlockNumber } = settings
    const source = supply.description
    return new LedgerError(
      'source_empty',
      `${source} holds no block ${startBlockNumber} of the network "${network}", to begin with; check the source and the network, or begin with another one with --start-block-number`,
      { source, network, startBlockNumber },
    )
  }

  /** A block that wraps a record file has the signatures of nodes as well, which are enough where nobody knows of a ledger yet. */
  #isOfLedger({ proofs }: Block, firstOfAll: Ledger | undefined): boolean {
    const { ledgers, session } = this.#options
    return proofs[0]?.kind !== 'record-file' && (firstOfAll ?? ledgers.find(session.state)) !== undefined
  }

  /** Of block 0 it is the one that it publishes, which counts for the blocks behind it only once it is proved itself. */
  #ledgerOf(block: Block): Ledger {
    const { ledgers, session } = this.#options
    return ledgers.ofBlock(block, session.state, (reason) => malformedBlock(blockText(block), reason))
  }

  #prove(block: Block, ledger: Ledger, signal: AbortSignal): Promise<Proof> {
    return proveBlock(block, { ledger, checker: this.#options.checker, rule: this.#rule, signal })
  }

  async #publish(inFlight: BlockInFlight): Promise<'published' | 'ended'> {
    const { settings, publisher, supply, session, onPublished } = this.#options
    const { verified, rule } = await this.#confirmation.confirm(inFlight, this.#rule)
    if (settings.endTime !== undefined && verified.facts.consensusStart > settings.endTime) return 'ended'
    const isFirstUse = inFlight.proof !== undefined && session.state.document('ledger') === undefined
    await publisher.add(verified)
    if (isFirstUse) this.#tellFirstUse(inFlight)
    this.#rule = rule
    supply.accepted(inFlight.source)
    onPublished()
    return 'published'
  }

  /** Nobody but the first block itself said whom to believe, and from now on that is for good. */
  #tellFirstUse({ block }: BlockInFlight): void {
    const { ledgers, session, logger } = this.#options
    if (ledgers.isConfigured) return
    const ledger = ledgers.find(session.state)
    if (ledger === undefined) return
    const id = Buffer.from(ledger.id).toString('hex')
    const step = 'compare its id with one that you trust'
    logger.info(
      { ledger: id, from: blockText(block) },
      `the ledger that the first block names is believed from now on; ${step}`,
    )
  }

  /** A block that could not be tried, since nobody has said whom to believe, says nothing against its source. */
  #refuse(source: SourceBlock, error: unknown): void {
    if (!isFileProblem(error)) return
    const { supply, onRefused } = this.#options
    const isElsewhere = supply.refused(source, error)
    onRefused(error)
    this.#refused = isElsewhere ? error : undefined
  }
}

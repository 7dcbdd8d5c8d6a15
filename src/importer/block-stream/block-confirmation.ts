import type { HashRule } from '#src/domain/block-hash.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type Block, blockText } from '#src/importer/block/block.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import type { KnownFacts } from '#src/importer/block/records/known-facts.ts'
import { readTransactions } from '#src/importer/block/records/transactions.ts'
import { streamBlock } from '#src/importer/block/stream-block.ts'
import { unproved } from '#src/importer/block/unproved.ts'
import { checkWrappedSignatures, nobodyKnown } from '#src/importer/block/wrapped/check-signatures.ts'
import type { WrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { wrappedBlock } from '#src/importer/block/wrapped/wrapped-block.ts'
import {
  assertContinues,
  assertContinuesFile,
  assertLater,
  linkAcrossCut,
  ruleOfWrapped,
} from '#src/importer/block-stream/block-chain.ts'
import type { BlockInFlight } from '#src/importer/block-stream/blocks-in-flight.ts'
import type { Proof } from '#src/importer/block-stream/prove-block.ts'
import type { VerifiedBlock } from '#src/importer/publish/verified-block.ts'
import { consensusTimeOf } from '#src/importer/record/consensus-time.ts'
import { runningHashHolds } from '#src/importer/record/running-hash.ts'
import type { ImportSession } from '#src/importer/session.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'
import { blockStreamVersion, type LastBlock } from '#src/importer/state/last-block.ts'
import type { CurrentTrust } from '#src/importer/verify/trust.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import type { Logger } from '#src/ports/logger.ts'

/** Children that run before their parent come before the one that the file is named for. */
const nameLeadMax = 1_000_000n

export interface ConfirmationOptions {
  readonly settings: Pick<ImporterSettings, 'sidecarTypes' | 'acceptUnproved'>
  readonly session: ImportSession
  /** Whom to believe about wrapped record files, as of now. */
  readonly trust: CurrentTrust
  /** Any source's copy of a block. */
  readonly fetch: (number: bigint) => Promise<SourceBlock | undefined>
  readonly logger: Logger
}

/** A block that may be published, and the rule under which its hash was made. */
export interface ConfirmedBlock {
  readonly verified: VerifiedBlock
  readonly rule: HashRule
}

/** Of one block; more of them would say the same. */
const warningsMax = 3

/** What has to wait until all blocks before are on the log: that a block continues it, and what it says in the light of it. */
export class BlockConfirmation {
  readonly #options: ConfirmationOptions

  constructor(options: ConfirmationOptions) {
    this.#options = options
  }

  /** Rejects with what is wrong with the block. `rule`: under which the last one's hash was made. */
  async confirm({ block, wrapped, proof }: BlockInFlight, rule: HashRule): Promise<ConfirmedBlock> {
    const proved = await proof
    if (proved instanceof LedgerError) throw proved
    if (wrapped) return this.#confirmWrapped(block, wrapped, proved, rule)
    if (!proved) throw new Error('a block that wraps no record file has a proof of its own')
    return { verified: await this.#confirmBlock(block, proved), rule: proved.rule }
  }

  async #confirmBlock(block: Block, proof: Proof): Promise<VerifiedBlock> {
    const { session, logger } = this.#options
    const { state } = session
    const { lastBlock: last } = state
    if (last && last.version < blockStreamVersion) await this.#link(block, last)
    else assertContinues(block, last)
    const fail = (reason: string) => malformedBlock(blockText(block), reason)
    const read = readTransactions(block, fail)
    const { verified, warnings } = streamBlock({ block, read, proof, last, known: knownFactsOf(state) })
    if (verified.items.length > 0) assertLater(block, verified.facts.consensusStart, last)
    const fields = { block: block.header.number, origin: block.origin, count: warnings.length }
    for (const warning of warnings.slice(0, warningsMax)) logger.warn(fields, `a block does not tell all: ${warning}`)
    return verified
  }

  async #link(block: Block, last: LastBlock): Promise<void> {
    const { fetch, logger } = this.#options
    const link = await linkAcrossCut(block, last, fetch)
    const fields = { block: block.header.number, lastFile: last.name, link }
    if (link === 'unknown')
      logger.warn(
        fields,
        'the network writes blocks now; nobody has the block that wraps the last record file, so number and time alone tie the first block to it',
      )
    else logger.info(fields, 'the network writes blocks now, and the first one continues the last record file')
  }

  async #confirmWrapped(
    block: Block,
    wrapped: WrappedFile,
    proof: Proof | undefined,
    rule: HashRule,
  ): Promise<ConfirmedBlock> {
    const { settings, session, trust, fetch, logger } = this.#options
    const { lastBlock: last } = session.state
    const { file } = wrapped
    const what = blockText(block)
    assertContinuesFile(block, file.previousHash, last)
    assertLater(block, file.consensusStart, last)
    if (!session.state.document('book/102')) throw nobodyKnown(what)
    // A proof of the block covers all of it but this: which version of a file it is.
    const signedBy = checkWrappedSignatures(wrapped, trust.now(), what)
    assertWhole(wrapped, block)
    const named = await ruleOfWrapped(block, last, fetch, rule)
    if (!named) {
      const fields = { block: block.header.number, origin: block.origin }
      logger.warn(fields, 'a block that wraps a record file names another block before it than the log has')
    }
    const verified = wrappedBlock({
      block,
      wrapped,
      signedBy,
      blockRoot: proof?.hash ?? block.hashes[named ?? rule],
      proof: proof?.kind ?? 'RECORD_FILE',
      sidecarTypes: settings.sidecarTypes,
      isFirst: last === undefined,
    })
    if (!proof) this.#assertSigned(wrapped, verified, what)
    return { verified, rule: proof?.rule ?? named ?? rule }
  }

  /** Nodes have signed the record file, not what stands beside it. */
  #assertSigned({ amendments }: WrappedFile, { opening = [] }: VerifiedBlock, what: string): void {
    const { acceptUnproved } = this.#options.settings
    if (amendments.length > 0 && !acceptUnproved.has('amendments'))
      throw unproved(what, 'it amends the record file that it wraps, which nobody has signed', 'amendments')
    if (opening.length > 0 && !acceptUnproved.has('genesis-state'))
      throw unproved(what, 'it tells with which state the ledger began, which nobody has signed', 'genesis-state')
  }
}

/** What the log up to the last block tells. */
function knownFactsOf(state: ImportState): KnownFacts {
  return {
    contentsOf: ({ shard, realm, number }) => {
      const id = number === undefined ? undefined : entityIdOf(shard, realm, number)
      return id === undefined ? undefined : state.uploads.contentsOf(id)
    },
    exchangeRates: state.document('upload/112')?.contents,
  }
}

/**
 * Holds what a block says of the record file that it wraps, its number and its time, against the file, which is signed. Throws
 * `file_malformed`.
 */
function assertWhole({ file, instant }: WrappedFile, block: Block): void {
  const fail = (reason: string) => malformedBlock(blockText(block), reason)
  const { blockNumber, items, consensusStart, name } = file
  if (blockNumber !== undefined && blockNumber !== block.header.number)
    throw fail(`the record file ${name} that it wraps is of block ${blockNumber}`)
  if (items.length === 0) throw fail(`the record file ${name} that it wraps is empty`)
  const lead = instant - consensusStart
  const isTime = items.some(({ record }) => consensusTimeOf(record, fail) === instant)
  if (lead < 0n || lead >= nameLeadMax || !isTime)
    throw fail(`it names the record file that it wraps ${name}, whose first transaction is of ${consensusStart} ns`)
  if (!runningHashHolds(file)) throw fail(`the items of the record file ${name} do not lead to its end running hash`)
}

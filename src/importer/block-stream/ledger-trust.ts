import { LedgerError } from '#src/domain/errors.ts'
import type { Fail } from '#src/domain/field-reader.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { type Block, blockText } from '#src/importer/block/block.ts'
import { readTransactions } from '#src/importer/block/records/transactions.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'
import { type Ledger, parseLedgerPublication, readLedgerPublication } from '#src/tss/ledger.ts'

/**
 * Whose signature proves blocks: the ledger whose id the log holds the publication of, else the configured one. The first block of all
 * brings its own; no other may.
 */
export class LedgerTrust {
  readonly #configured: Ledger | undefined
  readonly #network: string
  #ofLog: { readonly contents: Buffer; readonly ledger: Ledger } | undefined

  constructor(network: string, configured: Ledger | undefined) {
    this.#network = network
    this.#configured = configured
  }

  /** Whether somebody says it beside the log. */
  get isConfigured(): boolean {
    return this.#configured !== undefined
  }

  /** Undefined where nobody has said whom to believe. Throws `ledger_untrusted` where the log and the configuration disagree. */
  find(state: ImportState): Ledger | undefined {
    const contents = state.document('ledger')?.contents
    if (contents === undefined) return this.#configured
    if (this.#ofLog?.contents !== contents)
      this.#ofLog = { contents, ledger: readLedgerPublication(contents, 'the ledger id publication on the log') }
    const { ledger } = this.#ofLog
    if (this.#configured && !Buffer.from(this.#configured.id).equals(ledger.id)) throw this.#otherLedger(ledger)
    return ledger
  }

  /**
   * The same for a block. Throws `ledger_untrusted` where nothing says whom to believe, and `proof_invalid` where the first block of all should
   * and does not: that may be its source's fault.
   */
  ofBlock(block: Block, state: ImportState, fail: Fail): Ledger {
    const known = this.find(state)
    if (known) return known
    const what = blockText(block)
    if (block.header.number !== 0n) throw this.missing(what)
    const own = publicationIn(block, fail)
    if (own) return own
    throw new LedgerError(
      'proof_invalid',
      `${what} does not publish who signs for the network "${this.#network}". Another source is asked; if every one has it like this, ` +
        'name a file with the serialized ledger id publication with --ledger-publication',
      { file: what, network: this.#network },
    )
  }

  missing(what: string): LedgerError {
    return new LedgerError(
      'ledger_untrusted',
      `${what} cannot be proved: nothing says who signs for the network "${this.#network}". ` +
        'Begin with block 0, which publishes it, or name a file with the serialized ledger id publication with --ledger-publication',
      { network: this.#network },
    )
  }

  #otherLedger({ id }: Ledger): LedgerError {
    const [has, given] = [id, this.#configured!.id].map((one) => Buffer.from(one).toString('hex'))
    return new LedgerError(
      'ledger_untrusted',
      `The log is of the ledger ${has}, and the file given with --ledger-publication is of ${given}; leave it out, or choose another data folder`,
      { has, given },
    )
  }
}

/** The first publication in a block that holds. */
export function publicationIn(block: Block, fail: Fail): Ledger | undefined {
  for (const { body, successful } of readTransactions(block, fail).transactions) {
    if (body.type !== transactionType.ledgerIdPublication || !successful) continue
    const ledger = parseLedgerPublication(body.content)
    if (ledger) return ledger
  }
  return undefined
}

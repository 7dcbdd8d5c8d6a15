import type { Fail } from '#src/domain/field-reader.ts'
import { readExchangeRates } from '#src/domain/network-files/exchange-rates.ts'
import { isReadable } from '#src/domain/network-files/file-fields.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import type { KnownFacts } from '#src/importer/block/records/known-facts.ts'
import type { RecordDraft } from '#src/importer/block/records/record-draft.ts'

/** File 0.0.112, whose contents are an ExchangeRateSet. */
const ratesFile = 112n
const contentsField = 4

/** What earlier blocks told, and what the transactions of this block up to some place add to it. */
export class BlockFacts implements KnownFacts {
  readonly #before: KnownFacts
  readonly #fail: Fail
  readonly #contents = new Map<string, Buffer>()
  exchangeRates: Buffer | undefined

  constructor(before: KnownFacts, fail: Fail) {
    this.#before = before
    this.#fail = fail
    this.exchangeRates = ratesIn(before.exchangeRates)
  }

  contentsOf(file: MessageId): Buffer | undefined {
    return this.#contents.get(idText(file)) ?? this.#before.contentsOf(file)
  }

  /** Takes the rates that a ledger begins with: those of the transaction that creates their file hold for the ones before it, too. */
  begin(drafted: readonly Drafted[]): void {
    if (this.exchangeRates) return
    const creations = drafted.filter(({ transaction }) => transaction.body.type === transactionType.fileCreate)
    this.exchangeRates = ratesIn(creations.map((one) => this.#changeOf(one)).find(isOfRates)?.contents)
  }

  /** Goes behind a transaction, which may have changed a file. */
  pass(drafted: Drafted): void {
    const change = this.#changeOf(drafted)
    if (!change) return
    const { file, contents, isAppend } = change
    const before = isAppend ? this.contentsOf(file) : undefined
    if (isAppend && before === undefined) return
    const whole = before ? Buffer.concat([before, contents]) : contents
    this.#contents.set(idText(file), whole)
    if (isOfRates(change)) this.exchangeRates = ratesIn(whole) ?? this.exchangeRates
  }

  #changeOf({ transaction: { body, successful }, draft }: Drafted): FileChange | undefined {
    const { type, content } = body
    if (!successful || !(type in fileFields)) return undefined
    const isCreation = type === transactionType.fileCreate
    const file = readId(isCreation ? draft.fileId : fieldValue(content, fileFields[type]!, this.#fail), this.#fail)
    const contents = fieldValue(content, contentsField, this.#fail) ?? (isCreation ? Buffer.alloc(0) : undefined)
    return file && contents && { file, contents, isAppend: type === transactionType.fileAppend }
  }
}

interface Drafted {
  readonly transaction: BlockTransaction
  readonly draft: RecordDraft
}

interface FileChange {
  readonly file: MessageId
  readonly contents: Buffer
  readonly isAppend: boolean
}

function isOfRates(change: FileChange | undefined): boolean {
  return change?.file.number === ratesFile
}

/** Of a file that is uploaded in parts nothing is in force until the last one is there. */
function ratesIn(contents: Buffer | undefined): Buffer | undefined {
  return contents && isReadable(readExchangeRates, contents) ? contents : undefined
}

/** Where a body names the file. */
const fileFields: Readonly<Record<number, number>> = {
  [transactionType.fileAppend]: 2,
  [transactionType.fileCreate]: 0,
  [transactionType.fileUpdate]: 1,
}

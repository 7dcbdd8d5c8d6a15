import type { Fail } from '#src/domain/field-reader.ts'
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
  readonly #addresses = new Map<string, Buffer>()
  readonly #contents = new Map<string, Buffer>()
  exchangeRates: Buffer | undefined

  constructor(before: KnownFacts, fail: Fail) {
    this.#before = before
    this.#fail = fail
    this.exchangeRates = before.exchangeRates
  }

  evmAddressOf(contract: MessageId): Buffer | undefined {
    return this.#addresses.get(idText(contract)) ?? this.#before.evmAddressOf(contract)
  }

  contentsOf(file: MessageId): Buffer | undefined {
    return this.#contents.get(idText(file)) ?? this.#before.contentsOf(file)
  }

  addAddress(contract: MessageId, address: Buffer): void {
    this.#addresses.set(idText(contract), address)
  }

  /** Goes behind a transaction, which may have changed a file. */
  pass({ body, successful }: BlockTransaction, draft: RecordDraft): void {
    const { type, content } = body
    if (!successful || !isFileChange(type)) return
    const message =
      type === transactionType.fileCreate ? draft.fileId : fieldValue(content, fileFields[type]!, this.#fail)
    const file = readId(message, this.#fail)
    const contents = fieldValue(content, contentsField, this.#fail)
    if (!file || (contents === undefined && type !== transactionType.fileCreate)) return
    this.#put(file, type === transactionType.fileAppend, contents ?? Buffer.alloc(0))
  }

  #put(file: MessageId, isAppend: boolean, contents: Buffer): void {
    const before = isAppend ? this.contentsOf(file) : undefined
    if (isAppend && before === undefined) return
    const whole = before ? Buffer.concat([before, contents]) : contents
    this.#contents.set(idText(file), whole)
    if (file.number === ratesFile) this.exchangeRates = whole
  }
}

/** Where a body names the file. */
const fileFields: Readonly<Record<number, number>> = {
  [transactionType.fileAppend]: 2,
  [transactionType.fileCreate]: 0,
  [transactionType.fileUpdate]: 1,
}

function isFileChange(type: number): boolean {
  return type in fileFields
}

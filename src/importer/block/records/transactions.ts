import { blockItem, blockTree } from '#src/domain/block-items.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { LedgerTime } from '#src/domain/ledger-time.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import { timestampOf } from '#src/domain/timestamp-message.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import type { Block } from '#src/importer/block/block.ts'
import { assertTraces } from '#src/importer/block/records/assert-traces.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { RunningBatch } from '#src/importer/block/records/running-batch.ts'
import { readSignedBody, type SignedBody } from '#src/importer/block/records/signed-body.ts'
import { hasValidStart, readTransactionId } from '#src/importer/block/records/transaction-id.ts'
import { readTransactionResult, type TransactionResult } from '#src/importer/block/records/transaction-result.ts'

export interface BlockTransactions {
  /** In the order of the block, which is that of consensus. */
  readonly transactions: readonly BlockTransaction[]
  /** Serialized StateChanges by the consensus time (ns) that they carry, in order. */
  readonly stateChanges: ReadonlyMap<bigint, readonly Buffer[]>
  /** Items that somebody has redacted, other than transactions: what they told is not known. */
  readonly redactedCount: number
}

interface Signed {
  readonly bytes: Buffer | undefined
  readonly redactedHash: Buffer | undefined
}

/** Votes and signatures of nodes: from the state signature to the publication of the CRS, and the vote on the root of a migration. */
const betweenNodes: ReadonlySet<number> = new Set([65, 66, 67, 68, 69, 70, 71, 72, 81])

/**
 * Puts the items of a block together to transactions. Which item stands beside which is not part of the block's hash, only the
 * order within each tree is. So a result has to follow its transaction at once, every transaction has one but those that never have, and
 * whatever could belong to another transaction than the one it stands behind is refused.
 */
export function readTransactions({ items }: Pick<Block, 'items'>, fail: Fail): BlockTransactions {
  const reader = new TransactionReader(fail)
  for (let index = 0; index < items.length; index++) reader.take(items.numberAt(index), items.contentAt(index))
  reader.end()
  return reader
}

const delegationFields: Readonly<Record<number, number>> = {
  [transactionType.cryptoCreate]: 20,
  [transactionType.cryptoUpdate]: 21,
}

/** What makes an account delegate to code stays when its parent fails, as in record files. */
function delegates({ type, content }: SignedBody, fail: Fail): boolean {
  const field = delegationFields[type]
  const address = field === undefined ? undefined : fieldValue(content, field, fail)
  return address !== undefined && address.length > 0
}

class TransactionReader implements BlockTransactions {
  readonly transactions: BlockTransaction[] = []
  readonly stateChanges = new Map<bigint, Buffer[]>()
  redactedCount = 0
  readonly #byTime = new Map<bigint, BlockTransaction>()
  readonly #fail: Fail
  /** Waits for its result, which comes next or not at all. */
  #signed: Signed | undefined
  /** The last batch, as long as no other transaction of somebody's followed it. */
  #batch: RunningBatch | undefined
  /** That outputs and traces belong to. */
  #current: BlockTransaction | undefined

  constructor(fail: Fail) {
    this.#fail = fail
  }

  take(number: number, content: Buffer): void {
    if (number === blockItem.signedTransaction) this.#await({ bytes: content, redactedHash: undefined })
    else if (number === blockItem.redactedItem) this.#takeRedacted(content)
    else if (number === blockItem.transactionResult) this.#takeResult(content)
    else if (number === blockItem.stateChanges) this.#takeStateChanges(content)
    else if (number === blockItem.transactionOutput) this.#owner('an output').outputs.push(content)
    else if (number === blockItem.traceData) this.#owner('a trace').traces.push(content)
  }

  end(): void {
    this.#awaitNone()
    for (const transaction of this.transactions) assertTraces(transaction, this.#fail)
  }

  #await(signed: Signed): void {
    this.#awaitNone()
    this.#signed = signed
    this.#current = undefined
  }

  /** What nodes tell each other is not always executed, and says nothing of the ledger then; whatever else is has a result. */
  #awaitNone(): void {
    const signed = this.#signed
    this.#signed = undefined
    if (signed === undefined) return
    const type = signed.bytes && readSignedBody(signed.bytes, this.#fail).type
    if (type === undefined || !betweenNodes.has(type))
      throw this.#fail(`a transaction of the type ${type ?? 'that was redacted'} has no result`)
  }

  /** In the place of a transaction it is one, of which the result tells; of whatever else was redacted nothing is left. */
  #takeRedacted(content: Buffer): void {
    const fields = new FieldReader(content, this.#fail)
    let redactedHash: Buffer | undefined
    let leaf = 0
    while (fields.next()) {
      if (fields.field === 2) redactedHash = fields.bytes()
      else if (fields.field === 3) leaf = fields.int32()
    }
    if (leaf === blockTree.input) this.#await({ bytes: undefined, redactedHash })
    else this.redactedCount += 1
  }

  #owner(what: string): BlockTransaction {
    if (this.#current) return this.#current
    throw this.#fail(`${what} stands where no transaction has a result`)
  }

  #takeStateChanges(content: Buffer): void {
    const fields = new FieldReader(content, this.#fail)
    let time = 0n as LedgerTime
    while (fields.next()) if (fields.field === 1) time = timestampOf(fields.message())
    // What ends a round may stand behind a transaction of the network's own, but nothing parts a result from its transaction.
    this.#awaitNone()
    const known = this.stateChanges.get(time)
    if (known) known.push(content)
    else this.stateChanges.set(time, [content])
  }

  #takeResult(content: Buffer): void {
    const result = readTransactionResult(content, this.#fail)
    const awaited = this.#signed
    this.#signed = undefined
    if (!awaited && !this.#batch) throw this.#fail('a result follows no transaction')
    const signed = awaited ?? { bytes: this.#batch!.take(result), redactedHash: undefined }
    const transaction = this.#built(signed, result, awaited === undefined)
    this.transactions.push(transaction)
    this.#byTime.set(result.time, transaction)
    this.#current = transaction
  }

  #built(signed: Signed, result: TransactionResult, isInner: boolean): BlockTransaction {
    const body = readSignedBody(signed.bytes, this.#fail)
    if (!isInner) this.#assertOwn(body, result)
    const { parentTime } = result
    const parent = parentTime === undefined ? undefined : this.#byTime.get(parentTime)
    if (!parent) this.#beginFamily(body, result)
    return {
      signed: signed.bytes,
      redactedHash: signed.redactedHash,
      body,
      result,
      outputs: [],
      traces: [],
      parent,
      successful: isSuccessCode(result.status) && (parent?.successful !== false || delegates(body, this.#fail)),
      isInner,
    }
  }

  #assertOwn(body: SignedBody, result: TransactionResult): void {
    if (betweenNodes.has(body.type) && !hasValidStart(body.transactionId, this.#fail))
      throw this.#fail('what a node only told others has the result of another transaction')
    this.#batch?.assertOwn(body, result)
  }

  /** Inner transactions that have not run when somebody's next transaction comes never did; a child may come before its parent. */
  #beginFamily(body: SignedBody, result: TransactionResult): void {
    if (body.type === transactionType.atomicBatch) this.#batch = new RunningBatch(body, result, this.#fail)
    else if (this.#batch && readTransactionId(body.transactionId, this.#fail).nonce === 0) this.#batch = undefined
  }
}

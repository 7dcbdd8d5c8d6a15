import { hash } from 'node:crypto'
import { decodeEthereumTransaction, ethereumHash } from '#src/domain/ethereum-transaction.ts'
import type { Fail } from '#src/domain/field-reader.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { BlockFacts } from '#src/importer/block/records/block-facts.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { type DraftedRecord, RecordDrafts } from '#src/importer/block/records/drafts.ts'
import { writeContractResult } from '#src/importer/block/records/evm/contract-result.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { idText, readId } from '#src/importer/block/records/ids.ts'
import type { KnownFacts } from '#src/importer/block/records/known-facts.ts'
import { MessageWriter } from '#src/importer/block/records/message-writer.ts'
import type { RecordDraft } from '#src/importer/block/records/record-draft.ts'
import type { BlockTransactions } from '#src/importer/block/records/transactions.ts'
import { writeRecord } from '#src/importer/block/records/write-record.ts'
import type { ItemInput, LetGo } from '#src/importer/decode/block-input.ts'

const topicField = 1

/** What a record file of the same transactions would hold. */
export interface BlockRecords {
  /** By consensus time. */
  readonly items: readonly ItemInput[]
  /** Serialized TransactionSidecarRecords. */
  readonly sidecarRecords: readonly Buffer[]
  /** What could not be told, for people. */
  readonly warnings: readonly string[]
  readonly letGo: LetGo
}

/** Turns the transactions of a block into the records that a record file would have carried. */
export function blockRecords(read: BlockTransactions, known: KnownFacts, fail: Fail): BlockRecords {
  const drafts = new RecordDrafts(read, fail)
  const drafted = inConsensusOrder(drafts.draftAll())
  assertMessages(drafted, fail)
  const facts = new BlockFacts(known, fail)
  facts.begin(drafted)
  const items = drafted.map((one) => writeItem(one, facts, fail))
  const warnings = [...redactions(read), ...drafts.warnings]
  const sidecarRecords = drafted.flatMap(({ sidecars }) => sidecars)
  return { items, sidecarRecords, warnings, letGo: letGoOf(items, sidecarRecords) }
}

const gone: ItemInput = { transaction: Buffer.alloc(0), record: Buffer.alloc(0) }

/** Records lie in pieces of memory, some dozens in each, which go with the last of them. */
function letGoOf(items: ItemInput[], sidecarRecords: Buffer[]): LetGo {
  return {
    item: (index) => {
      items[index] = gone
    },
    sidecarRecords: () => {
      sidecarRecords.length = 0
    },
  }
}

function redactions({ redactedCount }: BlockTransactions): string[] {
  return redactedCount === 0 ? [] : [`${redactedCount} items of it were redacted, and nothing tells what they said`]
}

/** The order of the block, unless it is another one. */
function inConsensusOrder(drafted: DraftedRecord[]): DraftedRecord[] {
  const timeOf = ({ transaction }: DraftedRecord): bigint => transaction.result.time
  const isOrdered = drafted.every((one, index) => index === 0 || timeOf(drafted[index - 1]!) <= timeOf(one))
  return isOrdered ? drafted : drafted.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0))
}

const writer = new MessageWriter()

function writeItem({ transaction, draft, evm }: DraftedRecord, facts: BlockFacts, fail: Fail): ItemInput {
  const { body, result } = transaction
  const uploaded =
    body.type === transactionType.ethereumTransaction ? readEthereum(transaction, draft, facts, fail) : undefined
  if (evm) {
    const { context, trace } = evm
    const message = writeContractResult({
      transaction,
      result: evm.result,
      trace,
      context,
      uploaded,
      fail,
    })
    draft[evm.result.isCreate ? 'contractCreateResult' : 'contractCallResult'] = message
  }
  // New rates count for the transaction that brings them.
  facts.pass({ transaction, draft })
  const bytes = writeTransaction(transaction, fail)
  const { exchangeRates } = facts
  const record = writeRecord({ transaction, draft, hash: hashOf(transaction, bytes), exchangeRates })
  return { transaction: bytes, record, congestionMultiplier: result.congestionMultiplier }
}

/** The Transaction as it was submitted: signed bytes, or in the older form body and signatures side by side. */
function writeTransaction({ signed, body }: BlockTransaction, fail: Fail): Buffer {
  if (signed && body.wasUnsigned) {
    writer.message(3, fieldValue(signed, 2, fail))
    writer.bytes(4, fieldValue(signed, 1, fail))
  } else writer.bytes(5, signed)
  return writer.finish()
}

/** As a text of one character a byte, which takes half the time of bytes. */
function hashOf({ signed, redactedHash, body }: BlockTransaction, bytes: Buffer): string | undefined {
  if (signed === undefined) return redactedHash?.toString('latin1')
  return hash('sha384', body.wasUnsigned ? bytes : signed, 'binary')
}

/** Of what was not executed, since it was submitted twice. */
const duplicateTransaction = 11

/** Fills in the hash that wallets know. Returns the call data where it was uploaded as a file before. */
function readEthereum(
  { body, result }: BlockTransaction,
  draft: RecordDraft,
  facts: BlockFacts,
  fail: Fail,
): Buffer | undefined {
  const data = fieldValue(body.content, 1, fail)
  // A file counts only where the transaction has no data of its own.
  const hasOwnData = data !== undefined && (decodeEthereumTransaction(data)?.callData.length ?? 0) > 0
  const file = hasOwnData ? undefined : readId(fieldValue(body.content, 2, fail), fail)
  const uploaded = file && dataIn(facts.contentsOf(file))
  if (data === undefined || (file && !uploaded)) return undefined
  const hash = result.status === duplicateTransaction ? undefined : ethereumHash(data, uploaded)
  if (hash) draft.ethereumHash = hash
  return uploaded
}

/** Files hold the data as hex digits. */
function dataIn(contents: Buffer | undefined): Buffer | undefined {
  if (contents === undefined) return undefined
  const digits = contents.toString('latin1').replace(/^0x/, '')
  return /^(?:[0-9a-fA-F]{2})*$/.test(digits) ? Buffer.from(digits, 'hex') : undefined
}

/**
 * Messages of a topic have numbers without a gap, so several of them in one block tell whether their traces stand behind the right ones,
 * which is not part of the block's hash. `drafted` is in the order of consensus. Throws where the numbers do not follow each other.
 */
function assertMessages(drafted: readonly DraftedRecord[], fail: Fail): void {
  const newest = new Map<string, bigint | undefined>()
  for (const { transaction, draft } of drafted) {
    const { body, successful, result } = transaction
    if (body.type !== transactionType.topicMessage || !successful) continue
    const topic = readId(fieldValue(body.content, topicField, fail), fail)
    const key = topic ? idText(topic) : ''
    const number = draft.topicSequenceNumber
    if (newest.has(key) && !follows(number, newest.get(key)))
      throw fail(`the message at ${result.time} ns does not have the number behind that of the one before it`)
    newest.set(key, number)
  }
}

function follows(number: bigint | undefined, before: bigint | undefined): boolean {
  return number !== undefined && before !== undefined && number === before + 1n
}

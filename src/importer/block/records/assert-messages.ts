import type { Fail } from '#src/domain/field-reader.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import type { DraftedRecord } from '#src/importer/block/records/drafts.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { idText, readId } from '#src/importer/block/records/ids.ts'

const topicField = 1

/**
 * Messages of a topic have numbers without a gap, so several of them in one block tell whether their traces stand behind the right ones,
 * which is not part of the block's hash. `drafted` is in the order of consensus. Throws where the numbers do not follow each other.
 */
export function assertMessages(drafted: readonly DraftedRecord[], fail: Fail): void {
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

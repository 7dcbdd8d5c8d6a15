import { responseCodeName } from '#src/domain/response-codes.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { output, outputOf } from '#src/importer/block/records/outputs.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'

const identical = 'IDENTICAL_SCHEDULE_ALREADY_CREATED'

/** Also of one that is there already, which is no success. */
export const scheduleCreate: KindOfRecord = ({ transaction, draft, fail }) => {
  const created = outputOf(transaction, output.scheduleCreate, fail)
  if (!created || !(transaction.successful || responseCodeName(transaction.result.status) === identical)) return
  const id = fieldValue(created, 1, fail)
  const scheduled = fieldValue(created, 2, fail)
  if (id) draft.scheduleId = id
  if (scheduled) draft.scheduledTransactionId = scheduled
}

export const scheduleSign: KindOfRecord = ({ transaction, draft, fail }) => {
  const signed = outputOf(transaction, output.scheduleSign, fail)
  const scheduled = signed && fieldValue(signed, 1, fail)
  if (scheduled) draft.scheduledTransactionId = scheduled
}

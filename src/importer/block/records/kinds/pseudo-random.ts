import { FieldReader } from '#src/domain/field-reader.ts'
import { output, outputOf } from '#src/importer/block/records/outputs.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'

export const pseudoRandom: KindOfRecord = ({ transaction, draft, fail }) => {
  const given = outputOf(transaction, output.prng, fail)
  if (!given) return
  const fields = new FieldReader(given, fail)
  while (fields.next()) {
    if (fields.field === 1) draft.prngBytes = fields.bytes()
    else if (fields.field === 2) draft.prngNumber = fields.int32()
  }
}

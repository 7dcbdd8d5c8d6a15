import { type Fail, FieldReader } from '#src/domain/field-reader.ts'

/** Serialized values of one field of a message, in order. */
export function fieldValues(message: Buffer, field: number, fail: Fail): Buffer[] {
  const fields = new FieldReader(message, fail)
  const values: Buffer[] = []
  while (fields.next()) if (fields.field === field) values.push(fields.bytes())
  return values
}

/** The last serialized value of a field, which counts; undefined where it is absent. */
export function fieldValue(message: Buffer, field: number, fail: Fail): Buffer | undefined {
  return fieldValues(message, field, fail).at(-1)
}

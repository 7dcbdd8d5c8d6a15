import { blockItem } from '#src/domain/block-items.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { type Counts, countsOf } from '#src/importer/inspect/transaction-counts.ts'

const itemsField = 1
const names: ReadonlyMap<number, string> = new Map(
  Object.entries(blockItem).map(([name, number]) => [number, snakeCase(name)]),
)

/** Items of a serialized Block by what the network calls them; one of a later version by its number. */
export function countBlockItems(block: Buffer, fail: Fail): Counts {
  return countsOf(itemNames(block, fail))
}

function* itemNames(block: Buffer, fail: Fail): Generator<string, void, undefined> {
  const fields = new FieldReader(block, fail)
  while (fields.next()) {
    if (fields.field !== itemsField) continue
    const item = fields.message()
    if (item.next()) yield names.get(item.field) ?? `item_${item.field}`
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

import type { Stored } from '#src/adapters/mongodb/connection.ts'
import { rowOf, type Shape } from '#src/adapters/mongodb/shape.ts'
import { damaged, isSum } from '#src/adapters/row-sums.ts'
import { step, withValue } from '#src/adapters/value-sums.ts'
import { compile } from '#src/domain/compile.ts'
import type { Row } from '#src/ports/read-store.ts'

/** How some fields of a collection are asked for, and made rows of. */
export interface RowSelection {
  readonly projection: Readonly<Record<string, 0 | 1>>
  /** Throws `RowDamage` where the document is not the one that was written, or lies elsewhere than it was put. */
  readonly rowOf: (document: Stored) => Row
}

/** `through`: fields with the texts that may lead to the rows; their own checksum is that of the fields that they are made of. */
export function selectRows(shape: Shape, select: readonly string[], through: readonly string[]): RowSelection {
  const led = [...new Set(through.flatMap((name) => shape.fieldsOf(name)))]
  const checked = [...new Set([...select, ...led])]
  const needed = shape.sums.needed(checked)
  const names = [...needed, ...through, shape.sums.field]
  const projection = projectionOf(names)
  const assertSums = checkOf(shape, checked)
  return {
    projection,
    rowOf: (document) => {
      assertSums(document)
      for (const name of through) if (document[name] !== shape.textIn(document, name)) damaged()
      return rowOf(document, select)
    },
  }
}

/** The same of documents of earlier releases, which have no checksums. */
export function selectUnchecked(select: readonly string[], through: readonly string[]): RowSelection {
  return {
    projection: projectionOf([...select, ...through.filter((name) => name === '_id')]),
    rowOf: (document) => rowOf(document, select),
  }
}

function projectionOf(names: readonly string[]): Record<string, 0 | 1> {
  const projection: Record<string, 0 | 1> = names.includes('_id') ? {} : { _id: 0 }
  for (const name of names) projection[name] = 1
  return projection
}

/** As source text, as field names come from the schema: see `selectRows` of the embedded store. */
function checkOf(shape: Shape, checked: readonly string[]): (document: Stored) => void {
  const value = (field: string): string => `document[${JSON.stringify(field)}]`
  const source = `return (document) => { const sums = ${value(shape.sums.field)}; ${shape.sums.checkSource(checked, value, 'sums')} }`
  return compile(source, { damaged, step, withValue, isSum })
}

import { step, withValue } from '#src/adapters/value-sums.ts'
import { compile } from '#src/domain/compile.ts'
import { type CollectionSchema, type Row, type ValueKind, valueKind } from '#src/ports/read-store.ts'

const charactersPerSum = 4

/** How the rows of a collection carry checksums. */
export interface SumsForm {
  /** The field that holds them. */
  readonly field: string
  /** Most fields of few bytes that share one: whoever reads one of them reads all of them to check it. */
  readonly sharedMax: number
}

const narrowKinds: ReadonlySet<ValueKind> = new Set(['int64', 'int32'])

/**
 * The checksums of the rows of one collection: a text with one of 28 bits for each group of fields, over their values, the key and the
 * name of the collection. A single one over all fields would make every reader of one field pay for all of them, which costs
 * a page of transactions four times what it costs to read.
 */
export class RowSums {
  /** The field that holds them. */
  readonly field: string
  /** The checksums of a whole row. */
  readonly of: (row: Row) => string
  readonly #key: readonly string[]
  readonly #groups: readonly (readonly string[])[]
  readonly #seed: number

  constructor(name: string, { fields, key }: Pick<CollectionSchema, 'fields' | 'key'>, { field, sharedMax }: SumsForm) {
    this.field = field
    this.#key = key
    this.#seed = withValue(0, name)
    this.#groups = groupsOf({ fields, key }, sharedMax)
    const value = (field: string): string => `row[${JSON.stringify(field)}]`
    const sums = this.#groups.map((_, index) => `const sum${index} = ${this.#sumSource(index, value)}`)
    const codes = this.#groups.flatMap((_, index) => [0, 7, 14, 21].map((bits) => `(sum${index} >>> ${bits}) & 127`))
    const source = `return (row) => { ${this.#keySource(value)}; ${sums.join('; ')}; return String.fromCharCode(${codes.join(', ')}) }`
    this.of = compile(source, { step, withValue })
  }

  /** The fields to be read to check these: with the key and those that they share a checksum with. */
  needed(fields: readonly string[]): readonly string[] {
    return [...new Set([...fields, ...this.#key, ...this.#groupsWith(fields).flatMap((index) => this.#groups[index]!)])]
  }

  /**
   * Source of statements that call `damaged()` where checksums do not fit. `value` gives the source of a needed field's value, `sums` that
   * of the stored text. Whoever compiles it provides `step`, `withValue` and `isSum`.
   */
  checkSource(fields: readonly string[], value: (field: string) => string, sums: string): string {
    const conditions = [
      `${sums}.length === ${this.#groups.length * charactersPerSum}`,
      ...this.#groupsWith(fields).map(
        (index) => `isSum(${sums}, ${index * charactersPerSum}, ${this.#sumSource(index, value)})`,
      ),
    ]
    return `${this.#keySource(value)}; if (!(typeof ${sums} === 'string' && ${conditions.join(' && ')})) damaged()`
  }

  /** Of the groups that hold one of the fields; of the first one where there is none but the key. */
  #groupsWith(fields: readonly string[]): number[] {
    const found = [...this.#groups.keys()].filter((index) => this.#groups[index]!.some((each) => fields.includes(each)))
    return found.length > 0 ? found : [0]
  }

  #keySource(value: (field: string) => string): string {
    return `const keySum = ${this.#key.reduce((sum, field) => `withValue(${sum}, ${value(field)})`, String(this.#seed))}`
  }

  #sumSource(index: number, value: (field: string) => string): string {
    const group = this.#groups[index]!
    return group.reduce((sum, field) => `withValue(${sum}, ${value(field)})`, `step(keySum, ${index})`)
  }
}

/** Whether the text has this sum at a place. */
export function isSum(sums: string, at: number, sum: number): boolean {
  const stored =
    sums.charCodeAt(at) |
    (sums.charCodeAt(at + 1) << 7) |
    (sums.charCodeAt(at + 2) << 14) |
    (sums.charCodeAt(at + 3) << 21)
  return stored === (sum & 0x0fff_ffff)
}

/** Fields of few bytes by some, all others by themselves. The first group is always one that is cheap to read. */
function groupsOf(
  { fields, key }: Pick<CollectionSchema, 'fields' | 'key'>,
  sharedMax: number,
): readonly (readonly string[])[] {
  const narrow: string[] = []
  const wide: string[] = []
  for (const [field, kind] of Object.entries(fields)) {
    if (key.includes(field)) continue
    if (narrowKinds.has(valueKind(kind))) narrow.push(field)
    else wide.push(field)
  }
  const groups: string[][] = []
  for (let start = 0; start < narrow.length; start += sharedMax) groups.push(narrow.slice(start, start + sharedMax))
  if (groups.length === 0) groups.push([])
  return [...groups, ...wide.map((field) => [field])]
}

/** A row is not the one that was written. */
export class RowDamage extends Error {}

export function damaged(): never {
  throw new RowDamage('a row is not the one that was written: its checksum does not fit')
}

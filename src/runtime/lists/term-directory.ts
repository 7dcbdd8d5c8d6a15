import type { Row } from '#src/ports/read-store.ts'

/** Terms of a row. */
const groupTerms = 256
const groupBits = 8n
/** Groups kept in memory, some 100 bytes each; all are forgotten when there are more. */
const groupsMax = 65_536

interface Group {
  readonly kind: number
  readonly group: bigint
  /** Bits to add. */
  readonly added: Uint8Array
  /** undefined until it is loaded. */
  present: Uint8Array | undefined
  changed: boolean
}

/** Loads rows by key, in the order asked. */
export type LoadGroups = (keys: readonly (readonly [kind: number, group: bigint])[]) => Promise<(Row | undefined)[]>

/** Which terms occur, so that a range of them becomes the few that exist. */
export class TermDirectory {
  /** By kind, then group; as a number where that is exact, since maps find numbers faster. */
  readonly #groups: Map<number | bigint, Group>[] = []
  #count = 0
  #changed: Group[] = []

  add(kind: number, term: bigint): void {
    const number = Number(term)
    // Terms of more than 31 bits are rare here; shifting big integers is what this avoids.
    const isSmall = number >= 0 && number <= 0x7fffffff
    const key = isSmall ? number >>> Number(groupBits) : term >> groupBits
    const bit = isSmall ? number & (groupTerms - 1) : Number(BigInt.asUintN(Number(groupBits), term))
    const group = this.#groupOf(kind, key)
    const at = bit >> 3
    const mask = 1 << (bit & 7)
    if (((group.present ?? group.added)[at]! & mask) !== 0) return
    group.added[at]! |= mask
    if (group.present) group.present[at]! |= mask
    if (!group.changed) this.#changed.push(group)
    group.changed = true
  }

  /** Rows that have to be written, whole. */
  async takeRows(load: LoadGroups): Promise<Row[]> {
    const changed = this.#changed
    this.#changed = []
    await this.#fill(
      changed.filter(({ present }) => present === undefined),
      load,
    )
    const rows = changed.map((each): Row => {
      each.changed = false
      return { kind: each.kind, group: each.group, present: Uint8Array.from(each.present!) }
    })
    if (this.#count > groupsMax) this.#forget()
    return rows
  }

  async #fill(groups: readonly Group[], load: LoadGroups): Promise<void> {
    if (groups.length === 0) return
    const rows = await load(groups.map(({ kind, group }) => [kind, group] as const))
    for (const [index, group] of groups.entries()) {
      const stored = rows[index]?.['present'] as Uint8Array | undefined
      group.present = group.added.map((bits, at) => bits | (stored?.[at] ?? 0))
    }
  }

  #groupOf(kind: number, key: number | bigint): Group {
    this.#groups[kind] ??= new Map()
    const ofKind = this.#groups[kind]
    let group = ofKind.get(key)
    if (!group) {
      const added = new Uint8Array(groupTerms / 8)
      group = { kind, group: BigInt(key), added, present: undefined, changed: false }
      ofKind.set(key, group)
      this.#count += 1
    }
    return group
  }

  #forget(): void {
    this.#groups.length = 0
    this.#count = 0
  }
}

/** The terms that a row names, ascending. */
export function termsOf(group: bigint, present: Uint8Array): bigint[] {
  const terms: bigint[] = []
  for (let bit = 0; bit < groupTerms; bit++)
    if ((present[bit >> 3]! & (1 << (bit & 7))) !== 0) terms.push((group << groupBits) + BigInt(bit))
  return terms
}

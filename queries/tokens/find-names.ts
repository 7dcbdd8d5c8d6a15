import { gramsOf } from '#projections/tokens/packing.ts'
import { max, min } from '#queries/common/bigints.ts'
import type { TokenRange } from '#queries/tokens/find-held-tokens.ts'
import type { TokenContext } from '#queries/tokens/reads.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

interface Context extends Pick<TokenContext, 'pause'> {
  readonly rows: Pick<TokenContext['rows'], 'tokens'>
}

/** Rows of one sequence that are read at once. */
const stepRows = 200

/**
 * Tokens whose name has, or once had, every sequence of three bytes of these texts, a step at a time: each step reads on
 * from the place to which the rarest sequence leads, so that rare ones bring common ones forward.
 */
export async function* findNames(
  { rows, pause }: Context,
  texts: readonly string[],
  order: TokenRange['order'],
): AsyncGenerator<bigint[]> {
  const grams = [...new Set(texts.flatMap(gramsOf))]
  const isAscending = order === 'asc'
  let from = isAscending ? minInt64 : maxInt64
  for (;;) {
    const bound = { value: from, inclusive: true }
    const lists = await Promise.all(
      grams.map((gram) =>
        rows.tokens.find({
          collection: 'nameGrams',
          index: ['gram', 'token'],
          prefix: [gram],
          ...(isAscending ? { lower: bound } : { upper: bound }),
          descending: !isAscending,
          limit: stepRows,
          select: ['token'],
        }),
      ),
    )
    const ids = lists.map((list) => list.map(({ token }) => token))
    yield intersection(ids)
    const cut = ids.filter((list) => list.length === stepRows)
    if (cut.length === 0 || ids.some((list) => list.length === 0)) return
    // What lies before the nearest end was looked at in every list; what lies before the farthest beginning is in none.
    const ends = cut.map((list) => list.at(-1)!)
    const beginnings = ids.map((list) => list[0]!)
    from = isAscending
      ? max(ends.reduce(min) + 1n, beginnings.reduce(max))
      : min(ends.reduce(max) - 1n, beginnings.reduce(min))
    await pause()
  }
}

function intersection([first = [], ...others]: readonly (readonly bigint[])[]): bigint[] {
  const sets = others.map((list) => new Set(list))
  return first.filter((id) => sets.every((set) => set.has(id)))
}

import type { RowReader } from '#src/ports/read-store.ts'

type Reads = Pick<RowReader, 'get' | 'find'>

/**
 * One access path to results that others find as well, in the same order: in batches, with an empty one after each step that found
 * nothing, so that another path may have its turn. Reads through what it is given alone.
 */
export type AccessPath<T> = (reads: Reads) => AsyncGenerator<readonly T[], void, undefined>

/** Rows that the first path may read before others begin: nearly every page is found within. */
const headStartRows = 256
/** What asking at all costs, in rows that could be read instead. */
const queryCost = 8

/**
 * Results by the path that turns out to be the cheapest. Nobody has to know how frequent anything is: whichever path has read
 * the fewest rows takes the next step, and the first to find enough, or to end, has the answer. So all of them together read
 * no more than the cheapest alone times their number, and a head start.
 */
export async function race<T>(paths: readonly AccessPath<T>[], reads: Reads, limit: number): Promise<T[]> {
  const runners = paths.map((path, index) => new Runner(path, reads, index === 0 ? 0 : headStartRows))
  for (;;) {
    const next = runners.reduce((best, each) => (each.cost < best.cost ? each : best))
    if (await next.step(limit)) return next.found
  }
}

class Runner<T> {
  readonly found: T[] = []
  cost: number
  readonly #batches: AsyncGenerator<readonly T[], void, undefined>

  constructor(path: AccessPath<T>, reads: Reads, handicap: number) {
    this.cost = handicap
    this.#batches = path({
      get: async (collection, keys, select) => {
        this.cost += queryCost + keys.length
        return reads.get(collection, keys, select)
      },
      find: async (query) => {
        const rows = await reads.find(query)
        this.cost += queryCost + rows.length
        return rows
      },
    })
  }

  /** Resolves to whether all is found that was wanted, or that there is. */
  async step(limit: number): Promise<boolean> {
    const { value, done } = await this.#batches.next()
    if (done) return true
    this.found.push(...value.slice(0, limit - this.found.length))
    return this.found.length >= limit
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partyFlag } from '#projections/transactions/packing.ts'
import { findPostings, type PostingFilter } from '#queries/transactions/find-postings.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import { contextOfPostings, type PlacedPosting } from '#test/support/postings.ts'

const events = 100
const everything: PostingFilter = {
  lower: 0n,
  upper: 1n << 60n,
  success: undefined,
  matchesType: undefined,
  flags: 0,
  batch: 128,
}
const rest = { kind: 0, type: 14, flags: partyFlag.payer, success: true }

function timeAt(sequence: number): bigint {
  return BigInt(sequence) * 1_000n
}

async function collect(
  context: TransactionContext,
  terms: readonly bigint[],
  filter: PostingFilter,
  descending: boolean,
  limit = Infinity,
): Promise<bigint[]> {
  const times: bigint[] = []
  const lists = terms.map((term) => ({ kind: 0, term }))
  for await (const batch of findPostings(context, [lists], filter, descending)) {
    times.push(...batch)
    if (times.length >= limit) break
  }
  return times
}

const posting = fc
  .record({
    term: fc.bigInt(1n, 3n),
    sequence: fc.integer({ min: 1, max: events }),
    type: fc.nat(3),
    flags: fc.nat(15),
    success: fc.boolean(),
  })
  .map((each): PlacedPosting => ({ ...each, kind: 0, time: timeAt(each.sequence) }))
const placedPostings = fc.uniqueArray(posting, {
  maxLength: 60,
  selector: ({ term, sequence }) => `${term} ${sequence}`,
})

describe('findPostings', () => {
  it('finds what a look at every posting finds, in order, whatever the bounds and the direction', async () => {
    const bound = fc.bigInt(0n, timeAt(events))
    await fc.assert(
      fc.asyncProperty(
        placedPostings,
        fc.uniqueArray(fc.bigInt(1n, 3n), { minLength: 1 }),
        bound,
        bound,
        fc.boolean(),
        fc.nat(15),
        async (all, terms, one, other, descending, flags) => {
          const [lower, upper] = one < other ? [one, other] : [other, one]
          const filter = { ...everything, lower, upper, flags, matchesType: (type: number) => type < 3 }
          const expected = all
            .filter(({ term, type }) => terms.includes(term) && type < 3)
            .filter((each) => flags === 0 || (each.flags & flags) !== 0)
            .map(({ time }) => time)
            .filter((time) => time >= lower && time <= upper)
          const ascending = [...new Set(expected)].sort((a, b) => (a < b ? -1 : 1))
          const context = await contextOfPostings(all, { position: events, time: timeAt(events) })
          expect(await collect(context, terms, filter, descending)).toEqual(
            descending ? ascending.reverse() : ascending,
          )
        },
      ),
      { numRuns: 60 },
    )
  }, 60_000)

  it('reads little for a page of an account that is in every transaction, wherever the page begins', async () => {
    const position = 80_000
    const all = Array.from({ length: position }, (_, index) => ({
      ...rest,
      term: 1n,
      sequence: index + 1,
      time: timeAt(index + 1),
    }))
    const context = await contextOfPostings(all, { position, time: timeAt(position) })
    for (const place of [100, 40_000, 79_000]) {
      const before = context.calls()
      const upper = timeAt(place)
      expect((await collect(context, [1n], { ...everything, upper }, true, 1))[0]).toBe(upper)
      expect(context.calls() - before).toBeLessThan(4)
    }
  }, 60_000)

  it('answers as of the bound of a route whose other read models are behind by more events than merged runs stay', async () => {
    const position = 1_180_000
    const sequences = Array.from({ length: 20 }, (_, index) => 1 + index * 59_000)
    const all = sequences.map((sequence) => ({ ...rest, term: 1n, sequence, time: timeAt(sequence) }))
    const context = await contextOfPostings(all, { position, time: timeAt(position) })
    const bound = { position: 100_000, time: timeAt(100_000) }
    const expected = [timeAt(59_001), timeAt(1)]
    expect(await collect({ ...context, checkpoint: bound }, [1n], everything, true)).toEqual(expected)
    // Its own runs are no longer there.
    const alone = { ...context, checkpoint: bound, checkpoints: { transactions: bound } }
    await expect(collect(alone, [1n], everything, true)).rejects.toThrow('merged further')
  }, 60_000)

  it('lets a search be given up while it walks', async () => {
    const context = await contextOfPostings([], { position: events, time: timeAt(events) })
    const pause = () => Promise.reject(new Error('given up'))
    await expect(collect({ ...context, pause }, [1n], everything, true)).rejects.toThrow('given up')
  })
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Posting, partyFlag } from '#projections/transactions/postings.ts'
import { segmentSize, windowSize } from '#projections/transactions/schema.ts'
import { defaultQuerySettings } from '#queries/common/settings.ts'
import { findPostings } from '#queries/transactions/find-postings.ts'
import type { PostingFilter } from '#queries/transactions/posting-scan.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import { type Row, type RowQuery, typedRows } from '#src/ports/read-store.ts'
import { type RowReaderFake, rowReaderFake } from '#test/queries/row-reader-fake.ts'
import { encodePostings } from '#test/support/postings.ts'

const segments = 5
const windowsPerSegment = segmentSize / windowSize
/** Window w holds times w*1000 and up. */
const windowSpan = 1_000n
const rest = { type: 14, flags: partyFlag.payer, success: true }
const everything: PostingFilter = { lower: 0n, upper: 1n << 60n, success: undefined, matchesType: undefined, flags: 0 }

interface Entry {
  readonly term: bigint
  readonly window: number
  readonly posting: Posting
}

function rowsOf(entries: readonly Entry[]): Row[] {
  const groups = Map.groupBy(entries, ({ term, window }) => `${term} ${window}`)
  return [...groups.values()].map((group) => {
    const [{ term, window }] = group as [Entry]
    const postings = group
      .map(({ posting }) => posting)
      .sort((a, b) => (a.consensusTimestamp < b.consensusTimestamp ? -1 : 1))
    return { segment: Math.floor(window / windowsPerSegment), kind: 0, term, window, entries: encodePostings(postings) }
  })
}

function contextOf(entries: readonly Entry[]): TransactionContext & { calls: () => number; reader: RowReaderFake } {
  const checkpoint = { position: segments * segmentSize, time: BigInt(segments * windowsPerSegment) * windowSpan }
  const reader = rowReaderFake({ postings: rowsOf(entries) }, checkpoint)
  return {
    reader,
    rows: { transactions: typedRows(reader) },
    checkpoint,
    settings: defaultQuerySettings,
    now: 0n,
    pause: async () => {},
    calls: () => reader.calls,
  }
}

async function collect(
  context: TransactionContext,
  terms: readonly bigint[],
  filter: PostingFilter,
  descending: boolean,
  limit = Infinity,
) {
  const times: bigint[] = []
  const lists = terms.map((term) => ({ kind: 0, term }))
  for await (const batch of findPostings(context, lists, filter, descending)) {
    times.push(...batch)
    if (times.length >= limit) break
  }
  return times
}

const entry = fc
  .record({
    term: fc.bigInt(1n, 3n),
    window: fc.nat(segments * windowsPerSegment - 1),
    place: fc.bigInt(0n, windowSpan - 1n),
    type: fc.nat(3),
    flags: fc.nat(15),
    success: fc.boolean(),
  })
  .map(({ term, window, place, type, flags, success }) => ({
    term,
    window,
    posting: { consensusTimestamp: BigInt(window) * windowSpan + place, type, flags, success },
  }))
const entries = fc.uniqueArray(entry, {
  maxLength: 60,
  selector: ({ term, posting }) => `${term} ${posting.consensusTimestamp}`,
})

describe('findPostings', () => {
  it('finds what a look at every posting finds, in order, whatever the bounds and the direction', async () => {
    const bound = fc.bigInt(0n, BigInt(segments * windowsPerSegment) * windowSpan)
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.uniqueArray(fc.bigInt(1n, 3n), { minLength: 1 }),
        bound,
        bound,
        fc.boolean(),
        fc.nat(15),
        async (all, terms, one, other, descending, flags) => {
          const [lower, upper] = one < other ? [one, other] : [other, one]
          const filter = { ...everything, lower, upper, flags, matchesType: (type: number) => type < 3 }
          const expected = all
            .filter(
              ({ term, posting }) =>
                terms.includes(term) && (flags === 0 || (posting.flags & flags) !== 0) && posting.type < 3,
            )
            .map(({ posting }) => posting.consensusTimestamp)
            .filter((time) => time >= lower && time <= upper)
          const ascending = [...new Set(expected)].sort((a, b) => (a < b ? -1 : 1))
          expect(await collect(contextOf(all), terms, filter, descending)).toEqual(
            descending ? ascending.reverse() : ascending,
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  it('reads a bounded number of rows for a page of an account that is in every window', async () => {
    const all = Array.from({ length: segments * windowsPerSegment }, (_, window) => ({
      term: 1n,
      window,
      posting: { consensusTimestamp: BigInt(window) * windowSpan, type: 14, flags: partyFlag.payer, success: true },
    }))
    const context = contextOf(all)
    const upper = 100n * windowSpan
    expect((await collect(context, [1n], { ...everything, upper }, true, 1))[0]).toBe(upper)
    expect(context.calls()).toBeLessThan(20)
  })

  it('asks for a bounded number of windows at once, however many lists and segments it walks', async () => {
    const terms = Array.from({ length: 100 }, (_, index) => BigInt(index + 1))
    const all = terms.flatMap((term) =>
      Array.from({ length: segments }, (_, segment) => ({
        term,
        window: segment * windowsPerSegment + 1,
        posting: { consensusTimestamp: BigInt(segment * windowsPerSegment + 1) * windowSpan + term, ...rest },
      })),
    )
    for (const [lists, most] of [
      [terms, 200],
      [terms.slice(0, 7), 256],
    ] as const) {
      const context = contextOf(all)
      let asked = 0
      let askedMost = 0
      const find = async (query: RowQuery) => {
        asked += query.limit
        askedMost = Math.max(askedMost, asked)
        await nextTurn()
        asked -= query.limit
        return context.reader.find(query)
      }
      const found = await collect(
        { ...context, rows: { transactions: typedRows({ ...context.reader, find }) } },
        lists,
        everything,
        true,
      )
      expect(found).toHaveLength(lists.length * segments)
      expect(askedMost).toBeLessThanOrEqual(most)
    }
  })

  it('lets a search be given up while it walks segments that hold nothing', async () => {
    const pause = () => Promise.reject(new Error('given up'))
    await expect(collect({ ...contextOf([]), pause }, [1n], everything, true)).rejects.toThrow('given up')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeParties, type Party, partyFlag } from '#projections/transactions/packing.ts'
import { postingKind, transactionFlag } from '#projections/transactions/schema.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { parseQuery } from '#queries/common/parse-query.ts'
import { parseQueryString } from '#queries/common/query-string.ts'
import { race } from '#queries/common/race.ts'
import { defaultQuerySettings } from '#queries/common/settings.ts'
import { accessPathsTo } from '#queries/transactions/access-paths.ts'
import { type Criteria, criteriaOf } from '#queries/transactions/criteria.ts'
import { findTransactions, narrowTypes } from '#queries/transactions/find-transactions.ts'
import { narrowAccounts } from '#queries/transactions/narrow-accounts.ts'
import { listParameters } from '#queries/transactions/params.ts'
import { plainRows } from '#src/ports/read-store.ts'
import { type CountingContext, contextOfPostings, type PlacedPosting } from '#test/support/postings.ts'

interface Sample {
  readonly type: number
  readonly success: boolean
  readonly tokens?: readonly bigint[]
  readonly parties: readonly Party[]
}

const { payer, credit, debit, transfer } = partyFlag
const transferType = 14
/** None that has a name. */
const unnamedType = 60_000

/** Each transaction a second after the one before. */
const timeAt = (sequence: number): bigint => BigInt(sequence) * 1_000_000_000n

function contextOf(samples: readonly Sample[]): Promise<CountingContext> {
  const checkpoint = { position: samples.length, time: timeAt(samples.length) }
  const placed = samples.flatMap(({ type, success, parties, tokens = [] }, index): PlacedPosting[] => {
    const at = { sequence: index + 1, time: timeAt(index + 1), type, success }
    return [
      ...parties.map(({ account, flags }) => ({ ...at, kind: postingKind.account, term: account, flags })),
      { ...at, kind: postingKind.type, term: BigInt(type), flags: 0 },
      ...(success ? [] : [{ ...at, kind: postingKind.failed, term: 0n, flags: 0 }]),
      ...tokens.map((term) => ({ ...at, kind: postingKind.token, term, flags: 0 })),
    ]
  })
  return contextOfPostings(placed, checkpoint, samples.map(rowOf))
}

function rowOf({ type, success, parties }: Sample, index: number) {
  const has = (flag: number): boolean => parties.some(({ flags }) => (flags & flag) !== 0)
  const time = timeAt(index + 1)
  const { success: succeeded, credit: credited, debit: debited } = transactionFlag
  return {
    consensusTimestamp: time,
    validStart: time,
    payer: 2n,
    nonce: 0,
    scheduled: 0,
    type,
    result: success ? 22 : 10,
    flags: (success ? succeeded : 0) | (has(credit) ? credited : 0) | (has(debit) ? debited : 0),
    parties: encodeParties(parties),
    hash: null,
    innerIds: null,
    nftTransfers: null,
    body: `${index + 1}`,
    assessedCustomFees: null,
  }
}

function criteria(query: string): Criteria {
  const filters = parseQuery(parseQueryString(query, 100), listParameters, defaultQuerySettings)
  const order = lastValue(filters.order) ?? 'desc'
  return criteriaOf({ filters, order, limit: Number(lastValue(filters.limit) ?? 25) })!
}

/** 60,000 transactions of a busy pair; 400 accounts above 5000 paid long ago, once each, and were never credited. */
function busyLedger(): Promise<CountingContext> {
  const busy = [
    { account: 3n, flags: transfer | credit },
    { account: 1_001n, flags: payer | transfer | debit },
  ]
  const samples = Array.from({ length: 60_000 }, (_, index): Sample => {
    const dormant = index % 50 === 0 && index < 20_000
    const parties = dormant
      ? [busy[0]!, { account: BigInt(5_000 + index / 50), flags: payer | debit | transfer }]
      : busy
    const rare = index === 30_000 || index === 40_000
    return { type: rare ? 11 : index % 2 === 0 ? unnamedType : transferType, success: true, parties }
  })
  return contextOf(samples)
}

describe('a search that few or no transactions meet', () => {
  const ledger = busyLedger()

  it.each([
    ['the example that starved a service', 'type=credit&transactiontype=UNKNOWN&account.id=gte:5000', 0, 7_000],
    ['the same of types that do not occur', 'type=credit&transactiontype=CRYPTODELETE&account.id=gte:5000', 0, 100],
    ['accounts of a wide range that were busy long ago', 'account.id=gte:5000', 100, 7_000],
    ['the same the other way round', 'account.id=gte:5000&order=asc', 100, 7_000],
    ['a busy account with a rare type', 'account.id=3&transactiontype=CRYPTODELETEALLOWANCE', 0, 330],
    ['a rare type with a range that nearly all are in', 'account.id=gte:3&transactiontype=CRYPTOCREATEACCOUNT', 2, 700],
    ['a sign that a busy account never has', 'account.id=3&type=debit', 0, 700],
    ['failures of a busy account where there are none', 'account.id=3&result=fail', 0, 700],
  ])(
    'reads thousands of rows at most: %s',
    async (_what, query, found, rowsMax) => {
      const context = await ledger
      const before = context.rowsRead()
      const page = await findTransactions(criteria(`limit=100&${query}`), context)
      expect(page).toHaveLength(found)
      expect(context.rowsRead() - before).toBeLessThan(rowsMax)
    },
    60_000,
  )

  it('reads little for what most transactions meet', async () => {
    const context = await ledger
    for (const query of ['account.id=gte:3', 'type=credit', 'account.id=3&type=credit', 'transactiontype=UNKNOWN']) {
      const before = context.rowsRead()
      expect(await findTransactions(criteria(query), context)).toHaveLength(25)
      expect(context.rowsRead() - before).toBeLessThan(300)
    }
  }, 60_000)
})

describe('every way to the transactions', () => {
  const parties = fc
    .uniqueArray(fc.bigInt(1n, 60n), { maxLength: 4 })
    .chain((accounts) =>
      fc.tuple(...accounts.map((account) => fc.record({ account: fc.constant(account), flags: fc.nat(15) }))),
    )
    .map((all) => all.toSorted((a, b) => (a.account < b.account ? -1 : 1)))
  const sample = fc.record({
    type: fc.constantFrom(transferType, 11, unnamedType),
    success: fc.boolean(),
    tokens: fc.uniqueArray(fc.bigInt(70n, 72n), { maxLength: 2 }),
    parties,
  })
  const option = (...values: string[]) => fc.constantFrom('', ...values)
  const query = fc
    .tuple(
      option('account.id=7', 'account.id=7&account.id=9', 'account.id=gte:3', 'account.id=lt:9', 'account.id=ne:5'),
      option('token.id=70', 'token.id=0.0.70&token.id=72', 'token.id=99'),
      option('type=credit', 'type=debit'),
      option('result=success', 'result=fail'),
      option('transactiontype=UNKNOWN', 'transactiontype=CRYPTOTRANSFER'),
      option('timestamp=gt:20&timestamp=lte:90', 'timestamp=ne:30'),
      option('order=asc'),
    )
    .map((parts) => parts.filter((part) => part !== '').join('&'))

  it('finds what a look at every row finds, in order', async () => {
    let raced = 0
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { minLength: 100, maxLength: 120 }), query, async (samples, asked) => {
        const context = await contextOf(samples)
        const narrowed = await narrowTypes(await narrowAccounts(criteria(asked), context), context)
        const expected = expectedTimes(samples, criteria(asked))
        const paths = accessPathsTo(narrowed, context)
        if (paths.length > 1) raced += 1
        for (const way of paths)
          expect(await race([way], plainRows(context.rows.transactions), 25)).toEqual(expected.slice(0, 25))
        const page = await findTransactions(criteria(asked), context)
        expect(page.map(({ consensusTimestamp }) => consensusTimestamp)).toEqual(expected.slice(0, 25))
      }),
      { numRuns: 80 },
    )
    expect(raced).toBeGreaterThan(5)
  }, 60_000)
})

/** The rules once more, without any of what the search is made of. */
function expectedTimes(
  samples: readonly Sample[],
  { accounts, tokens, sign, success, types, time, order }: Criteria,
): bigint[] {
  const bit = sign === undefined ? 15 : partyFlag[sign]
  const isAccount = (account: bigint): boolean =>
    (accounts?.oneOf?.includes(account) ?? true) &&
    (accounts === undefined ||
      (account >= accounts.range.lower &&
        account <= accounts.range.upper &&
        !accounts.range.excluded.includes(account)))
  const times = samples.flatMap((each, index) => {
    const at = timeAt(index + 1)
    const takesPart = each.parties.some(
      ({ account, flags }) => isAccount(account) && (sign === undefined || (flags & bit) !== 0),
    )
    const meets =
      ((accounts === undefined && sign === undefined) || takesPart) &&
      (success === undefined || success === each.success) &&
      (types === undefined || types.matches(each.type)) &&
      (tokens?.some((token) => each.tokens?.includes(token)) ?? true) &&
      at >= time.lower &&
      at <= time.upper &&
      !time.excluded.includes(at)
    return meets ? [at] : []
  })
  return order === 'asc' ? times : times.toReversed()
}

import { describe, expect, it } from 'vitest'
import { balancesProjection } from '#projections/balances/projection.ts'
import { allAccounts, balancesSchema, hbar } from '#projections/balances/schema.ts'
import { findAccountBalances } from '#queries/balances/find-account-balances.ts'
import { findCount } from '#queries/balances/find-count.ts'
import { findNewestChanges, newestOf } from '#queries/balances/find-newest-change.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import { eventOfStep, NaiveLedger, randomOf, randomSteps } from '#test/projections/balances/naive-ledger.ts'
import { publish, recordOf } from '#test/support/events.ts'
import { foldGround } from '#test/support/fold-ground.ts'

const tokens = Array.from({ length: 5 }, (_, index) => BigInt(9_000 + index))
const accounts = Array.from({ length: 9 }, (_, index) => BigInt(1_000 + index))

describe('balances of random transactions', () => {
  const ground = foldGround()

  const fold = (limits: object = {}) => ground.fold([balancesProjection], limits)

  it.each([1, 2, 3])('equal those of a ledger of maps, now and at any instant (seed %i)', async (seed) => {
    const steps = randomSteps(seed, 700)
    const naive = new NaiveLedger()
    for (const step of steps) naive.add(step)
    await publish(
      ground.log,
      steps.map((step) => recordOf('TransactionRecorded', eventOfStep(step))),
    )
    await fold()
    const reader = await ground.store.openReader(balancesSchema)
    const rows = rowsAt(balancesSchema, reader, maxInt64)
    const checkpoint = await reader.checkpoint()
    if (checkpoint === undefined) throw new Error('nothing was folded')
    const random = randomOf(seed)
    const end = steps.at(-1)?.time ?? 0n
    const instants = [undefined, ...Array.from({ length: 60 }, () => BigInt(990 + random(Number(end) - 980)))]
    for (const time of instants) {
      const at = { checkpoint, time }
      const found = await findAccountBalances(rows, { accounts, at, tokensMax: 50 })
      const instant = time ?? end
      expect(found.map(({ account, balance, tokens }) => ({ account, balance, tokens }))).toEqual(
        accounts.map((account) => ({
          account,
          balance: naive.hbar(account, instant),
          tokens: naive.tokens(account, instant),
        })),
      )
      expect(newestOf(await findNewestChanges(rows, at))).toBe(naive.newestChange(instant))
      const counts = await Promise.all([allAccounts, hbar, ...tokens].map((counted) => findCount(rows, counted, at)))
      expect(counts).toEqual(naive.counts(accounts, tokens, instant))
    }
  })

  it('are those of the request’s instant where later events were folded meanwhile', async () => {
    const steps = randomSteps(4, 300)
    const naive = new NaiveLedger()
    for (const step of steps) naive.add(step)
    await publish(
      ground.log,
      steps.map((step) => recordOf('TransactionRecorded', eventOfStep(step))),
    )
    await fold()
    const rows = rowsAt(balancesSchema, await ground.store.openReader(balancesSchema), maxInt64)
    for (const position of [20, 150, 299, 300]) {
      const time = steps[position - 1]?.time ?? 0n
      const at = { checkpoint: { position, time }, time: undefined }
      const counts = await Promise.all([allAccounts, hbar, ...tokens].map((counted) => findCount(rows, counted, at)))
      expect(counts).toEqual(naive.counts(accounts, tokens, time))
      const found = await findAccountBalances(rows, {
        accounts,
        at,
        tokensMax: 50,
        order: 'desc',
      })
      expect(found.map(({ balance, tokens }) => ({ balance, tokens }))).toEqual(
        accounts.map((account) => ({
          balance: naive.hbar(account, time),
          tokens: naive.tokens(account, time).reverse(),
        })),
      )
    }
  })

  it('are the same rows whatever the batches, the commits and the restarts', async () => {
    const steps = randomSteps(5, 400)
    await publish(
      ground.log,
      steps.map((step) => recordOf('TransactionRecorded', eventOfStep(step))),
    )
    await fold()
    const expected = await ground.allRows(balancesSchema)
    for (const limits of [
      { readCountMax: 7, commitEventsMax: 5 },
      { commitRowsMax: 3 },
      { cacheBytesMax: 0, readCountMax: 16 },
    ]) {
      await ground.emptyStore()
      await fold(limits)
      expect(await ground.allRows(balancesSchema)).toEqual(expected)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { allowancesProjection } from '#projections/allowances/projection.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { approved, calledBy, spent } from '#test/projections/allowances/story.ts'
import { accountCreated } from '#test/projections/entities/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'

const carol = 1_003n
const contract = 5_001n
const gold = 2_001n
const alias = Buffer.from(`1220${'ab'.repeat(32)}`, 'hex')

const fold = (...records: readonly LogRecord[]) => foldedRows(allowancesProjection, records)

/** Who may take how much of what from whom: what is left, of what was granted when. */
async function left(...records: readonly LogRecord[]) {
  const { allowances = [] } = await fold(...records)
  return allowances.map(({ owner, spender, token, amount, granted, grantedAt }) => ({
    ...{ owner, spender, amount, of: granted, since: grantedAt },
    ...(token !== 0n && { token }),
  }))
}

const granted = { owner: alice, spender: bob, amount: 100n }

describe('an allowance', () => {
  it('is what the body says, of the payer where the entry names no owner', async () => {
    expect(
      await left(
        approved(10n, alice, [
          { spender: bob, amount: 5n },
          { ...granted, owner: carol, token: gold },
        ]),
      ),
    ).toEqual([
      { owner: alice, spender: bob, amount: 5n, of: 5n, since: 10n },
      { owner: carol, spender: bob, token: gold, amount: 100n, of: 100n, since: 10n },
    ])
  })

  it('is what the last entry of a body says of it', async () => {
    const twice = [granted, { ...granted, amount: 7n }]
    expect(await left(approved(10n, alice, twice))).toMatchObject([{ amount: 7n, of: 7n }])
  })

  it('is replaced by the next approval, and not added to', async () => {
    const rows = await left(approved(10n, alice, [granted]), approved(20n, alice, [{ ...granted, amount: 3n }]))
    expect(rows).toMatchObject([{ amount: 3n, of: 3n, since: 20n }])
  })

  it('is not granted by what failed, nor to or by a name that is nobody', async () => {
    const failed = { successful: false, result: 7 }
    const rows = await left(
      approved(10n, alice, [granted], failed),
      approved(20n, alice, [{ ...granted, owner: alias }]),
      approved(30n, alice, [{ ...granted, spender: alias }]),
    )
    expect(rows).toEqual([])
  })

  it('is found by the aliases of its accounts', async () => {
    const rows = await left(
      accountCreated(5n, carol, {}, { record: { alias } }),
      approved(10n, alice, [{ ...granted, owner: alias }]),
      spent(20n, bob, [{ owner: alias, amount: 40n }]),
    )
    expect(rows).toMatchObject([{ owner: carol, spender: bob, amount: 60n }])
  })

  it('lessens with each approved spending, of several entries by all', async () => {
    const rows = await left(
      approved(10n, alice, [granted, { ...granted, token: gold }]),
      spent(20n, bob, [
        { owner: alice, amount: 30n },
        { owner: alice, token: gold, amount: 1n },
        { owner: alice, token: gold, amount: 2n },
      ]),
      spent(30n, bob, [{ owner: alice, amount: 30n }]),
    )
    expect(rows).toEqual([
      { owner: alice, spender: bob, amount: 40n, of: 100n, since: 10n },
      { owner: alice, spender: bob, token: gold, amount: 97n, of: 100n, since: 10n },
    ])
  })

  it('stays what it is when the owner spends, somebody else does, or what is received is approved', async () => {
    const rows = await left(
      approved(10n, alice, [granted]),
      spent(20n, bob, [{ owner: alice, amount: 30n, isApproval: false }]),
      spent(30n, carol, [{ owner: alice, amount: 30n }]),
      spent(40n, bob, [{ owner: alice, amount: -30n }]),
    )
    expect(rows).toMatchObject([{ amount: 100n }])
  })

  it('is spent by whoever called the contract that makes the transfer, of hbar as of tokens', async () => {
    const rows = await left(
      approved(10n, alice, [
        { ...granted, spender: contract },
        { ...granted, spender: contract, token: gold },
      ]),
      spent(
        20n,
        bob,
        [
          { owner: alice, amount: 1n },
          { owner: alice, token: gold, amount: 2n },
        ],
        calledBy(contract),
      ),
    )
    expect(rows).toMatchObject([{ amount: 99n }, { amount: 98n }])
  })

  it('is spent by the payer where a result does not say who called', async () => {
    const rows = await left(
      approved(10n, alice, [granted]),
      spent(20n, bob, [{ owner: alice, amount: 1n }], calledBy(null)),
    )
    expect(rows).toMatchObject([{ amount: 99n }])
  })

  it('is not spent of by what failed, but of tokens by what was found to have failed afterwards', async () => {
    const both = [
      { owner: alice, amount: 1n },
      { owner: alice, token: gold, amount: 1n },
    ]
    const rows = await left(
      approved(10n, alice, [granted, { ...granted, token: gold }]),
      spent(20n, bob, both, { successful: false, result: 292 }),
      spent(30n, bob, both, { successful: false, result: 23 }),
    )
    expect(rows).toMatchObject([{ amount: 100n }, { amount: 99n }])
  })

  it('that nobody knows of is not made up by a spending', async () => {
    expect(await left(spent(20n, bob, [{ owner: alice, amount: 1n }]))).toEqual([])
  })

  it('is in a list as long as something is left of it', async () => {
    const rows = await fold(
      approved(10n, alice, [granted, { ...granted, token: gold }, { ...granted, spender: carol }]),
      spent(20n, bob, [{ owner: alice, amount: 100n }]),
      approved(30n, alice, [{ ...granted, spender: carol, amount: 0n }]),
    )
    expect(rows['allowances']).toMatchObject([
      { spender: bob, token: 0n, amount: 0n, granted: 100n, list: 0 },
      { spender: bob, token: gold, amount: 100n, list: 2 },
      { spender: carol, amount: 0n, granted: 0n, list: 0 },
    ])
  })

  it('keeps what it was before each change', async () => {
    const rows = await fold(
      approved(10n, alice, [granted]),
      spent(20n, bob, [{ owner: alice, amount: 30n }]),
      approved(30n, alice, [{ ...granted, amount: 0n }]),
    )
    expect(rows['allowanceVersions']).toMatchObject([
      { from: 10n, until: 20n, amount: 100n },
      { from: 20n, until: 30n, amount: 70n, granted: 100n, grantedAt: 10n },
    ])
  })

  it('is what is stated of it, and goes on from there', async () => {
    const stated = recordOf('AllowanceSnapshotted', {
      ...{ ownerId: alice, spenderId: bob, tokenId: gold, asOf: 15n, validTo: null },
      ...{ amountGranted: 500n, amount: 200n },
    })
    const rows = await left(
      approved(10n, alice, [{ ...granted, token: gold }]),
      stated,
      spent(20n, bob, [{ owner: alice, token: gold, amount: 50n }]),
    )
    expect(rows).toEqual([{ owner: alice, spender: bob, token: gold, amount: 150n, of: 500n, since: 15n }])
  })

  it('that is stated to be over is not spent of', async () => {
    const over = recordOf('AllowanceSnapshotted', {
      ...{ ownerId: alice, spenderId: bob, tokenId: null, asOf: 10n, validTo: 12n },
      ...{ amountGranted: 500n, amount: 200n },
    })
    expect(await left(over, spent(20n, bob, [{ owner: alice, amount: 50n }]))).toMatchObject([{ amount: 200n }])
  })

  it.each(awkwardLimits)('is the same whatever the batches: %o', async (limits) => {
    const records = [
      accountCreated(5n, carol, {}, { record: { alias } }),
      approved(10n, alice, [granted, { ...granted, token: gold }, { ...granted, owner: alias }]),
      ...[20n, 30n, 40n].map((time) =>
        spent(time, bob, [
          { owner: alias, amount: 3n },
          { owner: alice, token: gold, amount: 4n },
        ]),
      ),
      approved(50n, alice, [{ ...granted, amount: 0n }]),
    ]
    expect(await foldedRows(allowancesProjection, records, limits)).toEqual(await fold(...records))
  })
})

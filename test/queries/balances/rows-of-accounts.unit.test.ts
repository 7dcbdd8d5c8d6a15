import { describe, expect, it } from 'vitest'
import { rowsOfAccounts } from '#queries/balances/rows-of-accounts.ts'

const known = [3n, 4n, 6n, 7n, 8n, 900n].map((account) => ({ account }))

/** Rows of the accounts, and by how many reads of which kind. */
async function read(...accounts: bigint[]) {
  const reads: string[] = []
  const rows = await rowsOfAccounts(
    accounts,
    async (keys) => {
      reads.push(`${keys.length} keys`)
      return keys.map(([key]) => known.find(({ account }) => account === key))
    },
    async ({ lower, upper, descending, limit }) => {
      reads.push(`range of ${limit}`)
      const between = known.filter(({ account }) => account >= lower.value && account <= upper.value)
      return (descending ? between.reverse() : between).slice(0, limit)
    },
  )
  return { found: rows.map((row) => row?.account), reads }
}

describe('rows of accounts', () => {
  it.each([
    ['ascending', [3n, 4n, 5n, 8n]],
    ['descending', [9n, 7n, 4n, 2n]],
    ['absent at both ends', [1n, 2n, 6n, 9n, 10n]],
  ])('are one range where the numbers are close to each other (%s)', async (_order, accounts) => {
    const { found, reads } = await read(...accounts)
    const present = new Set(known.map(({ account }) => account))
    expect(found).toEqual(accounts.map((account) => (present.has(account) ? account : undefined)))
    expect(reads).toHaveLength(1)
    expect(reads[0]).toMatch(/^range of /)
  })

  it.each([
    ['few', [3n, 4n, 6n]],
    ['far from each other', [3n, 4n, 6n, 900n]],
    ['in no order', [3n, 6n, 4n, 8n]],
    ['some of them twice', [3n, 4n, 4n, 8n]],
    ['none', []],
  ])('are read by their keys where they are %s', async (_case, accounts) => {
    const { found, reads } = await read(...accounts)
    expect(found).toEqual(accounts)
    expect(reads).toEqual([`${accounts.length} keys`])
  })
})

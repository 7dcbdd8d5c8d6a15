import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { Prng } from '#src/simulator/prng.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { type ModelNft, NftModel } from '#test/queries/nfts/model.ts'
import { readerStandingAt } from '#test/support/reader-standing-at.ts'

let ledger: TestLedger
let app: FastifyInstance
afterEach(() => ledger.close())

const seed = process.env['LEDGER_TEST_SEED'] ?? 'a'
const tokens = [3_001n, 3_002n, 3_003n]
const accounts = [1_001n, 1_002n, 1_003n, 1_004n]
const base = '/api/v1'

interface Shown {
  readonly account_id: string | null
  readonly deleted: boolean
  readonly modified_timestamp: string
  readonly serial_number: number
  readonly spender: string | null
  readonly token_id: string
}

const id = (value: bigint | null) => (value === null ? null : `0.0.${value}`)
const time = (value: bigint) => `0.${value.toString().padStart(9, '0')}`

const expected = (nft: ModelNft): Shown => ({
  account_id: id(nft.owner),
  deleted: nft.deleted,
  modified_timestamp: time(nft.modified),
  serial_number: Number(nft.serial),
  spender: id(nft.spender),
  token_id: `0.0.${nft.token}`,
})

const sorted = (nfts: readonly ModelNft[], order: 'asc' | 'desc'): Shown[] => {
  const ascending = nfts.toSorted((a, b) => Number(a.token - b.token || a.serial - b.serial))
  return (order === 'asc' ? ascending : ascending.reverse()).map(expected)
}

/** NFTs after so many steps, asked of read models that are further ahead. */
async function open(steps: number, ahead = 0): Promise<readonly ModelNft[]> {
  const model = new NftModel(new Prng(seed), tokens, accounts)
  for (let step = 0; step < steps; step++) model.step()
  const nfts = structuredClone(model.nfts)
  const bound = { position: model.records.length, time: model.records.at(-1)!.time }
  for (let step = 0; step < ahead; step++) model.step()
  ledger = await openTestLedger()
  await ledger.record(model.records)
  const readers = { ...ledger.readers }
  for (const [name, reader] of Object.entries(readers)) readers[name] = readerStandingAt(reader, () => bound)
  app = ledger.app({}, { readers })
  return nfts
}

/** All rows of a list, page by page. */
async function all<T>(path: string, name: string): Promise<T[]> {
  const rows: T[] = []
  for (let next: string | null = path; next !== null; ) {
    const body: Record<string, unknown> & { links: { next: string | null } } = (await app.inject(next)).json()
    rows.push(...(body[name] as T[]))
    next = body.links.next
  }
  return rows
}

it.each([0, 1, 30, 200])(
  `answers as if a change of treasury had touched every NFT, whatever %i later steps did (seed "${seed}")`,
  { timeout: 60_000 },
  async (ahead) => {
    const nfts = await open(300, ahead)
    for (const order of ['asc', 'desc'] as const) {
      const page = `limit=3&order=${order}`
      for (const token of tokens) {
        const own = nfts.filter((nft) => nft.token === token)
        expect(await all(`${base}/tokens/${token}/nfts?${page}`, 'nfts')).toMatchObject(sorted(own, order))
        for (const [filter, matches] of [
          ['account.id=1002', (owner: bigint) => owner === 1_002n],
          ['account.id=gt:1001&account.id=lt:1004', (owner: bigint) => owner > 1_001n && owner < 1_004n],
          ['account.id=ne:1002', (owner: bigint) => owner !== 1_002n],
        ] as const) {
          const found = await all(`${base}/tokens/${token}/nfts?${page}&${filter}`, 'nfts')
          const wanted = own.filter(({ owner }) => owner !== null && matches(owner))
          expect({ filter, found }).toMatchObject({ filter, found: sorted(wanted, order) })
        }
      }
      for (const account of accounts) {
        const own = nfts.filter(({ owner }) => owner === account)
        const path = `${base}/accounts/${account}/nfts?${page}`
        expect(await all(path, 'nfts')).toMatchObject(sorted(own, order))
        for (const [filter, matches] of [
          ['spender.id=1001', (nft: ModelNft) => nft.spender === 1_001n],
          ['spender.id=1001&spender.id=1003', (nft: ModelNft) => nft.spender === 1_001n || nft.spender === 1_003n],
          ['spender.id=gte:1002', (nft: ModelNft) => nft.spender !== null && nft.spender >= 1_002n],
          [
            'token.id=gte:3001&serialnumber=gt:4&token.id=lte:3003&serialnumber=lte:6',
            ({ token, serial }: ModelNft) => (token !== 3_001n || serial > 4n) && (token !== 3_003n || serial <= 6n),
          ],
          ['token.id=gt:3001&serialnumber=5', ({ token, serial }: ModelNft) => token > 3_001n && serial === 5n],
        ] as const) {
          const found = await all(`${path}&${filter}`, 'nfts')
          expect({ filter, found }).toMatchObject({ filter, found: sorted(own.filter(matches), order) })
        }
      }
    }
    expect(nfts.some(({ spender }) => spender !== null)).toBe(true)
  },
)

it('lists every time that an NFT changed, those included that its lot was handed over', async () => {
  const nfts = await open(300, 50)
  for (const order of ['asc', 'desc'] as const)
    for (const { token, serial, changes } of nfts) {
      const path = `${base}/tokens/${token}/nfts/${serial}/transactions?limit=2&order=${order}`
      const found = await all<{ consensus_timestamp: string }>(path, 'transactions')
      const wanted = order === 'asc' ? changes : changes.toReversed()
      expect(found.map((each) => each.consensus_timestamp)).toEqual(wanted.map(time))
      const middle = changes[Math.floor(changes.length / 2)]!
      const later = await all<{ consensus_timestamp: string }>(`${path}&timestamp=gt:${time(middle)}`, 'transactions')
      expect(later.map((each) => each.consensus_timestamp)).toEqual(wanted.filter((at) => at > middle).map(time))
    }
})

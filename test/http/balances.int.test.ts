import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventOf } from '#schemas/events/types.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { alice, bob, recordOf, transactionRecorded } from '#test/support/events.ts'

const carol = 1_003n
const token = 9_001n
const second = 1_000_000_000n
const at = (seconds: bigint) => 1_700_000_000n * second + seconds * second
let ledger: TestLedger

beforeEach(async () => {
  ledger = await openTestLedger()
  const stated = (accountId: bigint, balance: bigint | null, time = at(0n)) => [
    recordOf('EntitySnapshotted', {
      entityId: accountId,
      type: 'ACCOUNT',
      asOf: time,
      alias: accountId === bob ? Buffer.from('1220', 'hex') : null,
      publicKey: accountId === carol ? 'ab'.repeat(32) : null,
    }),
    recordOf('AccountBalanceSnapshotted', {
      accountId,
      asOf: time,
      balance,
      balanceTimestamp: balance === null ? null : time,
    }),
  ]
  const moved = (seconds: bigint, amount: bigint, more = {}) =>
    recordOf(
      'TransactionRecorded',
      transactionRecorded({
        consensusTimestamp: at(seconds),
        successful: true,
        transfers: [
          [alice, -amount],
          [bob, amount],
        ],
        ...more,
      }),
    )
  const tokenTransfers = [{ tokenId: token, accountId: bob, amount: 7n, isApproval: false }]
  const stakingRewards = [{ accountId: bob, amount: 3n }]
  await ledger.record([
    ...stated(2n, 1_000_000_000n),
    ...stated(alice, 1_000n),
    ...stated(bob, 0n),
    ...stated(carol, null),
    recordOf('TokenAccountSnapshotted', { accountId: bob, tokenId: token, asOf: at(0n), associated: true }),
    recordOf('TokenBalanceSnapshotted', {
      accountId: bob,
      tokenId: token,
      asOf: at(0n),
      balance: 0n,
      balanceTimestamp: at(0n),
    }),
    moved(10n, 100n, { tokenTransfers }),
    moved(20n, 50n, { stakingRewards }),
    moved(30n, 25n, { stakingRewards }),
    moved(40n, 5n, {
      transfers: [
        [2n, -300_000_001n],
        [alice, 300_000_001n],
      ],
    }),
  ])
})
afterEach(() => ledger.close())

interface Balances {
  timestamp: string | null
  balances: { account: string; balance: number | null; tokens: { token_id: string; balance: number }[] }[]
  links: { next: string | null }
}

async function get(address: string): Promise<{ status: number; body: Balances & { rewards: object[] }; text: string }> {
  const { statusCode, body } = await ledger.app().inject(`/api/v1${address}`)
  return { status: statusCode, body: body.startsWith('{') ? JSON.parse(body) : undefined, text: body }
}

const lines = ({ balances }: Balances) => balances.map(({ account, balance }) => `${account} ${balance}`)

describe('balances', () => {
  it('are those of all accounts that exist, the highest number first, with their newest change', async () => {
    const { body } = await get('/balances')
    expect(lines(body)).toEqual(['0.0.1003 null', '0.0.1002 175', '0.0.1001 300000826', '0.0.2 699999999'])
    expect(body.timestamp).toBe('1700000040.000000000')
    expect(body.balances[1]?.tokens).toEqual([{ token_id: '0.0.9001', balance: 7 }])
  })

  it('are exact at any time, with the newest change before it', async () => {
    const { body } = await get('/balances?timestamp=1700000019.999999999&order=asc')
    expect(lines(body)).toEqual(['0.0.2 1000000000', '0.0.1001 900', '0.0.1002 100'])
    expect(body.timestamp).toBe('1700000010.000000000')
    const { body: before } = await get('/balances?timestamp=lt:1700000010&account.id=1002')
    expect(before.balances).toEqual([
      { account: '0.0.1002', balance: 0, tokens: [{ token_id: '0.0.9001', balance: 0 }] },
    ])
    expect((await get('/balances?timestamp=lt:1700000000')).body).toEqual({
      timestamp: null,
      balances: [],
      links: { next: null },
    })
    expect((await get('/balances?timestamp=gt:1700000030&timestamp=lt:1700000040')).body.timestamp).toBeNull()
  })

  it('of the past list who had one then, in whatever order accounts came', async () => {
    const created = (seconds: bigint, account: bigint) => {
      const cryptoCreateAccount = {} as EventOf<'TransactionRecorded'>['cryptoCreateAccount']
      const facts = {
        consensusTimestamp: at(seconds),
        successful: true,
        type: 11,
        entityId: account,
        cryptoCreateAccount,
      }
      const transfers: [bigint, bigint][] = [
        [alice, -1n],
        [account, 1n],
      ]
      return recordOf('TransactionRecorded', transactionRecorded({ ...facts, transfers }))
    }
    await ledger.record([created(50n, 900n), created(60n, 5_000n), created(70n, 4_000n)])
    const listedAt = async (seconds: bigint, more = '') => {
      const { body } = await get(`/balances?timestamp=${1_700_000_000n + seconds}${more}`)
      return body.balances.map(({ account }) => account.slice(4))
    }
    expect(await listedAt(49n)).toEqual(['1002', '1001', '2'])
    expect(await listedAt(59n)).toEqual(['1002', '1001', '900', '2'])
    expect(await listedAt(60n)).toEqual(['5000', '1002', '1001', '900', '2'])
    expect(await listedAt(60n, '&account.id=lt:1001')).toEqual(['900', '2'])
    expect(await listedAt(60n, '&account.id=gt:1001&order=asc')).toEqual(['1002', '5000'])
    expect(await listedAt(70n)).toEqual(['5000', '4000', '1002', '1001', '900', '2'])
  })

  it('count the tokens that a call moved after the hbar, at a time of its own', async () => {
    const tokenTransfers = [{ tokenId: token, accountId: bob, amount: 2n, isApproval: false }]
    const child = { consensusTimestamp: at(45n), successful: true, transfers: [], tokenTransfers }
    await ledger.record([recordOf('TransactionRecorded', transactionRecorded(child))])
    const unitsAt = async (seconds: bigint) => {
      const { body } = await get(`/balances?account.id=${bob}&timestamp=${1_700_000_000n + seconds}`)
      return [body.timestamp, body.balances[0]?.tokens[0]?.balance]
    }
    expect(await unitsAt(44n)).toEqual(['1700000040.000000000', 7])
    expect(await unitsAt(45n)).toEqual(['1700000045.000000000', 9])
    const { body } = await get(`/balances?account.id=${bob}&timestamp=gt:1700000040&timestamp=lt:1700000050`)
    expect(body).toMatchObject({ timestamp: '1700000045.000000000', balances: [{ tokens: [{ balance: 9 }] }] })
  })

  it('of a ledger that is followed from its middle are no numbers before they are told', async () => {
    const dave = 1_004n
    const stated = { accountId: dave, asOf: at(60n), balance: 40n, balanceTimestamp: at(60n) }
    const tokenTransfers = [{ tokenId: token, accountId: dave, amount: -3n, isApproval: false }]
    const sent = { successful: true, transfers: [[dave, -729n]] as [bigint, bigint][], tokenTransfers }
    await ledger.record([
      recordOf('TransactionRecorded', transactionRecorded({ ...sent, consensusTimestamp: at(50n) })),
      recordOf('EntitySnapshotted', { entityId: dave, type: 'ACCOUNT', asOf: at(60n) }),
      recordOf('AccountBalanceSnapshotted', stated),
      recordOf('TokenBalanceSnapshotted', { ...stated, tokenId: token }),
      recordOf(
        'TransactionRecorded',
        transactionRecorded({ ...sent, consensusTimestamp: at(70n), transfers: [[dave, 2n]] }),
      ),
    ])
    const balancesAt = async (query: string) => (await get(`/balances?account.id=${dave}${query}`)).body.balances
    expect(await balancesAt('&timestamp=1700000055')).toEqual([])
    const held = (balance: number, units: number) => [
      { account: '0.0.1004', balance, tokens: [{ token_id: '0.0.9001', balance: units }] },
    ]
    expect(await balancesAt('&timestamp=1700000065')).toEqual(held(40, 40))
    expect(await balancesAt('')).toEqual(held(42, 37))
    const course = async (query: string) => {
      const { balances } = JSON.parse((await get(`/accounts/${dave}/balances${query}`)).text)
      return balances.map(({ balance }: { balance: number | null }) => balance)
    }
    expect(await course('')).toEqual([null, 40, 42])
    expect(await course(`?token.id=${token}`)).toEqual([null, 40, 37])
    const asOf = async (query: string) => JSON.parse((await get(`/accounts/${dave}${query}`)).text).balance
    expect(await asOf('')).toMatchObject({ balance: 42, tokens: [{ token_id: '0.0.9001', balance: 37 }] })
    const unitsAt = async (time: string) => {
      const { body } = await get(`/tokens/${token}/balances?account.id=${dave}${time}`)
      return body.balances.map(({ balance }) => balance)
    }
    expect(await Promise.all(['&timestamp=1700000055', '&timestamp=1700000065', ''].map(unitsAt))).toEqual([
      [],
      [40],
      [37],
    ])
  })

  it('leave out a time that is not wanted', async () => {
    expect((await get('/balances?timestamp=lte:1700000030&timestamp=ne:1700000030')).body.timestamp).toBe(
      '1700000020.000000000',
    )
  })

  it('page through accounts in both directions', async () => {
    const first = await get('/balances?limit=2&order=asc')
    expect(lines(first.body)).toEqual(['0.0.2 699999999', '0.0.1001 300000826'])
    expect(first.body.links.next).toBe('/api/v1/balances?limit=2&order=asc&account.id=gt:0.0.1001')
    expect(lines((await get('/balances?limit=2&order=asc&account.id=gt:0.0.1001')).body)).toEqual([
      '0.0.1002 175',
      '0.0.1003 null',
    ])
  })

  it('are found by amount, by key and by alias', async () => {
    expect(lines((await get('/balances?account.balance=gt:175')).body)).toEqual([
      '0.0.1001 300000826',
      '0.0.2 699999999',
    ])
    expect(lines((await get('/balances?account.balance=175&account.balance=ne:3')).body)).toEqual(['0.0.1002 175'])
    expect(lines((await get(`/balances?account.publickey=${'AB'.repeat(32)}`)).body)).toEqual(['0.0.1003 null'])
    expect(lines((await get('/balances?account.id=CIQA&account.id=2')).body)).toEqual([
      '0.0.1002 175',
      '0.0.2 699999999',
    ])
  })

  it('refuse what cannot be compared', async () => {
    const refused = async (query: string) => (await get(`/balances?${query}`)).text
    expect(await refused('account.id=gt:CIQA')).toBe(
      '{"_status":{"messages":[{"message":"Invalid parameter: account.id","detail":"EVM address or alias only supports equals operator"}]}}',
    )
    expect(await refused('account.id=CIQA&account.id=0x00000000000000000000000000000000000003e9')).toContain(
      'Only one EVM address or alias is allowed.',
    )
  })
})

describe('the number of accounts, and of holders', () => {
  it('is told for now and for any time, of tokens that there are', async () => {
    const stamped = (seconds: bigint) => `${1_700_000_000n + seconds}.000000000`
    const counted = async (address: string) => JSON.parse((await get(address)).text)
    expect(await counted('/network/accounts')).toEqual({ accounts: 3, holders: 3, timestamp: stamped(40n) })
    expect(await counted(`/network/accounts?timestamp=lt:${stamped(10n)}`)).toEqual({
      accounts: 3,
      holders: 2,
      timestamp: '1700000009.999999999',
    })
    const tokenCreation = { treasury: { accountNum: alice } } as never
    const creation = { consensusTimestamp: at(50n), successful: true, type: 29, entityId: token, tokenCreation }
    await ledger.record([recordOf('TransactionRecorded', transactionRecorded(creation))])
    const answer = { holders: 1, timestamp: stamped(50n), token_id: `0.0.${token}` }
    expect(await counted(`/tokens/${token}/holders`)).toEqual(answer)
    expect(await counted(`/tokens/${token}/holders?timestamp=${stamped(50n)}`)).toEqual(answer)
    expect((await get(`/tokens/${token}/holders?timestamp=lt:${stamped(50n)}`)).status).toBe(404)
    expect((await get('/tokens/77/holders')).status).toBe(404)
    expect((await get('/network/accounts?timestamp=gt:1')).text).toBe(
      '{"_status":{"messages":[{"message":"Invalid parameter: timestamp"}]}}',
    )
  })
})

describe('the supply', () => {
  it('is what the unreleased accounts do not hold', async () => {
    expect(JSON.parse((await get('/network/supply')).text)).toEqual({
      released_supply: '4999999999300000001',
      timestamp: '1700000040.000000000',
      total_supply: '5000000000000000000',
    })
    expect((await get('/network/supply?q=circulating')).text).toBe('49999999993.00000001')
  })

  it('is exact at any time', async () => {
    const supply = JSON.parse((await get('/network/supply?timestamp=lt:1700000040')).text)
    expect(supply).toMatchObject({ released_supply: '4999999999000000000', timestamp: '1700000000.000000000' })
    expect((await get('/network/supply?timestamp=lt:1700000000')).status).toBe(404)
    const [first, second] = ['timestamp=lt:1700000040', 'timestamp=lt:1700000000']
    expect((await get(`/network/supply?${second}&${first}`)).status).toBe(200)
    expect((await get(`/network/supply?${first}&${second}`)).status).toBe(404)
    const open = await get('/network/supply?timestamp=gte:1700000000')
    expect([open.status, open.text]).toEqual([404, expect.stringContaining('"detail":"Network supply not found"')])
    expect((await get('/network/supply?timestamp=gt:2&timestamp=lt:1')).text).toContain(
      'Invalid range provided for timestamp',
    )
  })

  it('can be that of other accounts', async () => {
    const app = ledger.app({ unreleasedAccounts: [[1_001, 1_002]] })
    const answer = await app.inject('/api/v1/network/supply?timestamp=1700000010')
    expect(answer.json()).toMatchObject({ released_supply: '4999999999999999000', timestamp: '1700000010.000000000' })
  })
})

describe('rewards of an account', () => {
  it('are listed with the newest first, and page', async () => {
    const { body } = await get('/accounts/1002/rewards?limit=1')
    expect(body).toEqual({
      rewards: [{ account_id: '0.0.1002', amount: 3, timestamp: '1700000030.000000000' }],
      links: { next: '/api/v1/accounts/1002/rewards?limit=1&timestamp=lt:1700000030.000000000' },
    })
    expect((await get('/accounts/CIQA/rewards?timestamp=lt:1700000030')).body.rewards).toHaveLength(1)
  })

  it('need an account that exists, before anything else is looked at', async () => {
    expect((await get('/accounts/77/rewards?timestamp=ne:1')).status).toBe(404)
    expect((await get('/accounts/1002/rewards?timestamp=ne:1')).text).toContain(
      'Not equals (ne) operator is not supported for timestamp',
    )
  })
})

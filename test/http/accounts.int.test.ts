import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountRoutes } from '#queries/accounts/routes.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { accountCreated, accountUpdated, stated, transaction } from '#test/projections/entities/story.ts'
import { alice, bob, recordOf, transactionRecorded } from '#test/support/events.ts'

const second = 1_000_000_000n
const at = (seconds: bigint) => 1_700_000_000n * second + seconds * second
const day = 86_400n * second
const carol = 1_003n
const contract = 1_004n
const topic = 1_005n
const ed25519 = Buffer.alloc(32, 7)
const edAlias = Buffer.concat([Buffer.from('1220', 'hex'), ed25519])
const base32 = 'CIQAOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBY'
const address = Buffer.alloc(20, 0xaa)
let ledger: TestLedger

beforeEach(async () => {
  ledger = await openTestLedger(accountRoutes)
  const moved = recordOf(
    'TransactionRecorded',
    transactionRecorded({
      consensusTimestamp: at(5n),
      successful: true,
      transfers: [
        [alice, -100n],
        [bob, 100n],
      ],
    }),
  )
  const period = { autoRenewPeriod: { seconds: 90n } }
  await ledger.record([
    accountCreated(at(0n), alice, { key: { ed25519 }, memo: 'a "quoted" memo', stakedNodeId: 3n, ...period }),
    accountCreated(at(1n), bob, {}, { record: { alias: edAlias } }),
    accountCreated(at(2n), carol, { alias: address, receiverSigRequired: true }),
    transaction(at(3n), 8, contract, { contractCreateInstance: { maxAutomaticTokenAssociations: -1 } }),
    transaction(at(4n), 24, topic, { consensusCreateTopic: {} }),
    moved,
    accountUpdated(at(10n), alice, { memo: 'later', delegationAddress: address }),
    transaction(at(20n), 12, carol, { cryptoDelete: { transferAccountID: null } }),
  ])
})
afterEach(() => ledger.close())

interface Account {
  readonly [field: string]: unknown
  readonly transactions: readonly { readonly consensus_timestamp: string }[]
}
interface Body extends Account {
  readonly accounts: readonly Account[]
  readonly links: { readonly next: string | null }
}

async function get(path: string) {
  const { statusCode: status, body, headers } = await ledger.app().inject(`/api/v1/accounts${path}`)
  return { status, body: JSON.parse(body) as Body, headers }
}
const idsOf = async (path: string) => (await get(path)).body.accounts.map(({ account }) => account)
const complaint = (message: string) => ({ _status: { messages: [{ message }] } })

describe('an account', () => {
  it('shows what it is, holds and did', async () => {
    const { status, body, headers } = await get(`/${alice}`)
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=2'])
    expect(body).toMatchObject({
      ...{ account: '0.0.1001', alias: null, auto_renew_period: 90, created_timestamp: '1700000000.000000000' },
      ...{ decline_reward: false, delegation_address: `0x${'aa'.repeat(20)}`, deleted: false, ethereum_nonce: 0 },
      ...{ evm_address: `0x${'0'.repeat(37)}3e9`, expiry_timestamp: '1700000090.000000000', memo: 'later' },
      ...{ key: { _type: 'ED25519', key: '07'.repeat(32) }, max_automatic_token_associations: 0, pending_reward: 0 },
      ...{ receiver_sig_required: false, staked_account_id: null, staked_node_id: 3 },
      stake_period_start: `${((at(0n) / day) * day) / second}.000000000`,
      balance: { balance: -100, timestamp: '1700000005.000000000', tokens: [] },
    })
    expect(body.transactions.map(({ consensus_timestamp: time }) => time)).toContain('1700000005.000000000')
  })

  it.each([
    ['number', `${bob}`],
    ['realm and number', `0.${bob}`],
    ['whole id', `0.0.${bob}`],
    ['alias', base32],
    ['alias with shard and realm', `0.0.${base32}`],
    ['long-zero address', `0x${bob.toString(16).padStart(40, '0')}`],
  ])('is found by its %s', async (_form, path) => {
    expect((await get(`/${path}`)).body).toMatchObject({ account: '0.0.1002', alias: base32 })
  })

  it('is found by its EVM address as long as it lives, and by its number after that', async () => {
    expect(await get(`/0x${'aa'.repeat(20)}`)).toMatchObject({ status: 404, body: complaint('Not found') })
    expect((await get(`/${carol}`)).body).toMatchObject({ deleted: true, evm_address: `0x${'aa'.repeat(20)}` })
  })

  it.each([
    ['/9999', 404, 'Not found'],
    [`/${topic}`, 404, 'Not found'],
    ['/KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ', 404, 'No account with a matching alias found'],
    ['/1.2.3.4', 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    ['/-1', 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    ['/1001?timestamp=lt:5&timestamp=gt:6', 404, 'Timestamp range is empty'],
    [
      '/KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ?timestamp=lt:5&timestamp=gt:6',
      404,
      'No account with a matching alias found',
    ],
    ['/1001?transactions=maybe', 400, 'Invalid parameter: transactions'],
  ])('answers %s with %i %s', async (path, status, message) => {
    expect(await get(path)).toMatchObject({ status, body: complaint(message) })
  })

  it('is told as it was at a time, and not before it was', async () => {
    const past = await get(`/${alice}?timestamp=1700000009`)
    expect(past.body).toMatchObject({ memo: 'a "quoted" memo', delegation_address: '0x' })
    expect((await get(`/${alice}?timestamp=lt:1700000010`)).body).toMatchObject({ memo: 'a "quoted" memo' })
    expect((await get(`/${alice}?timestamp=gte:1700000010`)).body).toMatchObject({ memo: 'later' })
    expect((await get(`/${alice}?timestamp=lt:1700000000`)).status).toBe(404)
  })

  it('tells a past balance with its own newest change, or the statement after it', async () => {
    const moved = (time: bigint, from: bigint, to: bigint) =>
      recordOf(
        'TransactionRecorded',
        transactionRecorded({
          ...{ consensusTimestamp: time, successful: true },
          transfers: [
            [from, -1n],
            [to, 1n],
          ],
        }),
      )
    const snapshot = recordOf('AccountBalanceSnapshotted', {
      ...{ accountId: carol, asOf: at(32n), balance: 4n, balanceTimestamp: at(32n) },
    })
    await ledger.record([moved(at(30n), bob, carol), snapshot, moved(at(34n), alice, carol)])
    const told = async (time: bigint) =>
      (await get(`/${alice}?timestamp=${at(time) / second}&transactions=false`)).body['balance']
    expect(await told(31n)).toEqual({ balance: -100, timestamp: '1700000005.000000000', tokens: [] })
    expect(await told(33n)).toEqual({ balance: -100, timestamp: '1700000032.000000000', tokens: [] })
    expect(await told(35n)).toEqual({ balance: -101, timestamp: '1700000034.000000000', tokens: [] })
  })

  it('whose balance nothing tells of at a time shows it where it has been so since, and never a sum of what moved', async () => {
    const [dave, erin, frank] = [1_010n, 1_011n, 1_012n]
    const known = recordOf('AccountBalanceSnapshotted', {
      ...{ accountId: dave, asOf: at(40n), balance: 9n, balanceTimestamp: at(40n) },
    })
    const since = recordOf('AccountBalanceSnapshotted', {
      ...{ accountId: frank, asOf: at(40n), balance: 7n, balanceTimestamp: at(33n) },
    })
    const paid = transaction(at(34n), 14, null, { transfers: [{ accountId: dave, amount: -1_000n }] })
    const later = transaction(at(41n), 24, topic, { consensusCreateTopic: {} })
    const all = [dave, erin, frank].map((account) => stated(account, at(30n)))
    await ledger.record([...all, paid, known, since, later])
    const told = async (account: bigint) =>
      (await get(`/${account}?timestamp=1700000035&transactions=false`)).body['balance']
    const unknown = { balance: null, timestamp: null, tokens: [] }
    expect(await told(dave)).toEqual(unknown)
    expect(await told(erin)).toEqual(unknown)
    expect(await told(frank)).toEqual({ balance: 7, timestamp: '1700000033.000000000', tokens: [] })
  })

  it('earns as long as it lives: the network pays no reward to one that is deleted', async () => {
    const [dave, hbar] = [1_010n, 100_000_000n]
    const midnight = (days: bigint) => (at(0n) / day + days) * day + 1n
    const ended = (days: bigint, rewardRate: bigint) =>
      transaction(midnight(days), 51, null, { nodeStakeUpdate: { nodeStake: [{ nodeId: 3n, rewardRate }] } })
    const deletion = {
      cryptoDelete: { transferAccountID: null },
      transfers: [{ accountId: dave, amount: -250n * hbar }],
    }
    const creation = {
      cryptoCreateAccount: { stakedNodeId: 3n },
      transfers: [{ accountId: dave, amount: 250n * hbar }],
    }
    await ledger.record([
      transaction(at(30n), 11, dave, creation),
      ended(1n, 5n),
      ended(2n, 7n),
      transaction(midnight(2n) + second, 12, dave, deletion),
      ended(3n, 11n),
    ])
    const before = midnight(2n) / second
    expect((await get(`/${dave}?timestamp=${before}.5`)).body).toMatchObject({
      deleted: false,
      pending_reward: 7 * 250,
    })
    for (const path of [`/${dave}?timestamp=${before + 1n}.5`, `/${dave}`])
      expect((await get(path)).body).toMatchObject({ deleted: true, pending_reward: 0 })
    expect((await get(`?account.id=${dave}`)).body.accounts).toMatchObject([{ deleted: true, pending_reward: 0 }])
  })

  it('lists its transactions by their filters, page by page, or none of them', async () => {
    const first = await get(`/${bob}?limit=1&transactiontype=cryptotransfer&order=asc`)
    expect(first.body.transactions).toMatchObject([{ consensus_timestamp: '1700000005.000000000' }])
    expect(first.body.links.next).toBe(
      '/api/v1/accounts/1002?limit=1&transactiontype=cryptotransfer&order=asc&timestamp=gt:1700000005.000000000',
    )
    const second = await get(first.body.links.next?.replace('/api/v1/accounts', '') ?? '')
    expect(second.body).toMatchObject({ transactions: [], links: { next: null } })
    expect((await get(`/${bob}?transactions=false`)).body).toMatchObject({ transactions: [], links: { next: null } })
  })
})

describe('the list of accounts', () => {
  it('holds accounts and contracts by id, page by page in both directions', async () => {
    expect(await idsOf('')).toEqual(['0.0.1001', '0.0.1002', '0.0.1003', '0.0.1004'])
    expect(await idsOf('?order=desc&limit=2')).toEqual(['0.0.1004', '0.0.1003'])
    const seen: unknown[] = []
    for (let path: string | null = '?limit=3'; path !== null; ) {
      const { body } = await get(path)
      seen.push(...body.accounts.map(({ account }) => account))
      path = body.links.next?.replace('/api/v1/accounts', '') ?? null
    }
    expect(seen).toEqual(['0.0.1001', '0.0.1002', '0.0.1003', '0.0.1004'])
  })

  it('is narrowed by ids, as a set and as ranges', async () => {
    expect(await idsOf('?account.id=1004&account.id=0.0.1001&account.id=1005')).toEqual(['0.0.1001', '0.0.1004'])
    expect(await idsOf('?account.id=gt:1001&account.id=lte:1003')).toEqual(['0.0.1002', '0.0.1003'])
    expect(await idsOf('?account.id=ne:1002&limit=2')).toEqual(['0.0.1001', '0.0.1003'])
    expect(await idsOf(`?account.id=gt:0x${'aa'.repeat(20)}`)).toEqual([])
  })

  it('is narrowed by the key, bare or wrapped', async () => {
    const key = '07'.repeat(32)
    const both = ['0.0.1001', '0.0.1002']
    expect(await idsOf(`?account.publickey=${key}`)).toEqual(both)
    expect(await idsOf(`?account.publickey=0x302a300506032b6570032100${key}`.replace('0x302a', '302a'))).toEqual(both)
    expect(await idsOf(`?account.publickey=${key}&order=desc&limit=1`)).toEqual(['0.0.1002'])
    expect(await idsOf(`?account.publickey=${'08'.repeat(32)}`)).toEqual([])
  })

  it('is narrowed by the balance, which counts only where balances are asked for', async () => {
    expect(await idsOf('?account.balance=gte:100')).toEqual(['0.0.1002'])
    expect(await idsOf('?account.balance=100&account.balance=0&limit=2')).toEqual([])
    expect(await idsOf('?account.balance=gte:100&balance=false')).toHaveLength(4)
    const { body } = await get('?balance=false&limit=1')
    expect(body.accounts).toMatchObject([{ balance: null }])
  })

  it('searches on beyond a page of accounts that have not the balance', async () => {
    const more = Array.from({ length: 60 }, (_, index) => stated(2_000n + BigInt(index), at(30n)))
    const rich = recordOf('AccountBalanceSnapshotted', {
      ...{ accountId: 2_059n, asOf: at(30n), balance: 7_777n, balanceTimestamp: at(30n) },
    })
    await ledger.record([...more, rich, transaction(at(40n), 24, topic, { consensusCreateTopic: {} })])
    expect(await idsOf('?account.balance=gt:7000&limit=2')).toEqual(['0.0.2059'])
  })

  it('reports what is wrong and what is unknown in the order of the query', async () => {
    const { status, body } = await get('?foo=1&limit=0&account.id=x:1:2')
    expect(status).toBe(400)
    expect(body).toMatchObject({
      _status: {
        messages: [
          { message: 'Unknown query parameter: foo' },
          { message: 'Invalid parameter: limit' },
          { message: 'Invalid parameter: account.id' },
        ],
      },
    })
  })
})

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokenRoutes } from '#queries/tokens/routes.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { accountCreated, transaction } from '#test/projections/entities/story.ts'
import {
  account,
  associated,
  created,
  dissociated,
  idOf,
  key,
  other,
  supplied,
  token,
  treasury,
  updated,
} from '#test/projections/tokens/story.ts'
import { alice, bob } from '#test/support/events.ts'
import type { Sketch } from '#test/support/whole-event.ts'

let ledger: TestLedger
let app: FastifyInstance

/** Units that move between accounts, and a tinybar that makes the time known to balances. */
const sent = (
  time: bigint,
  id: bigint,
  from: bigint,
  to: bigint,
  amount: bigint,
  more: Sketch<TransactionRecorded> = {},
) =>
  transaction(time, 14, null, {
    transfers: [
      { accountId: from, amount: -1n, isApproval: false, errata: null },
      { accountId: to, amount: 1n, isApproval: false, errata: null },
    ],
    tokenTransfers: [
      { tokenId: id, accountId: from, amount: -amount, isApproval: false },
      { tokenId: id, accountId: to, amount, isApproval: false },
    ],
    ...more,
  })

const initial = (id: bigint, amount: bigint) => ({
  tokenTransfers: [{ tokenId: id, accountId: treasury, amount, isApproval: false }],
})

beforeAll(async () => {
  ledger = await openTestLedger(tokenRoutes)
  const admin = { adminKey: key(9) }
  const fee = { fixedFee: { amount: 5n }, feeCollectorAccountId: account(bob) }
  await ledger.record([
    accountCreated(1n, treasury, { key: key(2) }),
    accountCreated(2n, alice, { key: key(1) }),
    accountCreated(3n, bob, { key: key(1) }),
    created(10n, token, { ...admin, customFees: [fee], kycKey: key(3), decimals: 2n }, initial(token, 100n)),
    created(20n, other, { name: 'Émeraude', tokenType: 1, initialSupply: 0n, memo: 'art' }),
    associated(30n, alice, token, other),
    sent(40n, token, treasury, alice, 30n),
    sent(50n, token, treasury, bob, 7n, {
      record: { automaticTokenAssociations: [{ tokenId: idOf(token), accountId: account(bob) }] },
    }),
    supplied(60n, token, 37, 150n, {
      tokenTransfers: [{ tokenId: token, accountId: treasury, amount: 50n, isApproval: false }],
    }),
    updated(70n, token, { name: 'Coupons', memo: 'new' }),
    transaction(80n, 45, token, { tokenFeeScheduleUpdate: { customFees: [] } }),
    dissociated(90n, alice, other),
    transaction(100n, 33, alice, { tokenGrantKyc: { token: idOf(token) } }),
    sent(110n, token, alice, treasury, 30n),
    transaction(120n, 35, token, { tokenDeletion: { token: idOf(token) } }),
  ])
  app = ledger.app()
})
afterAll(() => ledger.close())

const ask = async (path: string, status = 200) => {
  const answer = await app.inject(`/api/v1${path}`)
  expect({ path, status: answer.statusCode }).toEqual({ path, status })
  return answer.json()
}
const time = (nanos: number) => `0.${String(nanos).padStart(9, '0')}`

describe('the list of tokens', () => {
  const idsOf = async (query: string): Promise<string[]> =>
    (await ask(`/tokens${query}`)).tokens.map(({ token_id: id }: { token_id: string }) => id)

  it('has them by id, in pages', async () => {
    const first = await ask('/tokens?limit=1')
    expect(first.tokens).toEqual([
      {
        admin_key: { _type: 'ED25519', key: '09'.repeat(32) },
        decimals: 2,
        metadata: '',
        name: 'Coupons',
        symbol: 'V',
        token_id: '0.0.2001',
        type: 'FUNGIBLE_COMMON',
      },
    ])
    expect(first.links.next).toBe('/api/v1/tokens?limit=1&token.id=gt:0.0.2001')
    expect(await idsOf('?limit=1&token.id=gt:0.0.2001')).toEqual(['0.0.2002'])
    expect(await idsOf('?order=desc')).toEqual(['0.0.2002', '0.0.2001'])
    expect(await idsOf('?token.id=2002&token.id=2001&token.id=lt:2002')).toEqual(['0.0.2001'])
    expect(await idsOf('?token.id=ne:2001')).toEqual(['0.0.2002'])
  })

  it('finds them by type, key, and account', async () => {
    expect(await idsOf('?type=non_fungible_unique')).toEqual(['0.0.2002'])
    expect(await idsOf('?type=ALL&type=fungible_common')).toEqual(['0.0.2001'])
    expect(await idsOf('?type=non_fungible_unique&type=fungible_common')).toEqual([])
    expect(await idsOf('?type=ne:NON_FUNGIBLE_UNIQUE')).toEqual(['0.0.2001'])
    expect(await idsOf('?type=ne:fungible_common&type=ne:ALL')).toEqual(['0.0.2002'])
    expect(await idsOf('?type=gte:FUNGIBLE_COMMON&limit=1')).toEqual(['0.0.2001'])
    expect(await idsOf('?type=lt:FUNGIBLE_COMMON')).toEqual([])
    expect(await idsOf(`?publickey=${'09'.repeat(32)}`)).toEqual(['0.0.2001'])
    expect(await idsOf(`?publickey=${'01'.repeat(32)}`)).toEqual([])
    expect(await idsOf(`?account.id=${treasury}`)).toEqual(['0.0.2001', '0.0.2002'])
    expect(await idsOf(`?account.id=${alice}`)).toEqual(['0.0.2001'])
    expect(await idsOf(`?account.id=${treasury}&type=NON_FUNGIBLE_UNIQUE&token.id=2002`)).toEqual(['0.0.2002'])
    expect(await idsOf(`?account.id=0x${'ab'.repeat(20)}`)).toEqual([])
  })

  it('finds them by a part of their present name, whatever the case, and has no next page then', async () => {
    expect(await idsOf('?name=OUPO')).toEqual(['0.0.2001'])
    expect(await idsOf(`?name=${encodeURIComponent('éMER')}`)).toEqual(['0.0.2002'])
    expect(await idsOf('?name=Vouchers')).toEqual([])
    expect((await ask('/tokens?name=raud&limit=1')).links.next).toBeNull()
  })

  it.each([
    ['name=abc&token.id=5', 'token.id and name can not be used together. Use a more specific name instead.'],
    ['name=abc&account.id=5', 'account.id and name cannot be used together'],
    ['name=x&token.id=x', 'token.id and name can not be used together. Use a more specific name instead.'],
    ['name=ab', 'Invalid parameter: name'],
    ['account.id=gt:5', 'Invalid parameter: account.id'],
    ['account.id=5&account.id=lt:6', 'Entity ID "5,lt:6" is not a string'],
    [`token.id=${'ab'.repeat(20)}`, 'Invalid parameter: token.id'],
    ['type=coin', 'Invalid parameter: type'],
  ])('refuses %s', async (query, message) => {
    expect(await ask(`/tokens?${query}`, 400)).toEqual({ _status: { messages: [{ message }] } })
  })
})

describe('a token', () => {
  it('is shown as it is now', async () => {
    expect(await ask(`/tokens/${token}`)).toEqual({
      admin_key: { _type: 'ED25519', key: '09'.repeat(32) },
      auto_renew_account: null,
      auto_renew_period: null,
      created_timestamp: time(10),
      custom_fees: { created_timestamp: time(80), fixed_fees: [], fractional_fees: [] },
      decimals: '2',
      deleted: true,
      expiry_timestamp: null,
      fee_schedule_key: null,
      freeze_default: false,
      freeze_key: null,
      initial_supply: '100',
      kyc_key: { _type: 'ED25519', key: '03'.repeat(32) },
      max_supply: '0',
      memo: 'new',
      metadata: '',
      metadata_key: null,
      modified_timestamp: time(120),
      name: 'Coupons',
      pause_key: null,
      pause_status: 'NOT_APPLICABLE',
      supply_key: null,
      supply_type: 'INFINITE',
      symbol: 'V',
      token_id: '0.0.2001',
      total_supply: '150',
      treasury_account_id: '0.0.1003',
      type: 'FUNGIBLE_COMMON',
      wipe_key: null,
    })
  })

  it('is shown as it was, with its fees and its supply of that time', async () => {
    const then = await ask(`/tokens/${token}?timestamp=${time(59)}`)
    expect(then).toMatchObject({ name: 'Vouchers', memo: '', deleted: false, total_supply: '100' })
    expect(then).toMatchObject({ modified_timestamp: time(10) })
    expect(then.custom_fees.fixed_fees).toEqual([
      { all_collectors_are_exempt: false, amount: 5, collector_account_id: '0.0.1002', denominating_token_id: null },
    ])
    expect(await ask(`/tokens/${token}?timestamp=lte:${time(60)}`)).toMatchObject({ total_supply: '150' })
    expect(await ask(`/tokens/${token}?timestamp=lt:${time(70)}`)).toMatchObject({ name: 'Vouchers' })
    expect(await ask(`/tokens/${token}?timestamp=lt:${time(10)}&timestamp=${time(70)}`)).toMatchObject({
      name: 'Coupons',
    })
  })

  it('is not found before its creation, and where there is none', async () => {
    await ask(`/tokens/${token}?timestamp=lt:${time(10)}`, 404)
    await ask('/tokens/5', 404)
    await ask('/tokens/x', 400)
    await ask(`/tokens/${token}?timestamp=gte:5`, 400)
  })

  it('has royalties instead of fractions where it is a collection', async () => {
    expect((await ask(`/tokens/${other}`)).custom_fees).toEqual({
      created_timestamp: time(20),
      fixed_fees: [],
      royalty_fees: [],
    })
  })
})

describe('the holders of a token', () => {
  it('are listed with what they hold, whoever is associated', async () => {
    expect(await ask(`/tokens/${token}/balances`)).toEqual({
      timestamp: time(110),
      balances: [
        { account: '0.0.1003', balance: 143, decimals: 2 },
        { account: '0.0.1002', balance: 7, decimals: 2 },
        { account: '0.0.1001', balance: 0, decimals: 2 },
      ],
      links: { next: null },
    })
    expect(await ask(`/tokens/${other}/balances`)).toMatchObject({ balances: [{ account: '0.0.1003', balance: 0 }] })
    expect(await ask('/tokens/5/balances')).toEqual({ timestamp: null, balances: [], links: { next: null } })
  })

  it('are known of any time, exactly', async () => {
    const { timestamp, balances } = await ask(`/tokens/${token}/balances?timestamp=${time(49)}&order=asc`)
    expect(timestamp).toBe(time(40))
    expect(balances).toEqual([
      { account: '0.0.1001', balance: 30, decimals: 2 },
      { account: '0.0.1003', balance: 70, decimals: 2 },
    ])
    expect((await ask(`/tokens/${other}/balances?timestamp=${time(89)}`)).balances).toHaveLength(2)
  })

  it('are found by id, balance and key, in pages', async () => {
    const first = await ask(`/tokens/${token}/balances?limit=1`)
    expect(first.links.next).toBe(`/api/v1/tokens/${token}/balances?limit=1&account.id=lt:0.0.1003`)
    const path = first.links.next.replace('/api/v1', '')
    expect((await ask(path)).balances).toMatchObject([{ account: '0.0.1002' }])
    const accountsOf = async (query: string) =>
      (await ask(`/tokens/${token}/balances?${query}`)).balances.map(({ account }: { account: string }) => account)
    expect(await accountsOf('account.balance=gt:0')).toEqual(['0.0.1003', '0.0.1002'])
    expect(await accountsOf(`account.publickey=${'02'.repeat(32)}`)).toEqual(['0.0.1003'])
    expect(await accountsOf(`account.publickey=${'01'.repeat(32)}`)).toEqual(['0.0.1002', '0.0.1001'])
    expect(await accountsOf(`account.id=1001&account.publickey=${'01'.repeat(32)}`)).toEqual(['0.0.1001'])
    expect(await accountsOf('account.id=ne:1002')).toEqual(['0.0.1003', '0.0.1001'])
    expect(await accountsOf('account.id=1001&account.id=0.0.1001&account.id=gte:5')).toEqual(['0.0.1001'])
    expect(await accountsOf('account.id=1001&account.id=1002')).toEqual([])
    expect(await accountsOf('account.balance=7&account.balance=0')).toEqual([])
    expect(await accountsOf(`account.id=lt:0x${'ab'.repeat(20)}`)).toEqual([])
  })
})

describe('the tokens of an account', () => {
  it('are those that it may hold, with the status that the token or their own history gives', async () => {
    expect(await ask(`/accounts/${alice}/tokens`)).toEqual({
      tokens: [
        {
          automatic_association: false,
          balance: 0,
          created_timestamp: time(30),
          decimals: 2,
          token_id: '0.0.2001',
          freeze_status: 'NOT_APPLICABLE',
          kyc_status: 'GRANTED',
        },
      ],
      links: { next: null },
    })
  })

  it('are selected by id, in pages', async () => {
    const idsOf = async (query: string) =>
      (await ask(`/accounts/${treasury}/tokens?${query}`)).tokens.map((row: { token_id: string }) => row.token_id)
    const { links } = await ask(`/accounts/${treasury}/tokens?limit=1&order=desc`)
    expect(links.next).toBe(`/api/v1/accounts/${treasury}/tokens?limit=1&order=desc&token.id=lt:0.0.2002`)
    expect(await idsOf('limit=1&order=desc&token.id=lt:0.0.2002')).toEqual(['0.0.2001'])
    expect(await idsOf('token.id=2001&token.id=2002&order=desc')).toEqual(['0.0.2002', '0.0.2001'])
    expect(await idsOf('token.id=2001&token.id=gt:2001')).toEqual([])
  })

  it('are not told of an account that there is not, nor with exclusions', async () => {
    await ask('/accounts/77/tokens', 404)
    const message = 'Not equal (ne) comparison operator is not supported for token.id'
    expect(await ask(`/accounts/${alice}/tokens?token.id=ne:5`, 400)).toEqual({ _status: { messages: [{ message }] } })
  })
})

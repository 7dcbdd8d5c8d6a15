import { afterEach, describe, expect, it } from 'vitest'
import { nftsProjection } from '#projections/nfts/projection.ts'
import { nftRoutes } from '#queries/nfts/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { openTestLedger } from '#test/http/ledger.ts'
import { type ModelApp, openModelApp } from '#test/http/model-app.ts'
import {
  approved,
  burned,
  deleted,
  dissociated,
  minted,
  token,
  transferred,
  treasury,
  treasuryChanged,
} from '#test/projections/nfts/story.ts'
import { alice, bob } from '#test/support/events.ts'

const apps: ModelApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function open(records: readonly LogRecord[], boundTime?: bigint): Promise<ModelApp> {
  const app = await openModelApp(nftsProjection, nftRoutes, records, boundTime)
  apps.push(app)
  return app
}

const base = '/api/v1'
const nftPath = (serial: number) => `${base}/tokens/${token}/nfts/${serial}`
const messagesOf = ({ _status }: Record<string, unknown>) =>
  (_status as { messages: { message: string; detail?: string }[] }).messages.map(
    ({ message, detail }) => detail ?? message,
  )
/** Serial number and owner of each. */
const ownersOf = ({ nfts }: Record<string, unknown>) =>
  (nfts as { serial_number: number; account_id: string | null }[]).map(
    ({ serial_number: serial, account_id: owner }) => [serial, owner && Number(owner.slice(4))],
  )

describe('an NFT', () => {
  it('is shown with its owner, who may transfer it, and its metadata', async () => {
    const app = await open([
      minted(10n, [1n]),
      approved(20n, { owner: treasury, spender: bob, serials: [1n], delegatingSpender: alice }),
    ])
    expect(await app.get(nftPath(1))).toEqual({
      account_id: `0.0.${treasury}`,
      created_timestamp: '0.000000010',
      delegating_spender: `0.0.${alice}`,
      deleted: false,
      metadata: Buffer.from('nft 1').toString('base64'),
      modified_timestamp: '0.000000020',
      serial_number: 1,
      spender: `0.0.${bob}`,
      token_id: `0.0.${token}`,
    })
    expect(messagesOf(await app.get(nftPath(2), 404))).toEqual(['Not found'])
    expect(messagesOf(await app.get(`${nftPath(1)}?limit=1`, 400))).toEqual(['Unknown query parameter: limit'])
    expect(messagesOf(await app.get(`${base}/tokens/x/nfts/x`, 400))).toEqual(['Invalid parameter: tokenid'])
  })

  it('is deleted with its token, which leaves it its owner, and gone with what the owner held of it', async () => {
    const before = [minted(10n, [1n, 2n]), transferred(20n, [[1n, treasury, alice]]), deleted(30n)]
    const app = await open([...before, dissociated(40n, alice)])
    expect(await app.get(nftPath(1))).toMatchObject({
      deleted: true,
      account_id: null,
      modified_timestamp: '0.000000040',
    })
    expect(await app.get(nftPath(2))).toMatchObject({ deleted: true, account_id: `0.0.${treasury}` })
    expect(ownersOf(await app.get(`${base}/accounts/${alice}/nfts`))).toEqual([])
  })
})

describe('while rows of later events are committed, answers', () => {
  const before = [minted(10n, [1n, 2n]), approved(20n, { owner: treasury, spender: bob, serials: [1n] })]

  it('show each NFT as it was, also where its lot was handed over or its token deleted since then', async () => {
    const app = await open(
      [...before, treasuryChanged(30n, treasury, alice), transferred(40n, [[2n, alice, bob]]), deleted(50n)],
      25n,
    )
    expect(await app.get(nftPath(1))).toMatchObject({
      account_id: `0.0.${treasury}`,
      deleted: false,
      spender: `0.0.${bob}`,
      modified_timestamp: '0.000000020',
    })
    expect(ownersOf(await app.get(`${base}/tokens/${token}/nfts`))).toEqual([
      [2, Number(treasury)],
      [1, Number(treasury)],
    ])
    expect(ownersOf(await app.get(`${base}/accounts/${alice}/nfts`))).toEqual([])
  })

  it('show the holder of a lot between two times that it was handed over', async () => {
    const moved = [treasuryChanged(30n, treasury, alice), treasuryChanged(40n, alice, bob)]
    const app = await open([...before, ...moved], 35n)
    expect(await app.get(nftPath(1))).toMatchObject({
      account_id: `0.0.${alice}`,
      spender: null,
      modified_timestamp: '0.000000030',
    })
  })

  it('leave out what was minted since then, and fill the page with others', async () => {
    const app = await open([minted(10n, [1n]), minted(30n, [2n, 3n])], 20n)
    expect(ownersOf(await app.get(`${base}/tokens/${token}/nfts?limit=1`))).toEqual([[1, Number(treasury)]])
    expect(ownersOf(await app.get(`${base}/accounts/${treasury}/nfts?limit=1`))).toEqual([[1, Number(treasury)]])
  })
})

describe('/accounts/{id}/nfts', () => {
  it.each([
    ['serialnumber=1', 'serialnumber without a token.id parameter filter'],
    ['token.id=gt:1&serialnumber=gt:1', 'token.id must have gte or eq operator'],
    ['token.id=lt:9&serialnumber=lte:1', 'token.id must have lte or eq operator'],
    ['token.id=1&token.id=gt:0', "Can't support both range and equal for token.id"],
    ['token.id=ne:1', 'Not equal (ne) operator is not supported for token.id'],
    ['token.id=gt:1&token.id=gte:1', 'Only one gt/gte operator is allowed for token.id'],
    ['spender.id=gt:1&spender.id=gte:1', 'Multiple range params not allowed for spender.id'],
    ['spender.id=ne:1', 'Not equals (ne) comparison operator is not supported'],
  ])('refuses %s', async (query, message) => {
    const app = await open([])
    expect(messagesOf(await app.get(`${base}/accounts/1/nfts?${query}`, 400))).toEqual([message])
  })

  it('looks for the account before it looks at the query', async () => {
    const app = await open([])
    const path = `${base}/accounts/${'ab'.repeat(20)}/nfts?token.id=ne:1`
    expect(messagesOf(await app.get(path, 404))).toEqual(['Not found'])
  })
})

describe('/accounts/{id}/allowances/nfts', () => {
  const given = [
    approved(10n, { spender: 1n, forAll: true, id: 7n }, { spender: 2n, forAll: true, id: 8n }),
    approved(20n, { spender: 2n, forAll: true, id: 9n }, { spender: 3n, forAll: true, id: 8n }),
  ]
  const path = `${base}/accounts/${alice}/allowances/nfts`
  const pairsOf = ({ allowances }: Record<string, unknown>) =>
    (allowances as { spender: string; token_id: string }[]).map(({ spender, token_id }) => `${spender}/${token_id}`)

  it('lists what is in force, and leaves out what was taken back', async () => {
    const app = await open([...given, approved(30n, { spender: 2n, forAll: false, id: 8n })])
    expect(pairsOf(await app.get(path))).toEqual(['0.0.1/0.0.7', '0.0.2/0.0.9', '0.0.3/0.0.8'])
    expect(pairsOf(await app.get(`${base}/accounts/3/allowances/nfts?owner=false`))).toEqual(['0.0.3/0.0.8'])
    expect(pairsOf(await app.get(`${path}?account.id=gte:1&token.id=8`))).toEqual(['0.0.3/0.0.8'])
  })

  it('shows an approval that was taken back since the request began', async () => {
    const app = await open([...given, approved(30n, { spender: 2n, forAll: true, id: 8n })], 25n)
    const { allowances } = await app.get(`${path}?account.id=2&token.id=8`)
    expect(allowances).toMatchObject([{ timestamp: { from: '0.000000010', to: null } }])
  })

  it('takes an address that is made of a number for an address, which somebody must have', async () => {
    const address = `0x${alice.toString(16).padStart(40, '0')}`
    const app = await open(given)
    expect(messagesOf(await app.get(`${base}/accounts/${address}/allowances/nfts`, 404))).toEqual([
      'No account found for the given ID',
    ])
  })

  it.each([
    ['token.id=1', 'token.id parameter must have account.id present'],
    ['account.id=ne:1', 'Unsupported range operator ne for account.id'],
    [
      'account.id=gt:1&account.id=gte:2',
      'Only one range operator from [gt, gte] is allowed for the given parameter for account.id',
    ],
    ['account.id=1&account.id=gte:2', "Can't support both range and equal for account.id"],
    ['account.id=gte:3&account.id=lte:2', 'Invalid range provided for account.id'],
    ['account.id=3&account.id=lte:2', 'Invalid range provided for account.id'],
    ['account.id=ne:1&token.id=1', 'token.id parameter must have account.id present'],
    ['account.id=gte:1&token.id=gte:3&token.id=lt:3', 'Invalid range provided for token.id'],
    ['account.id=gt:1&token.id=gt:1&token.id=lt:9', 'Requires the presence of an lte or eq account.id parameter'],
    ['account.id=gt:1&token.id=gt:1', 'Requires the presence of an gte or eq account.id parameter'],
    ['account.id=lt:9&token.id=lt:1', 'Requires the presence of an lte or eq account.id parameter'],
    ['owner=perhaps', "Failed to convert 'owner'"],
    ['account.id=1&account.id=2&account.id=3', 'accountIds size must be between 0 and 2'],
  ])('refuses %s', async (query, detail) => {
    const app = await open([])
    expect(messagesOf(await app.get(`${path}?${query}`, 400))).toEqual([detail])
  })
})

it('the history of an NFT has its parties, and says where its mint is not known', async () => {
  const ledger = await openTestLedger()
  const events = [
    minted(10n, [1n]),
    transferred(20n, [
      [1n, treasury, alice],
      [9n, bob, alice],
    ]),
    burned(30n, [1n], alice),
  ]
  await ledger.record(events)
  const app = ledger.app()
  const { transactions } = (await app.inject(`${nftPath(1)}/transactions`)).json()
  expect(transactions.map((each: Record<string, unknown>) => [each['type'], each['sender_account_id']])).toEqual([
    ['TOKENBURN', `0.0.${alice}`],
    ['CRYPTOTRANSFER', `0.0.${treasury}`],
    ['TOKENMINT', null],
  ])
  expect((await app.inject(`${nftPath(9)}/transactions`)).statusCode).toBe(206)
  expect((await app.inject(`${nftPath(5)}/transactions`)).statusCode).toBe(200)
  await ledger.close()
})

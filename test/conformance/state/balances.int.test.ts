import { describe, expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { balanceStatements } from '#test/conformance/state/balances.ts'
import { anyInstant, recordedAt } from '#test/conformance/state/recorded-at.ts'

const account = { id: '7', type: 'ACCOUNT', balance: '50', balance_timestamp: '40' }
const relation = {
  account_id: '7',
  token_id: '9',
  associated: true,
  automatic_association: true,
  created_timestamp: '12',
  freeze_status: null,
  kyc_status: 1,
  timestamp_range: { from: '12', to: null },
  balance: '3',
  balance_timestamp: '15',
}

/** What makes snapshots of these times. */
const marked = (...times: string[]) =>
  times.map((consensus_timestamp) => ({ account_id: '2', balance: '9', consensus_timestamp }))

describe('hbar balances', () => {
  const stated = (rows: Parameters<typeof balanceStatements>[0], of?: bigint) =>
    eventsOf(balanceStatements(rows), 'AccountBalanceSnapshotted')
      .filter(({ accountId }) => of === undefined || accountId === of)
      .map(({ accountId, asOf, balance }) => [accountId, asOf, balance])

  it('are snapshots first, then the present', () => {
    const account_balance = [
      ...marked('20', '10'),
      { account_id: '7', balance: '2', consensus_timestamp: '20' },
      { account_id: '7', balance: '1', consensus_timestamp: '10' },
    ]

    expect(stated({ entity: [account], account_balance }, 7n)).toEqual([
      [7n, 10n, 1n],
      [7n, 20n, 2n],
      [7n, 40n, 50n],
    ])
  })

  it('are of the next snapshot where none was taken at their own time, and of none behind the last', () => {
    const account_balance = [
      { account_id: '7', balance: '2', consensus_timestamp: '15' },
      { account_id: '7', balance: '1', consensus_timestamp: '12' },
      { account_id: '7', balance: '3', consensus_timestamp: '21' },
      ...marked('10', '20'),
    ]

    expect(stated({ entity: [account], account_balance }, 7n)).toEqual([
      [7n, 20n, 2n],
      [7n, 40n, 50n],
    ])
  })

  it('need no entity', () => {
    const account_balance = [{ account_id: '8', balance: '1', consensus_timestamp: '10' }, ...marked('10')]

    expect(stated({ account_balance }, 8n)).toEqual([
      [8n, 10n, 1n],
      [8n, anyInstant, null],
    ])
  })

  it('of earlier versions count where there are no snapshots', () => {
    const entity_history = [{ ...account, balance: '4', balance_timestamp: '30' }]

    expect(stated({ entity: [account], entity_history })).toEqual([
      [7n, 30n, 4n],
      [7n, 40n, 50n],
    ])
  })

  it('are unknown for whom only transfers name', () => {
    const crypto_transfer = [{ entity_id: '5', amount: '-1', consensus_timestamp: '10', payer_account_id: '5' }]

    expect(stated({ crypto_transfer })).toEqual([[5n, 0n, null]])
  })

  it('are not stated of what cannot hold any', () => {
    expect(stated({ entity: [{ ...account, type: 'TOPIC', balance: null, balance_timestamp: null }] })).toEqual([])
  })
})

describe('relations to tokens', () => {
  it('are versions of their own beside the balance', () => {
    const statements = balanceStatements({ token_account: [relation] })

    expect(eventsOf(statements, 'TokenAccountSnapshotted')).toEqual([
      {
        accountId: 7n,
        tokenId: 9n,
        asOf: 12n,
        validTo: null,
        associated: true,
        automaticAssociation: true,
        createdTimestamp: 12n,
        freezeStatus: null,
        kycStatus: 1,
      },
    ])
    expect(eventsOf(statements, 'TokenBalanceSnapshotted')).toEqual([
      { accountId: 7n, tokenId: 9n, asOf: 15n, balance: 3n, balanceTimestamp: 15n },
    ])
  })

  it('existed where a snapshot of balances is older than they are', () => {
    const token_balance = [{ account_id: '7', token_id: '9', balance: '2', consensus_timestamp: '10' }]
    const statements = balanceStatements({ token_account: [relation], token_balance, account_balance: marked('10') })

    expect(eventsOf(statements, 'TokenAccountSnapshotted')).toMatchObject([
      { asOf: 10n, validTo: 12n, associated: true },
      { asOf: 12n, validTo: null },
    ])
    expect(eventsOf(statements, 'TokenBalanceSnapshotted')).toMatchObject([
      { asOf: 10n, balance: 2n },
      { asOf: 15n, balance: 3n },
    ])
  })

  it('are none where only transfers name them', () => {
    const moved = { token_id: '9', amount: '1', consensus_timestamp: '10', payer_account_id: '1' }
    const statements = balanceStatements({
      token_transfer: [{ ...moved, account_id: '7' }],
      transaction: [
        { nft_transfer: [{ token_id: '8', serial_number: '1', sender_account_id: null, receiver_account_id: '6' }] },
      ],
    })

    expect(eventsOf(statements, 'TokenAccountSnapshotted')).toMatchObject([
      { accountId: 7n, tokenId: 9n, asOf: 0n, validTo: 0n, associated: false },
      { accountId: 6n, tokenId: 8n, asOf: 0n, validTo: 0n, associated: false },
    ])
    expect(eventsOf(statements, 'TokenBalanceSnapshotted').map(({ balance }) => balance)).toEqual([null, null])
  })
})

it('the recording is later than every snapshot', () => {
  const time = anyInstant + 5n
  const token_balance = [{ account_id: '7', token_id: '9', balance: '2', consensus_timestamp: String(time) }]

  expect(recordedAt({ token_balance })).toBe(time + 1n)
  expect(recordedAt({})).toBe(anyInstant)
})

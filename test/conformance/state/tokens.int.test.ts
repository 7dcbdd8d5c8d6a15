import { expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { tokenStatements } from '#test/conformance/state/tokens.ts'

const token = {
  token_id: '9',
  created_timestamp: '1',
  decimals: '2',
  freeze_default: true,
  freeze_key: '0x01',
  freeze_status: 2,
  initial_supply: '10',
  kyc_key: null,
  kyc_status: 0,
  max_supply: '20',
  metadata: '0x',
  metadata_key: null,
  name: 'Vouchers',
  pause_key: null,
  pause_status: 'UNPAUSED',
  supply_key: null,
  supply_type: 'FINITE',
  symbol: 'V',
  timestamp_range: { from: '5', to: null },
  total_supply: '15',
  treasury_account_id: '3',
  type: 'NON_FUNGIBLE_UNIQUE',
  wipe_key: null,
  fee_schedule_key: null,
}

it('versions of a token carry every column, names as their numbers', () => {
  const statements = tokenStatements({
    token: [token],
    token_history: [{ ...token, timestamp_range: { from: '1', to: '5' }, total_supply: '10' }],
  })

  const [earlier, present] = eventsOf(statements, 'TokenSnapshotted')
  expect(earlier).toMatchObject({ asOf: 1n, validTo: 5n, totalSupply: 10n })
  expect(present).toEqual({
    tokenId: 9n,
    asOf: 5n,
    validTo: null,
    createdTimestamp: 1n,
    type: 1,
    name: 'Vouchers',
    symbol: 'V',
    decimals: 2n,
    initialSupply: 10n,
    totalSupply: 15n,
    maxSupply: 20n,
    supplyType: 1,
    treasuryAccountId: 3n,
    freezeDefault: true,
    freezeStatus: 2,
    kycStatus: 0,
    pauseStatus: 2,
    feeScheduleKey: null,
    freezeKey: Buffer.from([1]),
    kycKey: null,
    metadataKey: null,
    pauseKey: null,
    supplyKey: null,
    wipeKey: null,
    metadata: Buffer.alloc(0),
  })
})

it('a name that no enumeration has is an error', () => {
  expect(() => tokenStatements({ token: [{ ...token, supply_type: 'ENDLESS' }] })).toThrow('ENDLESS is none of')
})

import { expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { entityStatements } from '#test/conformance/state/entities.ts'

const bare = {
  id: '7',
  type: 'CONTRACT',
  memo: '',
  deleted: null,
  created_timestamp: null,
  public_key: null,
  timestamp_range: { from: '0', to: null },
}

it('a row of an entity is a version with all that the row says', () => {
  const statements = entityStatements({
    entity: [
      {
        id: '1234',
        type: 'ACCOUNT',
        timestamp_range: { from: '5', to: null },
        created_timestamp: '4',
        deleted: false,
        key: '0x1220ab',
        public_key: 'cd',
        alias: '0x01',
        evm_address: `0x${'0a'.repeat(20)}`,
        memo: 'hello',
        expiration_timestamp: '99',
        auto_renew_period: '7776000',
        auto_renew_account_id: '3',
        proxy_account_id: '2',
        receiver_sig_required: true,
        max_automatic_token_associations: -1,
        staked_account_id: '0',
        staked_node_id: '-1',
        decline_reward: true,
        stake_period_start: '19000',
        ethereum_nonce: '6',
        obtainer_id: '8',
        permanent_removal: false,
        delegation_address: `0x${'0b'.repeat(20)}`,
        balance: '100',
        balance_timestamp: '5',
      },
    ],
  })

  expect(statements.map(({ key, asOf }) => [key, asOf])).toEqual([['snapshot/entity/1234/5', 5n]])
  expect(eventsOf(statements, 'EntitySnapshotted')).toEqual([
    {
      entityId: 1234n,
      type: 'ACCOUNT',
      asOf: 5n,
      validTo: null,
      createdTimestamp: 4n,
      deleted: false,
      key: Buffer.from('1220ab', 'hex'),
      publicKey: 'cd',
      alias: Buffer.from([1]),
      evmAddress: Buffer.alloc(20, 0x0a),
      memo: 'hello',
      expirationTimestamp: 99n,
      autoRenewPeriod: 7_776_000n,
      autoRenewAccountId: 3n,
      proxyAccountId: 2n,
      receiverSigRequired: true,
      maxAutomaticTokenAssociations: -1,
      stakedAccountId: 0n,
      stakedNodeId: -1n,
      declineReward: true,
      stakePeriodStart: 19_000n,
      ethereumNonce: 6n,
      obtainerId: 8n,
      permanentRemoval: false,
      delegationAddress: Buffer.alloc(20, 0x0b),
    },
  ])
})

it('what is absent stays null, and an unknown beginning is 0', () => {
  expect(eventsOf(entityStatements({ entity: [bare] }), 'EntitySnapshotted')).toMatchObject([
    { asOf: 0n, createdTimestamp: null, deleted: null, key: null, publicKey: null, ethereumNonce: null },
  ])
})

it('earlier versions come first and keep their end, also without a successor', () => {
  const statements = entityStatements({
    entity: [{ ...bare, timestamp_range: { from: '20', to: null } }],
    entity_history: [
      { ...bare, timestamp_range: { from: '10', to: '20' } },
      { ...bare, id: '8', timestamp_range: { from: '1', to: '2' } },
    ],
  })

  expect(
    eventsOf(statements, 'EntitySnapshotted').map(({ entityId, asOf, validTo }) => [entityId, asOf, validTo]),
  ).toEqual([
    [7n, 10n, 20n],
    [8n, 1n, 2n],
    [7n, 20n, null],
  ])
})

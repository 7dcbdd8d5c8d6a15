import { expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { topicStatements } from '#test/conformance/state/topics.ts'

it('a row of a topic is a version of it, with its exempt keys one by one', () => {
  const topic = {
    id: '7',
    timestamp_range: { from: '9', to: null },
    created_timestamp: '5',
    admin_key: '0x1201',
    submit_key: null,
    fee_schedule_key: null,
    fee_exempt_key_list: '0x0a0112' + '0a0134',
  }
  expect(eventsOf(topicStatements({ topic: [topic] }), 'TopicSnapshotted')).toEqual([
    {
      topicId: 7n,
      asOf: 9n,
      validTo: null,
      createdTimestamp: 5n,
      adminKey: Buffer.from([0x12, 1]),
      submitKey: null,
      feeScheduleKey: null,
      feeExemptKeys: [Buffer.from([0x12]), Buffer.from([0x34])],
    },
  ])
})

it('a chunk names the transaction of the first, or what its row has of its own', () => {
  const row = {
    consensus_timestamp: '20',
    topic_id: '7',
    sequence_number: '2',
    message: '0x6d',
    payer_account_id: '10',
    running_hash: '0x01',
    running_hash_version: null,
    valid_start_timestamp: '19',
    chunk_num: 2,
    chunk_total: 3,
    initial_transaction_id: null,
  }
  const named = { ...row, sequence_number: '3', initial_transaction_id: '0x0a0608d285d8cc041202180318012001' }
  const bare = { ...row, valid_start_timestamp: null }
  const statements = topicStatements({ topic_message: [row, named, { ...row, chunk_num: null }, bare] })
  const ids = eventsOf(statements, 'TopicMessageSnapshotted').map(({ initialTransactionId: id }) => id)
  expect(ids).toEqual([
    { accountId: 10n, validStartTimestamp: 19n, nonce: null, scheduled: null },
    { accountId: 3n, validStartTimestamp: 1_234_567_890_000_000_000n, nonce: 1, scheduled: true },
    null,
    null,
  ])
  expect(statements[0]?.key).toBe('snapshot/topic-message/7/2/20')
})

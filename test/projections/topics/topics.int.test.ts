import { describe, expect, it } from 'vitest'
import { topicsProjection } from '#projections/topics/projection.ts'
import type { TopicMessageSnapshotted, TopicSnapshotted } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { ed25519, messageSent, topic, topicCreated, topicUpdated } from '#test/projections/topics/story.ts'
import { alice, recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'
import { type Sketch, wholeEvent } from '#test/support/whole-event.ts'

const fold = (...records: readonly LogRecord[]) => foldedRows(topicsProjection, records)

const keyOf = (byte: number) => Uint8Array.from([0x12, 0x20, ...Buffer.alloc(32, byte)])

const stated = (asOf: bigint, facts: Sketch<TopicSnapshotted>) =>
  recordOf('TopicSnapshotted', wholeEvent('TopicSnapshotted', { topicId: topic, asOf, ...facts }))

const messageStated = (asOf: bigint, facts: Sketch<TopicMessageSnapshotted>) =>
  recordOf('TopicMessageSnapshotted', wholeEvent('TopicMessageSnapshotted', { topicId: topic, asOf, ...facts }))

describe('messages', () => {
  it('are kept with number and running hash of the receipt', async () => {
    const { messages } = await fold(messageSent(10n, 7n))
    expect(messages).toEqual([
      {
        time: 10n,
        topic,
        number: 7n,
        message: Uint8Array.from(Buffer.from('number 7')),
        payer: alice,
        runningHash: Uint8Array.from(Buffer.alloc(48, 7)),
        runningHashVersion: 3,
        chunk: null,
        chunks: null,
        initialPayer: null,
        initialValidStart: null,
        initialNonce: null,
        initialScheduled: null,
      },
    ])
  })

  it('have the first version of the running hash where the receipt names none', async () => {
    const { messages } = await fold(messageSent(10n, 1n, { version: 0n }), messageSent(20n, 2n, { version: 2n }))
    expect(messages!.map(({ runningHashVersion }) => runningHashVersion)).toEqual([1, 2])
  })

  it('name the transaction of the first chunk, or else their own', async () => {
    const initialTransactionID = {
      accountID: { accountNum: 9n, alias: null },
      transactionValidStart: { seconds: 1n, nanos: 2 },
      scheduled: true,
      nonce: 4,
    }
    const { messages } = await fold(
      messageSent(10n, 1n, { body: { chunkInfo: { number: 1, total: 2, initialTransactionID } } }),
      messageSent(20n, 2n, { body: { chunkInfo: { number: 2, total: 2 } } }),
      messageStated(30n, { sequenceNumber: 3n, chunkNumber: 3, chunkTotal: 3, payerAccountId: 8n }),
    )
    expect(messages).toMatchObject([
      {
        chunk: 1,
        chunks: 2,
        initialPayer: 9n,
        initialValidStart: 1_000_000_002n,
        initialNonce: 4,
        initialScheduled: 1,
      },
      { chunk: 2, chunks: 2, initialPayer: alice, initialValidStart: 19n, initialNonce: null, initialScheduled: null },
      { chunk: 3, chunks: 3, initialPayer: 8n, initialValidStart: null, initialNonce: null, initialScheduled: null },
    ])
  })

  it('are not there when they failed, or when nothing tells their number', async () => {
    const { messages } = await fold(
      messageSent(10n, 1n, { facts: { successful: false, result: 7 } }),
      transaction(20n, 27, topic, { consensusSubmitMessage: {} }),
    )
    expect(messages).toEqual([])
  })

  it('are what a statement says, whatever came before', async () => {
    const initialTransactionId = { accountId: 9n, validStartTimestamp: 5n, nonce: null, scheduled: false }
    const { messages } = await fold(
      messageSent(10n, 1n),
      messageStated(10n, { sequenceNumber: 1n, message: Buffer.from('other'), payerAccountId: 8n }),
      messageStated(12n, { sequenceNumber: 2n, chunkNumber: 1, chunkTotal: 1, initialTransactionId }),
    )
    expect(messages).toMatchObject([
      { time: 10n, number: 1n, payer: 8n, runningHashVersion: 3, chunk: null },
      { time: 12n, number: 2n, payer: null, chunk: 1, initialPayer: 9n, initialNonce: null, initialScheduled: 0 },
    ])
  })
})

describe('topics', () => {
  const keys = {
    adminKey: ed25519(1),
    submitKey: ed25519(2),
    feeScheduleKey: ed25519(3),
    feeExemptKeyList: [ed25519(4)],
  }

  it('begin with the keys of their creation', async () => {
    const { topics, customFees } = await fold(topicCreated(10n, keys))
    expect(topics).toEqual([
      {
        id: topic,
        from: 10n,
        until: null,
        created: 10n,
        adminKey: keyOf(1),
        submitKey: keyOf(2),
        feeScheduleKey: keyOf(3),
        feeExemptKeys: `{"_type":"ED25519","key":"${'04'.repeat(32)}"}`,
      },
    ])
    expect(customFees).toMatchObject([{ id: topic, from: 10n }])
  })

  it('change in what an update names, and keep what they were', async () => {
    const { topics, topicVersions } = await fold(
      topicCreated(10n, keys),
      topicUpdated(20n, { memo: 'only the entity changes' }),
      topicUpdated(30n, { submitKey: { keyList: {} }, feeExemptKeyList: {} }),
      topicUpdated(40n, { adminKey: ed25519(9) }, { successful: false, result: 7 }),
    )
    const emptyList = Uint8Array.from([0x32, 0])
    expect(topics).toMatchObject([
      { from: 30n, created: 10n, adminKey: keyOf(1), submitKey: emptyList, feeExemptKeys: '' },
    ])
    expect(topicVersions).toMatchObject([{ from: 10n, until: 30n, submitKey: keyOf(2) }])
  })

  it('are kept as far as they are told when their creation is not known', async () => {
    const { topics } = await fold(topicUpdated(20n, { adminKey: ed25519(1) }))
    expect(topics).toMatchObject([{ from: 20n, created: null, adminKey: keyOf(1), submitKey: null, feeExemptKeys: '' }])
  })

  it('are what a statement says, whatever was known of them', async () => {
    const { topics, topicVersions } = await fold(
      topicCreated(10n, keys),
      stated(20n, { validTo: 25n, createdTimestamp: 5n }),
      stated(30n, { feeExemptKeys: [Buffer.from(keyOf(1)), Buffer.from([1])] }),
    )
    const exempt = `{"_type":"ED25519","key":"${'01'.repeat(32)}"},{"_type":"ProtobufEncoded","key":"01"}`
    expect(topics).toMatchObject([{ from: 30n, until: null, created: null, adminKey: null, feeExemptKeys: exempt }])
    expect(topicVersions).toMatchObject([
      { from: 10n, until: 20n },
      { from: 20n, until: 25n, created: 5n },
    ])
  })

  it('and messages are the same whatever the batches', async () => {
    const story = [topicCreated(10n, keys), messageSent(11n, 1n), topicUpdated(20n, { adminKey: ed25519(5) })]
    const once = await fold(...story)
    for (const limits of awkwardLimits) expect(await foldedRows(topicsProjection, story, limits)).toEqual(once)
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { topicsProjection } from '#projections/topics/projection.ts'
import { topicRoutes } from '#queries/topics/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { type ModelApp, openModelApp } from '#test/http/model-app.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { ed25519, messageSent, topic, topicCreated, topicUpdated } from '#test/projections/topics/story.ts'
import { alice } from '#test/support/events.ts'

const opened: (ModelApp | TestLedger)[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

async function open(records: readonly LogRecord[], boundTime?: bigint): Promise<ModelApp> {
  const app = await openModelApp(topicsProjection, topicRoutes, records, boundTime)
  opened.push(app)
  return app
}

/** Of the topic at 10, 20, 30, 40 and 50, with messages of another one between. */
const five = [1n, 2n, 3n, 4n, 5n].flatMap((number) => [
  messageSent(10n * number, number),
  messageSent(10n * number + 5n, number, { id: 3_002n }),
])
const base = `/api/v1/topics/${topic}/messages`
const messagesOf = ({ messages }: Record<string, unknown>) => messages as Record<string, unknown>[]
const numbersOf = (body: Record<string, unknown>) => messagesOf(body).map((each) => each['sequence_number'])
const wrong = (...texts: string[]) => ({ _status: { messages: texts.map((message) => ({ message })) } })

describe('/topics/{id}/messages', () => {
  it('lists the messages of a topic, and none of others, the oldest first', async () => {
    const app = await open(five)
    expect(numbersOf(await app.get(base))).toEqual([1, 2, 3, 4, 5])
    expect(messagesOf(await app.get(`${base}?limit=1`))).toEqual([
      {
        chunk_info: null,
        consensus_timestamp: '0.000000010',
        message: Buffer.from('number 1').toString('base64'),
        payer_account_id: `0.0.${alice}`,
        running_hash: Buffer.alloc(48, 1).toString('base64'),
        running_hash_version: 3,
        sequence_number: 1,
        topic_id: `0.0.${topic}`,
      },
    ])
    expect(await app.get('/api/v1/topics/9/messages')).toEqual({ messages: [], links: { next: null } })
  })

  it.each([
    ['sequencenumber=gt:2&sequencenumber=lte:4', [3, 4]],
    ['sequencenumber=3', [3]],
    ['sequencenumber=3&sequencenumber=4', []],
    ['sequencenumber=6', []],
    ['sequencenumber=gte:6', []],
    ['sequencenumber=ne:2&timestamp=ne:0.00000003', [1, 4, 5]],
    ['sequencenumber=gt:1&timestamp=lt:0.00000004', [2, 3]],
    ['sequencenumber=lt:4&timestamp=gte:0.00000002&order=desc', [3, 2]],
    ['timestamp=0.00000004', [4]],
    ['timestamp=gte:9999999999&timestamp=lte:9999999999', []],
    ['sequencenumber=gt:9223372036854775807', []],
    ['order=desc&limit=2', [5, 4]],
  ])('lists what %s leaves', async (query, expected) => {
    expect(numbersOf(await (await open(five)).get(`${base}?${query}`))).toEqual(expected)
  })

  it('pages through all of them in both directions', async () => {
    const app = await open(five)
    for (const [order, expected] of [
      ['asc', [2, 3, 4, 5]],
      ['desc', [5, 4, 3, 2]],
    ] as const) {
      const seen: unknown[] = []
      for (let path: string | null = `${base}?limit=1&order=${order}&sequencenumber=gt:1`; path !== null; ) {
        const body: Record<string, unknown> = await app.get(path)
        seen.push(...numbersOf(body))
        path = (body['links'] as { next: string | null }).next
      }
      expect(seen).toEqual(expected)
    }
  })

  it('writes contents as text where asked, escaped as JSON wants it', async () => {
    const body = { message: Buffer.from('"ä"\n') }
    const app = await open([messageSent(10n, 1n, { body })])
    for (const encoding of ['utf-8', 'UTF8'])
      expect(messagesOf(await app.get(`${base}?encoding=${encoding}`))).toMatchObject([{ message: '"ä"\n' }])
    expect(await app.get(`${base}?encoding=hex`, 400)).toEqual(wrong('Invalid parameter: encoding'))
  })

  it('shows messages as they were when the request began, whatever was committed since', async () => {
    const [then, now] = [await open(five, 35n), await open(five.slice(0, 6))]
    for (const query of ['', '?order=desc&limit=2', '?sequencenumber=gte:2', '?sequencenumber=lte:4', '/4', '/3'])
      expect(await then.get(base + query, query === '/4' ? 404 : 200)).toEqual(
        await now.get(base + query, query === '/4' ? 404 : 200),
      )
    expect(await then.get('/api/v1/topics/messages/0.00000004', 404)).toEqual(wrong('Not found'))
  })

  it('checks the path before the query', async () => {
    const app = await open(five)
    expect(await app.get('/api/v1/topics/x/messages?limit=0', 400)).toEqual(wrong('Invalid parameter: topic.id'))
    expect(await app.get('/api/v1/topics/9223372036854775807/messages', 400)).toEqual(
      wrong('Invalid parameter: topic.id'),
    )
    expect(await app.get(`${base}?limit=0&topic.id=7`, 400)).toEqual(
      wrong('Invalid parameter: limit', 'Unknown query parameter: topic.id'),
    )
  })
})

describe('one message', () => {
  it('is found by its number and by its time', async () => {
    const app = await open(five)
    const [, , third] = messagesOf(await app.get(base))
    expect(await app.get(`${base}/3`)).toEqual(third)
    expect(await app.get('/api/v1/topics/messages/0.00000003')).toEqual(third)
    expect(await app.get(`${base}/6`, 404)).toEqual(wrong('Not found'))
    expect(await app.get('/api/v1/topics/messages/0.000000031', 404)).toEqual(wrong('Not found'))
    expect(await app.get('/api/v1/topics/messages/9999999999', 404)).toEqual(wrong('Not found'))
  })

  it('is refused by the names that established clients know', async () => {
    const app = await open(five)
    const number = 'Invalid parameter: sequencenumber'
    expect(await app.get('/api/v1/topics/x/messages/0', 400)).toEqual(wrong('Invalid parameter: topic.id', number))
    expect(await app.get('/api/v1/topics/messages/x', 400)).toEqual(wrong('Invalid parameter: consensus_timestamp'))
    expect(await app.get('/api/v1/topics/messages/messages', 400)).toEqual(
      wrong('Invalid parameter: consensus_timestamp'),
    )
    expect(await app.get(`${base}/1?limit=1`, 400)).toEqual(wrong('Unknown query parameter: limit'))
  })

  it('says which chunk it is', async () => {
    const initialTransactionID = { transactionValidStart: { seconds: 7n, nanos: 1 }, accountID: { accountNum: 9n } }
    const app = await open([
      messageSent(10n, 1n, { body: { chunkInfo: { number: 1, total: 2, initialTransactionID } } }),
      messageSent(20n, 2n, { body: { chunkInfo: { number: 2, total: 2 } } }),
    ])
    const own = { account_id: `0.0.${alice}`, nonce: null, scheduled: null, transaction_valid_start: '0.000000019' }
    const named = { account_id: '0.0.9', nonce: 0, scheduled: false, transaction_valid_start: '7.000000001' }
    expect(messagesOf(await app.get(base)).map((each) => each['chunk_info'])).toEqual([
      { initial_transaction_id: named, number: 1, total: 2 },
      { initial_transaction_id: own, number: 2, total: 2 },
    ])
  })
})

describe('/topics/{id}', () => {
  const fee = { fixedFee: { amount: 5n }, feeCollectorAccountId: { accountNum: 1_002n, alias: null } }

  it('shows a topic with its keys and fees, and since when it is so', async () => {
    const ledger = await openTestLedger(topicRoutes)
    opened.push(ledger)
    await ledger.record([
      topicCreated(10n, {
        memo: 'rent',
        adminKey: ed25519(1),
        feeExemptKeyList: [ed25519(2)],
        customFees: [fee],
        autoRenewPeriod: { seconds: 77n },
      }),
      topicUpdated(20n, { adminKey: { keyList: {} }, submitKey: ed25519(3) }),
      transaction(30n, 26, topic, { consensusDeleteTopic: {} }),
    ])
    const answer = await ledger.app().inject(`/api/v1/topics/0.0.${topic}`)
    expect(answer.headers['cache-control']).toBe('public, max-age=5')
    expect(answer.json()).toEqual({
      admin_key: null,
      auto_renew_account: null,
      auto_renew_period: 77,
      created_timestamp: '0.000000010',
      custom_fees: {
        created_timestamp: '0.000000010',
        fixed_fees: [{ amount: 5, collector_account_id: '0.0.1002', denominating_token_id: null }],
      },
      deleted: true,
      fee_exempt_key_list: [{ _type: 'ED25519', key: '02'.repeat(32) }],
      fee_schedule_key: null,
      memo: 'rent',
      submit_key: { _type: 'ED25519', key: '03'.repeat(32) },
      timestamp: { from: '0.000000030', to: null },
      topic_id: `0.0.${topic}`,
    })
  })

  it('is told by the words of the newer endpoints where there is none', async () => {
    const ledger = await openTestLedger(topicRoutes)
    opened.push(ledger)
    const app = ledger.app()
    const told = async (path: string) => (await app.inject(`/api/v1/topics${path}`)).json()._status.messages
    expect(await told('/5')).toEqual([{ message: 'Not Found', detail: 'Topic not found' }])
    expect(await told('/x')).toEqual([{ message: 'Bad Request', detail: "Failed to convert 'id'" }])
    const nothing = "No static resource api/v1/topics for request '/api/v1/topics/'."
    expect(await told('/')).toEqual([{ message: 'Not Found', detail: nothing }])
  })
})

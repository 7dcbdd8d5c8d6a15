import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { type CopyName, copyNames } from '#src/events/event-types.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { LogRecord, MessageLog, StoredRecord } from '#src/ports/message-log.ts'
import { type CopyOptions, copyTopics } from '#src/runtime/copies/copy-topics.ts'
import { Prng } from '#src/simulator/prng.ts'
import { alice, bob, publish, recordOf, transactionRecorded } from '#test/support/events.ts'

const topicId = 4_001n
const token = 2_001n
const seed = process.env['LEDGER_TEST_SEED'] ?? String(Date.now())
/** Runs with failures in between; the whole drill takes 1,000. */
const runs = Number(process.env['LEDGER_TEST_COPY_RUNS'] ?? 8)

/** Block n: a transfer of hbar and tokens, a transaction that moves nothing, and a message. */
const blockOf = (n: number): LogRecord[] => {
  const time = BigInt(n) * 100n
  return [
    recordOf('TransactionRecorded', moving(time + 1n)),
    recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: time + 2n, transfers: [] })),
    recordOf('TransactionRecorded', submitting(time + 3n, BigInt(n))),
    recordOf('BlockRecorded', { number: BigInt(n), hash: Buffer.alloc(48, n), consensusEnd: time + 3n }),
  ]
}
const blocks = (first: number, last: number): LogRecord[] =>
  Array.from({ length: last - first + 1 }, (_, index) => blockOf(first + index)).flat()

function moving(consensusTimestamp: bigint) {
  const tokenTransfers = [
    { tokenId: token, accountId: alice, amount: -5n, isApproval: false },
    { tokenId: token, accountId: bob, amount: 5n, isApproval: false },
  ]
  return transactionRecorded({ consensusTimestamp, tokenTransfers, blockNumber: 7n, transactionIndex: 0 })
}

function submitting(consensusTimestamp: bigint, number: bigint, result = 22) {
  const chunkInfo = { initialTransactionID: null, total: 2, number: 1 }
  const receipt = { topicSequenceNumber: number, topicRunningHash: Buffer.alloc(48, 3), topicRunningHashVersion: 3n }
  const body = { topicID: null, message: Buffer.from(`message ${number}`), chunkInfo }
  return transactionRecorded({
    ...{ consensusTimestamp, type: 27, entityId: topicId, result, successful: result === 22, transfers: [] },
    consensusSubmitMessage: body,
    record: { receipt } as never,
  })
}

describe('copies of the log by subject', () => {
  let log: MessageLog
  let made: Record<CopyName, MessageLog>
  beforeEach(() => {
    log = openSqliteLog({ folder: ':memory:', pollMs: 1 })
    const open = () => openSqliteLog({ folder: ':memory:' })
    made = { transfers: open(), 'topic-messages': open(), blocks: open() }
  })
  afterEach(async () => {
    for (const each of [log, ...Object.values(made)]) await each.close()
  })

  /** A log for one who closes what he opened. */
  const shared = (each: MessageLog): MessageLog => ({
    openWriter: () => each.openWriter(),
    identity: () => each.identity(),
    head: () => each.head(),
    read: (options) => each.read(options),
    close: async () => undefined,
  })

  const begin = (options: Partial<CopyOptions> = {}) => {
    const [stop, finish] = [new AbortController(), new AbortController()]
    const ended = copyTopics({
      topics: copyNames,
      openSource: async () => shared(log),
      openTopic: async (topic) => shared(made[topic]),
      removeTopic: undefined,
      ...{ eventsMax: 3, bytesMax: 1 << 20, retryMinMs: 1, retryMaxMs: 1, fencedRestMs: 1, logger: silentLogger },
      ...{ signal: stop.signal, finish: finish.signal, onProgress: () => undefined },
      ...options,
    })
    return { stop, finish, ended }
  }
  const toEnd = async (options: Partial<CopyOptions> = {}): Promise<void> => {
    const { finish, ended } = begin(options)
    finish.abort()
    await ended
  }
  const on = async (topic: CopyName): Promise<StoredRecord[]> => {
    const records: StoredRecord[] = []
    for await (const batch of made[topic].read({ after: 0, countMax: 1_000, bytesMax: 1 << 20, follow: false }))
      records.push(...batch.records)
    return records
  }
  const keys = async (topic: CopyName) => (await on(topic)).map(({ key }) => key)
  const times = (last: number, offset: number) => Array.from({ length: last }, (_, at) => `${(at + 1) * 100 + offset}`)
  const hasBlocks = async (last: number): Promise<void> => {
    expect(await keys('transfers')).toEqual(times(last, 1))
    expect(await keys('topic-messages')).toEqual(times(last, 3))
    expect(await keys('blocks')).toEqual(times(last, 3))
  }

  it('have what the log says of the subject, and no more', async () => {
    const refused = recordOf('TransactionRecorded', submitting(104n, 9n, 11))
    const failed = { ...moving(105n), result: 178, successful: false }
    await publish(log, [...blockOf(1).slice(0, 3), refused, recordOf('TransactionRecorded', failed), ...blocks(2, 2)])
    await toEnd()
    const [moved, feesOnly] = (await on('transfers')).map(({ value }) =>
      decodeEvent({ type: 'TransfersRecorded', value }),
    )
    const { transfers, tokenTransfers, payerAccountId, validStartTimestamp } = moving(101n)
    const whole = { transfers, tokenTransfers, nftTransfers: [], payerAccountId, validStartTimestamp }
    expect(moved).toMatchObject({ ...whole, consensusTimestamp: 101n, type: 14, result: 22, blockNumber: 7n })
    expect(feesOnly).toMatchObject({ consensusTimestamp: 105n, transfers, tokenTransfers: [], successful: false })
    const [first] = await on('topic-messages')
    expect(decodeEvent({ type: 'TopicMessageRecorded', value: first!.value })).toEqual({
      consensusTimestamp: 103n,
      topicId,
      sequenceNumber: 1n,
      message: Buffer.from('message 1'),
      payerAccountId: alice,
      validStartTimestamp: 103n - 1_000_000_000n,
      runningHash: Buffer.alloc(48, 3),
      runningHashVersion: 3n,
      chunkNumber: 1,
      chunkTotal: 2,
      initialTransactionId: null,
    })
    expect(await keys('topic-messages')).toEqual(['103', '203'])
    const [block] = await on('blocks')
    expect(decodeEvent({ type: 'BlockRecorded', value: block!.value })).toMatchObject({
      number: 2n,
      consensusEnd: 203n,
    })
    expect((await on('transfers')).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })

  it('follow the log, and go on where another process left them', async () => {
    const before = begin()
    await publish(log, blocks(1, 2))
    await expect.poll(() => keys('blocks')).toEqual(times(2, 3))
    before.stop.abort()
    await before.ended
    await publish(log, blocks(3, 5))
    await toEnd()
    await hasBlocks(5)
    await toEnd()
    await hasBlocks(5)
  })

  it('are made of what is there when one is asked for later', async () => {
    await publish(log, blocks(1, 3))
    await toEnd({ topics: ['blocks'] })
    await publish(log, blocks(4, 4))
    await toEnd()
    await hasBlocks(4)
  })

  it(`have each event once and in order, whatever fails, before it is written or after: seed ${seed}`, async () => {
    await publish(log, blocks(1, 12))
    const random = new Prng(seed)
    for (let run = 0; run < runs; run++) {
      const own = { transfers: memory(), 'topic-messages': memory(), blocks: memory() }
      let failures = 6
      const failing = (each: MessageLog): MessageLog => ({
        ...shared(each),
        openWriter: async () => {
          const writer = await each.openWriter()
          return {
            head: writer.head,
            close: () => writer.close(),
            append: async (all) => {
              const fails = failures > 0 && random.below(3) === 0
              if (fails) failures--
              if (fails && random.below(2) === 0) throw new LedgerError('log_unavailable', 'not written')
              const head = await writer.append(all)
              if (fails) throw new LedgerError('log_unavailable', 'written, and nobody knows')
              return head
            },
          }
        },
      })
      await toEnd({ eventsMax: 1 + random.below(9), openTopic: async (topic) => failing(own[topic]) })
      made = own
      await hasBlocks(12)
      for (const each of Object.values(own)) await each.close()
    }
  })

  it('that are of another log are left as they are, and told', async () => {
    await publish(log, blocks(1, 2))
    await publish(made.blocks, [recordOf('BlockRecorded', { consensusEnd: 150n })])
    const told: unknown[] = []
    const error = (fields: object) => void told.push(fields)
    await toEnd({ logger: { ...silentLogger, error } as never })
    expect(told).toMatchObject([{ err: { code: 'checkpoint_ahead', details: { topic: 'blocks', key: '150' } } }])
    expect(await keys('blocks')).toEqual(['150'])
  })

  it('that are damaged are made again once, where nobody but us keeps them', async () => {
    await publish(log, blocks(1, 2))
    await publish(made.transfers, blockOf(1).slice(0, 1))
    let isDamaged = true
    const openTopic = async (topic: CopyName): Promise<MessageLog> => {
      if (topic === 'transfers' && isDamaged)
        throw new LedgerError('log_damaged', 'torn', { topic, reason: 'it is torn' })
      return shared(made[topic])
    }
    const removed: string[] = []
    const removeTopic = async (topic: CopyName): Promise<void> => {
      removed.push(topic)
      isDamaged = false
      made.transfers = memory()
    }
    await toEnd({ openTopic, removeTopic })
    expect(removed).toEqual(['transfers'])
    await hasBlocks(2)
  })

  const memory = (): MessageLog => openSqliteLog({ folder: ':memory:' })
})

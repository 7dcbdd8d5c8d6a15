import Long from 'long'
import { describe, expect, it } from 'vitest'
import { BlockAssembly } from '#src/adapters/block-node/block-assembly.ts'
import { nodeFailure } from '#src/adapters/block-node/failure.ts'
import { blockRequest, subscribeRequest } from '#src/adapters/block-node/requests.ts'
import { readBlockAnswer, readStatus, readStatusDetail, readStreamMessage } from '#src/adapters/block-node/responses.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'
import { sampleBlock } from '#test/support/sample-blocks.ts'

const encoded = (name: string, message: Message) => Buffer.from(encode(`org.hiero.block.api.${name}`, message))
const fail = (reason: string) => nodeFailure('node', 'protocol', reason)
const none = Long.MAX_UNSIGNED_VALUE

describe('requests', () => {
  it.each([0n, 1n, 127n, 128n, 300n, 2n ** 53n, 2n ** 63n + 5n])('name block %s', (number) => {
    const long = Long.fromString(number.toString(), true)
    const wanted = { startBlockNumber: long, endBlockNumber: long }
    expect(subscribeRequest(number, number)).toEqual(encoded('SubscribeStreamRequest', wanted))
    expect(blockRequest(number)).toEqual(encoded('BlockRequest', { blockNumber: long }))
  })

  it('have an end of all ones where there is none', () => {
    const wanted = { startBlockNumber: 5, endBlockNumber: none }
    expect(subscribeRequest(5n, undefined)).toEqual(encoded('SubscribeStreamRequest', wanted))
  })
})

describe('a status', () => {
  it('names the blocks that are there, or none', () => {
    const status = { firstAvailableBlock: 3, lastAvailableBlock: 9, nextExpectedBlock: 10 }
    expect(readStatus(encoded('ServerStatusResponse', status), fail)).toEqual([{ first: 3n, last: 9n }])
    const empty = { firstAvailableBlock: none, lastAvailableBlock: none }
    expect(readStatus(encoded('ServerStatusResponse', empty), fail)).toEqual([])
    // A proto of zeros has no bytes: block 0 is there.
    expect(readStatus(Buffer.alloc(0), fail)).toEqual([{ first: 0n, last: 0n }])
  })

  it('names several ranges in any order, beside other things', () => {
    const availableRanges = [
      { rangeStart: 20, rangeEnd: 30 },
      { rangeStart: none, rangeEnd: none },
      { rangeStart: 0, rangeEnd: 9 },
    ]
    const detail = { availableRanges, tssData: { ledgerId: Buffer.from('id') }, storedRanges: [{ rangeEnd: 99 }] }
    expect(readStatusDetail(encoded('ServerStatusDetailResponse', detail), fail)).toEqual([
      { first: 0n, last: 9n },
      { first: 20n, last: 30n },
    ])
  })

  it('is refused where it makes no sense or does not end', () => {
    const backwards = encoded('ServerStatusResponse', { firstAvailableBlock: 9, lastAvailableBlock: 3 })
    expect(() => readStatus(backwards, fail)).toThrow('it names blocks from 9 to 3')
    const range = bytesField(2, varintField(2, 1))
    expect(() => readStatusDetail(Buffer.concat(Array(1_001).fill(range)), fail)).toThrow('more than 1000 ranges')
  })
})

describe('messages of a stream and answers', () => {
  it('may have fields that are not known yet', () => {
    const message = Buffer.concat([varintField(17, 5), bytesField(3, varintField(1, 8)), bytesField(18)])
    expect(readStreamMessage(message, fail)).toEqual({ kind: 'end', number: 8n })
  })

  it('hold a block as it is', () => {
    const block = sampleBlock({ number: 1n })
    const answer = Buffer.concat([varintField(1, 1), bytesField(2, block)])
    expect(readBlockAnswer(answer, fail)).toEqual({ code: 1, block })
    expect(readBlockAnswer(varintField(1, 4), fail)).toEqual({ code: 4, block: undefined })
  })
})

describe('a block that is put together', () => {
  const assembly = (options: { bytesMax?: number; itemsMax?: number } = {}) => {
    const oddities: string[] = []
    let now = 1_000
    const whole = new BlockAssembly({
      number: 4n,
      origin: 'node',
      itemsMax: 100,
      bytesMax: 10_000,
      now: () => now++,
      fail: (reason, what) => nodeFailure('node', reason, what),
      onOddity: (oddity) => oddities.push(oddity),
      ...options,
    })
    return { whole, oddities }
  }
  const block = sampleBlock({ number: 4n })

  it('is made of the pieces as they came, with the times of the first and the last', () => {
    const { whole, oddities } = assembly()
    const end = block.indexOf(Buffer.from('main 4 1')) - 4
    whole.add(block.subarray(0, end))
    whole.add(block.subarray(end))
    const done = whole.end(4n)
    expect(done).toMatchObject({ number: 4n, name: '0000000000000000004.blk', headerAt: 1_000, completeAt: 1_001 })
    expect(done?.pieces[1]?.buffer).toBe(block.buffer)
    expect(oddities).toEqual([])
  })

  it('lets pass what is odd, and says so', () => {
    const { whole, oddities } = assembly()
    expect(whole.end(3n)).toBeUndefined()
    whole.add(Buffer.alloc(0))
    whole.add(block)
    expect(whole.end(5n)?.number).toBe(4n)
    expect(oddities).toEqual(['end_without_block', 'empty_set', 'end_of_other_block'])
  })

  it('has a limit for its bytes and for its items, also over several sets', () => {
    const filling = bytesField(1, bytesField(4, Buffer.alloc(90)))
    const { whole: large } = assembly({ bytesMax: block.length + 10 })
    large.add(block)
    expect(() => large.add(filling)).toThrow(`sends a block of more than ${block.length + 10} bytes`)
    const { whole: long } = assembly({ itemsMax: 6 })
    long.add(block)
    long.add(filling)
    expect(() => long.add(filling)).toThrow('sends a block of more than 6 items')
  })
})

import { createMPT } from '@ethereumjs/mpt'
import fc from 'fast-check'
import { bytesToHex, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Receipt, receiptsRoot } from '#src/domain/receipts-root.ts'
import { trieRoot } from '#src/domain/trie-root.ts'
import { Prng } from '#src/simulator/prng.ts'
import { relayReceiptsRoot } from '#test/support/relay-receipts.ts'

const counts = [0, 1, 2, 127, 128, 129, 1_000]

const bytes = (random: Prng, length: number) =>
  Buffer.from(Array.from({ length }, () => random.below(256))).toString('hex')

function receiptOf(transactionIndex: number, random: Prng): Receipt {
  const isSynthetic = random.below(3) === 0
  const logs = Array.from({ length: random.below(4) }, () => ({
    address: bytes(random, 20),
    topics: Array.from({ length: random.below(5) }, () => bytes(random, 32)),
    data: bytes(random, 32 * random.below(5)),
  }))
  return {
    transactionIndex,
    type: isSynthetic ? 0 : [0, 1, 2, 4][random.below(4)]!,
    succeeded: random.below(4) > 0,
    gasUsed: isSynthetic ? 0n : BigInt(random.below(400_000)),
    bloom: isSynthetic ? '' : bytes(random, 256),
    logs: () => logs,
  }
}

/** From what a relay would have been answered. */
function relayRoot(receipts: readonly Receipt[]): Promise<Hex> {
  const hashOf = (place: number) => `0x${place}`
  const results = receipts.map(({ transactionIndex, type, succeeded, gasUsed, bloom }, place) => ({
    hash: hashOf(place),
    transaction_index: transactionIndex,
    type,
    status: succeeded ? '0x1' : '0x0',
    gas_used: gasUsed,
    bloom: `0x${bloom}`,
  }))
  const logs = receipts.flatMap((receipt, place) =>
    receipt.logs().map(({ address, topics, data }) => ({
      transaction_hash: hashOf(place),
      address: `0x${address}`,
      topics: topics.map((topic) => `0x${topic}`),
      data: `0x${data}`,
    })),
  )
  return relayReceiptsRoot(results, logs)
}

const digitsOf = (each: Uint8Array) => Buffer.from(each).toString('hex')
const hexOf = (root: Uint8Array): Hex => bytesToHex(root)

describe('the root of receipts', () => {
  it.each(counts)('is that of a trie which holds all %d of them', async (count) => {
    const random = new Prng(`receipts of ${count}`)
    const receipts = Array.from({ length: count }, (_, index) => receiptOf(index, random))
    expect(hexOf(receiptsRoot(receipts))).toBe(await relayRoot(receipts))
  })

  it('follows their indexes, not the order they are given in, and passes over indexes that nobody has', async () => {
    const random = new Prng('gaps')
    const receipts = Array.from({ length: 300 }, (_, index) => receiptOf(3 * index + 1, random))
    const root = await relayRoot(receipts)
    expect(hexOf(receiptsRoot(receipts.toReversed()))).toBe(root)
  })

  it('has the gas of both, and the later one, where two have the same index', async () => {
    const random = new Prng('twice')
    const receipts = [0, 1, 1, 2].map((index) => receiptOf(index, random))
    expect(hexOf(receiptsRoot(receipts))).toBe(await relayRoot(receipts))
  })

  it('is what a relay said of blocks of the main network', () => {
    expect(hexOf(receiptsRoot([mainCall, { ...failed, transactionIndex: 5 }]))).toBe(
      '0x8fecfc53901017434f8a078ddc11119fa6117bbbf937a4ac3b2086d0b3b37c57',
    )
    const withoutGas = [4, 7].map((transactionIndex) => ({ ...failed, transactionIndex }))
    expect(hexOf(receiptsRoot(withoutGas)).slice(0, 10)).toBe('0xcd311260')
  })

  it('makes each receipt once, and none before its turn', () => {
    let made = 0
    const logs = () => {
      made += 1
      return []
    }
    receiptsRoot(Array.from({ length: 500 }, (_, transactionIndex) => ({ ...failed, transactionIndex, logs })))
    expect(made).toBe(500)
  })
})

describe('the root of a trie', () => {
  const entries = fc
    .uniqueArray(fc.uint8Array({ minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 40, selector: String })
    .chain((keys) =>
      fc
        .array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: keys.length, maxLength: keys.length })
        .map((values) => keys.map((key, place) => ({ key, value: values[place]! }))),
    )

  it('is that of a general trie, short nodes within others and long paths included', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (given) => {
        const trie = await createMPT()
        for (const { key, value } of given) await trie.put(key, value)
        const asDigits = given.map(({ key, value }) => ({ key: digitsOf(key), value: () => digitsOf(value) }))
        expect(hexOf(trieRoot(asDigits))).toBe(hexOf(trie.root()))
      }),
    )
  })
})

/** Of block 97,775,344, as its two calls with a wrong nonce. */
const failed: Receipt = {
  transactionIndex: 0,
  type: 0,
  succeeded: false,
  gasUsed: 0n,
  bloom: '00'.repeat(256),
  logs: () => [],
}

const word = (digits: string) => digits.padStart(64, '0')
const oracle = '47cbb1f75fa2a98a87f861c5039fcb522b93a640'
const feed = 'f09afe78d3c7d359b334d7cb88995751f7ec5e13'
const priceOf = '52f50aa6d1a95a4595361ecf953d095f125d442e4673716dede699e049de148a'
const [one, other] = ['7ce6bb2cc2d3fd45a974da6a0f29236cb9513a98', 'b1f616b8134f602c3bb465fb5b5e6565ccad37ed']
const [priceOfOne, priceOfOther, at] = ['71a7432fce49c000', '022373a84bf1629d14e00000', '6a59d60e']
const words = (...each: readonly string[]) => each.map(word).join('')

/** Of block 97,775,284. */
const mainCall: Receipt = {
  transactionIndex: 4,
  type: 0,
  succeeded: true,
  gasUsed: 0x1fd7dn,
  bloom: [
    '0000000000000000000000000000000000000000000000008000000000000000',
    '0000000020000000000000000000000000000000000000000000000020000a00',
    '0000000000000000000000000004000000002000000001000000000000000001',
    '0000000002000000000000000000080000000000000000000000000000000100',
    '0000000000010000000000000000000000000000000000000000000000000001',
    '0000000000000000000000000000000000000000000080000000000002000000',
    '0000000000000004000000000000000000000000000000001000000020002000',
    '0000000800000000000010000000000000000001000000008000000000000000',
  ].join(''),
  logs: () => [
    { address: oracle, topics: [word(priceOf), word(one)], data: words(priceOfOne, at) },
    { address: oracle, topics: [word(priceOf), word(other)], data: words(priceOfOther, at) },
    {
      address: feed,
      topics: [word('b967c9b9e1b7af9a61ca71ff00e9f5b89ec6f2e268de8dacf12f0de8e51f3e47')],
      data: words('60', '80', 'a0', '0', '0', '40', 'e0', '2', one, priceOfOne, other, priceOfOther, '0'),
    },
    {
      address: feed,
      topics: [word('198d6990ef96613a9026203077e422916918b03ff47f0be6bee7b02d8e139ef0'), word('0')],
      data: words('000ad45374fd3ec68ae6c31741ec5c0f705c103f68ec76a31bf20101032a8e1c', '03f86f'),
    },
  ],
}

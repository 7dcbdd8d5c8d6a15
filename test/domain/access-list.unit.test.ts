import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { toRlp } from 'viem'
import { expect, it } from 'vitest'
import { readAccessList } from '#src/domain/access-list.ts'
import { decodeEthereumTransaction } from '#src/domain/ethereum-transaction.ts'

const bytes = (length: number) => fc.uint8Array({ maxLength: length })
const entries = fc.array(fc.tuple(bytes(20), fc.array(bytes(32), { maxLength: 4 })), { maxLength: 4 })

const shown = (list: Uint8Array) =>
  readAccessList(list)?.map(({ address, storageKeys }) => [address, ...storageKeys].map((each) => Buffer.from(each)))

it('reads what another library wrote, as a list or as its entries', () => {
  fc.assert(
    fc.property(entries, (list) => {
      const expected = list.map(([address, keys]) => [address, ...keys].map((each) => Buffer.from(each)))
      expect(shown(toRlp(list, 'bytes'))).toEqual(expected)
      expect(shown(Buffer.concat(list.map((entry) => toRlp(entry, 'bytes'))))).toEqual(expected)
    }),
  )
})

it.each(['abcd', '7bde95a0', 'c3820102c0', 'd6d5950102030405060708090a0b0c0d0e0f101112131415c0'])(
  'finds none in %s',
  (hex) => {
    expect(readAccessList(Buffer.from(hex, 'hex'))).toBeUndefined()
  },
)

it.each([[['', '', '']], [[Buffer.alloc(21), []]], [[Buffer.alloc(20), [Buffer.alloc(33)]]], [['']]])(
  'a transaction with a list that is none is none: %j',
  (...list) => {
    const items = [295, 1, 7, 60_000, Buffer.alloc(20), 0, '', list, 1, Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const data = Buffer.concat([Buffer.from([1]), RLP.encode(items as Parameters<typeof RLP.encode>[0])])
    expect(decodeEthereumTransaction(data)).toBeUndefined()
  },
)

import { RLP } from '@ethereumjs/rlp'
import { expect, it } from 'vitest'
import { decodeEthereumTransaction } from '#src/domain/ethereum-transaction.ts'

const to = Buffer.alloc(20, 0xaa)
const r = Buffer.alloc(32, 0x11)
const s = Buffer.alloc(32, 0x22)
const word = Buffer.alloc(32, 7)
const accessList = [[to, [word]]]
const authorization = [1, to, 5, 1, r, s]

const typed = (type: number, items: Parameters<typeof RLP.encode>[0]): Buffer =>
  Buffer.concat([Buffer.from([type]), RLP.encode(items)])

it('reads a legacy transaction, whose chain and parity are in v', () => {
  const data = RLP.encode([3, 5_000, 21_000, to, 10_000_000_000n, Buffer.from('a9', 'hex'), 37 + 2 * 295 - 2, r, s])
  expect(decodeEthereumTransaction(data)).toEqual({
    type: 0,
    chainId: Buffer.from('0127', 'hex'),
    nonce: 3n,
    gasPrice: Buffer.from('1388', 'hex'),
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    gasLimit: 21_000n,
    toAddress: to,
    value: Buffer.from('02540be400', 'hex'),
    callData: Buffer.from('a9', 'hex'),
    accessList: null,
    authorizationList: null,
    recoveryId: 0,
    signatureR: r,
    signatureS: s,
    signatureV: Buffer.from('0271', 'hex'),
  })
  const older = decodeEthereumTransaction(RLP.encode([0, 0, 0, '', 0, '', 28, r, s]))
  expect(older).toMatchObject({ chainId: null, recoveryId: 1, toAddress: Buffer.alloc(0), gasPrice: Buffer.from([0]) })
})

it('reads one with an access list, the entries as they are encoded', () => {
  const data = typed(1, [295, 1, 7, 60_000, to, 0, '', accessList, 1, r, s])
  expect(decodeEthereumTransaction(data)).toMatchObject({
    type: 1,
    chainId: Buffer.from('0127', 'hex'),
    nonce: 1n,
    gasPrice: Buffer.from([7]),
    gasLimit: 60_000n,
    value: Buffer.from([0]),
    accessList: Buffer.from(RLP.encode(accessList[0])),
    recoveryId: 1,
    signatureV: null,
  })
})

it('reads one with fees, and keeps the sign of a large value', () => {
  const data = typed(2, [295, 9, 1, 2, 60_000, to, 0x80, Buffer.from('0102', 'hex'), [], 0, r, s])
  expect(decodeEthereumTransaction(data)).toMatchObject({
    type: 2,
    gasPrice: null,
    maxPriorityFeePerGas: Buffer.from([1]),
    maxFeePerGas: Buffer.from([2]),
    value: Buffer.from('0080', 'hex'),
    callData: Buffer.from('0102', 'hex'),
    accessList: null,
    recoveryId: 0,
  })
})

it('reads one that delegates code, with its authorizations', () => {
  const data = typed(4, [295, 9, 1, 2, 60_000, to, 0, '', [], [authorization], 1, r, s])
  expect(decodeEthereumTransaction(data)).toMatchObject({
    type: 4,
    recoveryId: 1,
    signatureR: r,
    authorizationList: [{ chainId: Buffer.from([1]), address: to, nonce: 5n, yParity: 1, r, s }],
  })
})

it.each([
  ['no bytes', Buffer.alloc(0)],
  ['an unknown type', typed(3, [1, 2, 3])],
  ['a list of another length', typed(2, [1, 2, 3])],
  ['bytes that end too early', Buffer.from('02f8', 'hex')],
  ['bytes after the end', Buffer.concat([RLP.encode([0, 0, 0, '', 0, '', 28, r, s]), Buffer.from([1])])],
  ['an authorization of another length', typed(4, [295, 9, 1, 2, 3, to, 0, '', [], [[1, to]], 1, r, s])],
  ['a list where a number belongs', typed(2, [[], 9, 1, 2, 60_000, to, 0, '', [], 0, r, s])],
])('takes %s for no transaction', (_name, data) => {
  expect(decodeEthereumTransaction(data)).toBeUndefined()
})

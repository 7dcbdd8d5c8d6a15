import { describe, expect, it } from 'vitest'
import { decodeMessage, eventMessage } from '#src/events/decode/protobuf.ts'
import { messageBytes } from '#src/events/message-bytes.ts'
import { encode, type Message } from '#src/simulator/codec.ts'

const name = 'proto.SchedulableTransactionBody'
const account = (accountNum: number) => ({ accountNum })
const big = { low: -1, high: -1, unsigned: true }

/** Written as producers write it, read as the importer reads it, and written anew. */
function rewritten(message: Message): readonly [written: Buffer, again: Buffer] {
  const written = Buffer.from(encode(name, message))
  return [written, messageBytes(name, decodeMessage<object>(eventMessage(name), written).message)]
}

describe('a message is serialized as it came', () => {
  it.each<[string, Message]>([
    ['with nothing', {}],
    ['with numbers and text', { transactionFee: 300, memo: 'rent for späti' }],
    ['with the greatest unsigned number', { transactionFee: big }],
    [
      'with negative numbers and lists of messages',
      {
        cryptoTransfer: {
          transfers: {
            accountAmounts: [
              { accountID: account(1001), amount: -7 },
              { accountID: { alias: Buffer.alloc(20, 3) }, amount: 7, isApproval: true },
            ],
          },
        },
      },
    ],
    ['with an empty message', { tokenPause: {} }],
    ['with a member of a oneof at its default', { cryptoDelete: { deleteAccountID: { accountNum: 0 } } }],
    ['with packed numbers', { tokenBurn: { token: { tokenNum: 5 }, serialNumbers: [1, 300, 70_000] } }],
    ['with a list of bytes', { tokenMint: { metadata: [Buffer.from([1]), Buffer.alloc(0)] } }],
    [
      'with wrapped values, be they defaults',
      {
        cryptoUpdateAccount: {
          accountIDToUpdate: account(1001),
          memo: {},
          maxAutomaticTokenAssociations: { value: -1 },
          receiverSigRequiredWrapper: {},
          declineReward: { value: true },
        },
      },
    ],
    [
      'with keys inside of keys, and enumerations',
      {
        tokenCreation: {
          name: 'n',
          tokenType: 1,
          adminKey: { keyList: { keys: [{ ed25519: Buffer.alloc(32, 1) }, { keyList: {} }] } },
          customFees: [{ fixedFee: { amount: 5 }, feeCollectorAccountId: account(9) }],
        },
      },
    ],
  ])('%s', (_what, message) => {
    const [written, again] = rewritten(message)
    expect(again.toString('hex')).toBe(written.toString('hex'))
  })

  it('without what has its default, whoever wrote that', () => {
    const [written, again] = rewritten({ memo: '', tokenBurn: { amount: 0, token: { tokenNum: 5, shardNum: 0 } } })
    expect(again.length).toBeLessThan(written.length)
    expect(again.toString('hex')).toBe(
      Buffer.from(encode(name, { tokenBurn: { token: { tokenNum: 5 } } })).toString('hex'),
    )
  })
})

import { describe, expect, it } from 'vitest'
import { account, alice, bob, eventOf, token } from './items.ts'

const address = Buffer.from('00112233445566778899aabbccddeeff00112233', 'hex')
const longZero = Buffer.from(`${'00'.repeat(12)}0000000000000bb9`, 'hex')
const contract = { contractNum: 3001 }
const tokenID = { tokenNum: token }

describe('the entity of a transaction', () => {
  it.each<[string, object, object, bigint | null]>([
    ['the called contract', { contractCall: { contractID: contract } }, {}, 3001n],
    [
      'the contract of the receipt before that of the body',
      { contractCall: { contractID: contract } },
      { contractID: { contractNum: 9 } },
      9n,
    ],
    ['the contract of a long-zero address', { contractCall: { contractID: { evmAddress: longZero } } }, {}, 3001n],
    ['the created account', { cryptoCreateAccount: {} }, { accountID: account(bob) }, BigInt(bob)],
    ['nothing when the creation failed', { cryptoCreateAccount: {} }, {}, null],
    ['the updated account', { cryptoUpdateAccount: { accountIDToUpdate: account(bob) } }, {}, BigInt(bob)],
    ['nothing for an update by alias', { cryptoUpdateAccount: { accountIDToUpdate: { alias: address } } }, {}, null],
    [
      'the account, not the token, of an association',
      { tokenAssociate: { account: account(bob), tokens: [tokenID] } },
      {},
      BigInt(bob),
    ],
    ['the account of a freeze', { tokenFreeze: { account: account(bob), token: tokenID } }, {}, BigInt(bob)],
    ['the token of a wipe', { tokenWipe: { account: account(bob), token: tokenID } }, {}, BigInt(token)],
    ['the created token', { tokenCreation: {} }, { tokenID }, BigInt(token)],
    ['the file of a system delete', { systemDelete: { fileID: { fileNum: 150 } } }, {}, 150n],
    ['the contract of a system undelete', { systemUndelete: { contractID: contract } }, {}, 3001n],
    ['the topic of a message', { consensusSubmitMessage: { topicID: { topicNum: 70 } } }, {}, 70n],
    ['the schedule of the receipt', { scheduleCreate: {} }, { scheduleID: { scheduleNum: 80 } }, 80n],
    ['the account of a node', { nodeUpdate: { nodeId: 4, accountId: account(bob) } }, {}, BigInt(bob)],
    ['the payer of a reject without owner', { tokenReject: {} }, {}, BigInt(alice)],
    ['the owner of a reject', { tokenReject: { owner: account(bob) } }, {}, BigInt(bob)],
    ['the owner of a hook', { hookStore: { hookId: { entityId: { contractId: contract } } } }, {}, 3001n],
    ['nothing for a transfer', { cryptoTransfer: {} }, { accountID: account(bob) }, null],
    ['nothing when parts are out of range', { tokenPause: { token: { tokenNum: -1 } } }, {}, null],
    [
      'shard and realm too',
      { tokenPause: { token: { shardNum: 1, realmNum: 2, tokenNum: 3 } } },
      {},
      (1n << 54n) | (2n << 38n) | 3n,
    ],
  ])('is %s', (_what, body, receipt, expected) => {
    const event = eventOf({ body: body as never, receipt: receipt as never })

    expect([event.entityId, event.entityEvmAddress]).toEqual([expected, null])
  })

  it('is an address where only the state knows the number', () => {
    const event = eventOf({ body: { contractCall: { contractID: { evmAddress: address } } } })

    expect([event.entityId, event.entityEvmAddress]).toEqual([null, address])
  })

  it('of an Ethereum transaction is the contract of its result', () => {
    const record = { contractCreateResult: { contractID: contract } }

    expect(eventOf({ body: { ethereumTransaction: {} }, record }).entityId).toBe(3001n)
  })
})

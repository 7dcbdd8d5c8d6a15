import { expect, it } from 'vitest'
import { scheduledOf } from '#queries/contract-calls/scheduled-body.ts'
import { noSigners } from '#src/evm/schedule-facts.ts'
import { encode, type Message } from '#src/simulator/codec.ts'

const account = (accountNum: number) => ({ accountNum })
const token = { tokenNum: 7 }
const bytes = Buffer.alloc(32, 5)
const key = { ed25519: bytes }
/** Field 2 of Key, 32 bytes. */
const serialized = Buffer.concat([Buffer.from('1220', 'hex'), bytes])
const transfers = [
  {
    token,
    transfers: [
      { accountID: account(1), amount: -3 },
      { accountID: account(2), amount: 3 },
    ],
  },
  {
    token,
    transfers: [{ accountID: account(3), amount: -3, isApproval: true }],
    nftTransfers: [{ senderAccountID: account(4), receiverAccountID: account(5), serialNumber: 1 }],
  },
]
const pendingAirdrops = [{ senderId: account(1), receiverId: account(2), fungibleTokenType: token }]

const kinds: readonly (readonly [kind: string, body: Message, signers: Partial<typeof noSigners>])[] = [
  ['contractCreateInstance', { adminKey: key, autoRenewAccountId: account(9) }, { accounts: [9n], keys: [serialized] }],
  ['contractUpdateInstance', { contractID: { contractNum: 8 }, adminKey: key }, { accounts: [8n], keys: [serialized] }],
  ['contractCreateInstance', { adminKey: { contractID: { contractNum: 8 } } }, {}],
  ['contractUpdateInstance', { contractID: { contractNum: 8 }, adminKey: { contractID: {} } }, { accounts: [8n] }],
  ['contractDeleteInstance', { contractID: { contractNum: 8 } }, { accounts: [8n] }],
  ['consensusCreateTopic', { adminKey: key, submitKey: { ed25519: Buffer.alloc(32) } }, { keys: [serialized] }],
  ['cryptoCreateAccount', { key }, {}],
  ['cryptoCreateAccount', { key, receiverSigRequired: true }, { keys: [serialized] }],
  ['cryptoDeleteAllowance', { nftAllowances: [{ tokenId: token, owner: account(3) }] }, { accounts: [3n] }],
  ['cryptoUpdateAccount', { accountIDToUpdate: account(3), key }, { accounts: [3n], keys: [serialized] }],
  ['fileCreate', { keys: { keys: [key, key] } }, { keys: [serialized, serialized] }],
  ['systemDelete', {}, {}],
  ['tokenAirdrop', { tokenTransfers: transfers }, { accounts: [1n, 4n] }],
  ['tokenCancelAirdrop', { pendingAirdrops }, { accounts: [1n] }],
  ['tokenClaimAirdrop', { pendingAirdrops }, { accounts: [2n] }],
  ['tokenFeeScheduleUpdate', { tokenId: token }, { tokenKeys: [{ token: 7n, kind: 'feeSchedule' }] }],
  ['tokenReject', { owner: account(3) }, { accounts: [3n] }],
  ['tokenReject', {}, {}],
]

it.each(kinds)('a scheduled %s is signed by whom it takes something from', (kind, body, signers) => {
  const scheduled = scheduledOf(encode('proto.SchedulableTransactionBody', { [kind]: body }))
  expect(scheduled).toMatchObject({ kind, signers: { ...noSigners, ...signers } })
})

it.each([
  ['consensusSubmitMessage', { topicID: { topicNum: 4 } }],
  ['fileAppend', { fileID: { fileNum: 4 } }],
  ['contractDeleteInstance', { contractID: { evmAddress: Buffer.alloc(20, 1) } }],
  ['contractUpdateInstance', { contractID: { contractNum: 8 }, expirationTime: { seconds: 9 } }],
  ['cryptoCreateAccount', { key, alias: Buffer.alloc(20, 1) }],
])('who signs a scheduled %s takes more than it says', (kind, body) => {
  expect(scheduledOf(encode('proto.SchedulableTransactionBody', { [kind]: body }))).toMatchObject({
    kind,
    signers: undefined,
  })
})

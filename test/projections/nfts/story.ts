import type { NftSnapshotted, TransactionRecorded } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { alice, recordOf } from '#test/support/events.ts'
import { type Sketch, wholeEvent } from '#test/support/whole-event.ts'

/** A collection, and the account that its NFTs are minted to. */
export const token = 3_001n
export const treasury = 1_100n

const tokenId = (id: bigint) => ({ tokenNum: id })
const account = (accountNum: bigint) => ({ accountNum, alias: null })

/** A transaction that succeeded, unless the facts say otherwise. */
export function transaction(time: bigint, type: number, facts: Sketch<TransactionRecorded>): LogRecord {
  const header = { consensusTimestamp: time, validStartTimestamp: time, payerAccountId: alice, type, result: 22 }
  return recordOf('TransactionRecorded', wholeEvent('TransactionRecorded', { ...header, successful: true, ...facts }))
}

/** Serial number, sender and receiver; null for nobody. */
type Entry = readonly [serial: bigint, sender: bigint | null, receiver: bigint | null]

const transfers = (id: bigint, entries: readonly Entry[]) =>
  entries.map(([serialNumber, senderAccountId, receiverAccountId]) => ({
    tokenId: id,
    serialNumber,
    senderAccountId,
    receiverAccountId,
    isApproval: false,
  }))

export const metadataOf = (serial: bigint) => Buffer.from(`nft ${serial}`)

export const minted = (time: bigint, serialNumbers: readonly bigint[], id = token, owner = treasury): LogRecord =>
  transaction(time, 37, {
    tokenMint: { token: tokenId(id), metadata: serialNumbers.map(metadataOf) },
    record: { receipt: { serialNumbers: [...serialNumbers] } },
    nftTransfers: transfers(
      id,
      serialNumbers.map((serial) => [serial, null, owner]),
    ),
  })

export const transferred = (time: bigint, entries: readonly Entry[], id = token): LogRecord =>
  transaction(time, 14, { nftTransfers: transfers(id, entries) })

/** All that the sender holds goes to the receiver. */
export const treasuryChanged = (time: bigint, sender: bigint, receiver: bigint, id = token): LogRecord =>
  transaction(time, 36, {
    tokenUpdate: { token: tokenId(id) },
    nftTransfers: transfers(id, [[-1n, sender, receiver]]),
  })

export const burned = (time: bigint, serialNumbers: readonly bigint[], owner = treasury): LogRecord =>
  transaction(time, 38, {
    tokenBurn: { token: tokenId(token), serialNumbers: [...serialNumbers] },
    nftTransfers: transfers(
      token,
      serialNumbers.map((serial) => [serial, owner, null]),
    ),
  })

export const wiped = (time: bigint, serialNumbers: readonly bigint[], owner: bigint): LogRecord =>
  transaction(time, 39, {
    tokenWipe: { token: tokenId(token), account: account(owner), serialNumbers: [...serialNumbers] },
    nftTransfers: transfers(
      token,
      serialNumbers.map((serial) => [serial, owner, null]),
    ),
  })

export const described = (time: bigint, serialNumbers: readonly bigint[], metadata: string | null): LogRecord =>
  transaction(time, 53, {
    tokenUpdateNfts: {
      token: tokenId(token),
      serialNumbers: [...serialNumbers],
      metadata: metadata === null ? null : Buffer.from(metadata),
    },
  })

interface ApprovalSketch {
  readonly owner?: bigint
  readonly spender: bigint
  readonly serials?: readonly bigint[]
  readonly forAll?: boolean | null
  readonly delegatingSpender?: bigint
  readonly id?: bigint
}

export const approved = (time: bigint, ...approvals: readonly ApprovalSketch[]): LogRecord =>
  transaction(time, 48, {
    cryptoApproveAllowance: {
      nftAllowances: approvals.map(
        ({ owner, spender, serials = [], forAll = null, delegatingSpender, id = token }) => ({
          tokenId: tokenId(id),
          owner: owner === undefined ? null : account(owner),
          spender: account(spender),
          serialNumbers: [...serials],
          approvedForAll: forAll,
          delegatingSpender: delegatingSpender === undefined ? null : account(delegatingSpender),
        }),
      ),
    },
  })

export const disapproved = (time: bigint, owner: bigint, serialNumbers: readonly bigint[]): LogRecord =>
  transaction(time, 49, {
    cryptoDeleteAllowance: {
      nftAllowances: [{ tokenId: tokenId(token), owner: account(owner), serialNumbers: [...serialNumbers] }],
    },
  })

export const deleted = (time: bigint, id = token): LogRecord =>
  transaction(time, 35, { entityId: id, tokenDeletion: { token: tokenId(id) } })

export const dissociated = (time: bigint, owner: bigint): LogRecord =>
  transaction(time, 41, {
    entityId: owner,
    tokenDissociate: { account: account(owner), tokens: [tokenId(token)] },
  })

export const stated = (serialNumber: bigint, asOf: bigint, facts: Sketch<NftSnapshotted>): LogRecord =>
  recordOf('NftSnapshotted', wholeEvent('NftSnapshotted', { tokenId: token, serialNumber, asOf, ...facts }))

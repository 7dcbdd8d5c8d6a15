import type { EventByType } from '#schemas/events/types.ts'
import { stateExamples } from './state-examples.ts'

const hash = (byte: number) => Buffer.alloc(48, byte)
const start = 1_717_000_000_000_000_000n

/** One example of each event for the catalogue; fields left out have their default. */
export const examples: { readonly [T in keyof EventByType]: Partial<EventByType[T]> } = {
  SnapshotStarted: { network: 'testnet', asOf: 0n },
  AddressBookSnapshotted: { fileId: 102n, contents: Buffer.from('0a0a1a05302e302e332803', 'hex'), asOf: 0n },
  SnapshotCompleted: { count: 1n },
  TransactionRecorded: {
    consensusTimestamp: start + 5_000_000_001n,
    validStartTimestamp: start,
    payerAccountId: 1001n,
    blockNumber: 64_000_000n,
    transactionIndex: 0,
    type: 14,
    result: 22,
    nodeAccountId: 3n,
    chargedTxFee: 84_551n,
    maxFee: 100_000_000n,
    validDurationSeconds: 120n,
    memo: Buffer.from('rent'),
    transactionHash: hash(0x5a),
    highVolumePricingMultiplier: 0n,
    transfers: [
      { accountId: 3n, amount: 3_551n, isApproval: false, errata: null },
      { accountId: 98n, amount: 81_000n, isApproval: false, errata: null },
      { accountId: 1001n, amount: -500_084_551n, isApproval: false, errata: null },
      { accountId: 1002n, amount: 500_000_000n, isApproval: false, errata: null },
    ],
    successful: true,
    cryptoTransfer: {
      transfers: { accountAmounts: [hbar(1001n, -500_000_000n), hbar(1002n, 500_000_000n)] },
      tokenTransfers: [],
    },
  },
  BlockRecorded: {
    number: 64_000_000n,
    name: '2024-05-29T16_26_45.000000001Z.rcd.gz',
    hash: hash(0x11),
    previousHash: hash(0x10),
    fileHash: hash(0x12),
    metadataHash: hash(0x13),
    version: 6,
    consensusStart: start + 5_000_000_001n,
    consensusEnd: start + 5_000_000_001n,
    count: 1n,
    size: 612,
    gasUsed: 0n,
    logsBloom: Buffer.alloc(0),
    hapiVersionMajor: 0,
    hapiVersionMinor: 49,
    hapiVersionPatch: 7,
    signedBy: [0n, 1n, 3n],
    sourceNodeId: 1n,
  },
  BlockNumbersShifted: {
    shift: 63_999_990n,
    throughNumber: 9n,
    name: '2024-05-29T16_26_45.000000001Z.rcd.gz',
    consensusTimestamp: start + 5_000_000_001n,
  },
  LogSuperseded: {
    nextGeneration: 2,
    nextLog: 'ledger.transactions.g2',
    reason: 'history before 2024',
    consensusTimestamp: start + 5_000_000_001n,
  },
  ...stateExamples,
  ContractLogRecorded: {
    consensusTimestamp: start + 5_000_000_001n,
    index: 3,
    originTimestamp: start + 5_000_000_001n,
    blockConsensusEnd: start + 6_000_000_007n,
    transactionHash: hash(0x5a).subarray(0, 32),
    transactionIndex: 0,
    payerAccountId: 1001n,
    contractId: 2001n,
    address: Buffer.from('00000000000000000000000000000000000007d1', 'hex'),
    rootContractId: 2001n,
    topics: ['ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', '03e9', '03ea'].map((topic) =>
      Buffer.from(topic.padStart(64, '0'), 'hex'),
    ),
    data: Buffer.from('fa'.padStart(64, '0'), 'hex'),
    synthetic: true,
  },
  TransfersRecorded: {
    consensusTimestamp: start + 5_000_000_001n,
    validStartTimestamp: start,
    payerAccountId: 1001n,
    blockNumber: 64_000_000n,
    transactionIndex: 0,
    type: 14,
    result: 22,
    successful: true,
    transfers: [
      { accountId: 98n, amount: 84_551n, isApproval: false, errata: null },
      { accountId: 1001n, amount: -84_551n, isApproval: false, errata: null },
    ],
    tokenTransfers: [
      { tokenId: 2001n, accountId: 1001n, amount: -250n, isApproval: false },
      { tokenId: 2001n, accountId: 1002n, amount: 250n, isApproval: false },
    ],
    nftTransfers: [
      { tokenId: 3001n, serialNumber: 7n, senderAccountId: 1001n, receiverAccountId: 1002n, isApproval: false },
    ],
  },
  TopicMessageRecorded: {
    consensusTimestamp: start + 5_000_000_001n,
    topicId: 4001n,
    sequenceNumber: 12n,
    message: Buffer.from('hello'),
    payerAccountId: 1001n,
    validStartTimestamp: start,
    runningHash: hash(0x77),
    runningHashVersion: 3n,
  },
}

function hbar(accountNum: bigint, amount: bigint) {
  return {
    accountID: { shardNum: 0n, realmNum: 0n, accountNum, alias: null },
    amount,
    isApproval: false,
    preTxAllowanceHook: null,
    prePostTxAllowanceHook: null,
  }
}

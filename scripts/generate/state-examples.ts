import type { EventByType } from '#schemas/events/types.ts'
import type { OutputType } from '#src/events/event-types.ts'

const created = 1_700_000_000_000_000_001n
const midnight = 1_717_027_200_000_000_007n
const periodEnd = 1_717_027_199_999_999_999n
const key = Buffer.from(`1220${'a1'.repeat(32)}`, 'hex')
const slot = Buffer.alloc(32, 0).fill(2, 31)

/** Events that no opening snapshot of an importer has, but one of a whole state. */
type StateEvent = Exclude<
  keyof EventByType,
  | 'SnapshotStarted'
  | 'AddressBookSnapshotted'
  | 'SnapshotCompleted'
  | 'TransactionRecorded'
  | 'BlockRecorded'
  | 'BlockNumbersShifted'
  | 'LogSuperseded'
  | OutputType
>

/** One example of each statement about state for the catalogue. */
export const stateExamples: { readonly [T in StateEvent]: Partial<EventByType[T]> } = {
  EntitySnapshotted: {
    entityId: 1001n,
    type: 'ACCOUNT',
    asOf: created,
    createdTimestamp: created,
    deleted: false,
    key,
    publicKey: 'a1'.repeat(32),
    memo: 'rent',
    autoRenewPeriod: 7_776_000n,
    maxAutomaticTokenAssociations: -1,
    stakedNodeId: 3n,
    stakePeriodStart: 19_872n,
    ethereumNonce: 0n,
  },
  AccountBalanceSnapshotted: {
    accountId: 1001n,
    asOf: created + 9n,
    balance: 500_000_000n,
    balanceTimestamp: created + 9n,
  },
  TokenAccountSnapshotted: {
    accountId: 1001n,
    tokenId: 2001n,
    asOf: created + 5n,
    associated: true,
    createdTimestamp: created + 5n,
    freezeStatus: 2,
  },
  TokenBalanceSnapshotted: {
    accountId: 1001n,
    tokenId: 2001n,
    asOf: created + 9n,
    balance: 12_000n,
    balanceTimestamp: created + 9n,
  },
  TokenSnapshotted: {
    tokenId: 2001n,
    asOf: created + 2n,
    createdTimestamp: created + 2n,
    name: 'Rent vouchers',
    symbol: 'RENT',
    decimals: 2n,
    initialSupply: 1_000_000n,
    totalSupply: 1_000_000n,
    treasuryAccountId: 1002n,
    freezeStatus: 2,
    freezeKey: key,
  },
  AccountStakeSnapshotted: {
    accountId: 1001n,
    asOf: midnight,
    endStakePeriod: 19_871n,
    pendingReward: 4_200n,
    stakedNodeIdStart: 3n,
    stakeTotalStart: 500_000_000n,
  },
  NodeStakesSnapshotted: { asOf: midnight, nodes: [nodeStake(0n), nodeStake(3n)] },
  NetworkStakeSnapshotted: {
    asOf: midnight,
    epochDay: 19_871n,
    stakingPeriod: periodEnd,
    stakingPeriodDuration: 1_440n,
    stakingPeriodsStored: 365n,
    stakeTotal: 100_000_000_000n,
    maxStakeRewarded: 650_000_000_000_000_000n,
    maxStakingRewardRatePerHbar: 6_849n,
    stakingRewardFeeNumerator: 10n,
    stakingRewardFeeDenominator: 100n,
  },
  HookSnapshotted: {
    ownerId: 1001n,
    hookId: 1n,
    asOf: created,
    contractId: 5001n,
    type: 'EVM',
    adminKey: key,
    createdTimestamp: created,
  },
  HookStorageSnapshotted: {
    ownerId: 1001n,
    hookId: 1n,
    key: slot,
    asOf: created + 7n,
    value: Buffer.from([5]),
    createdTimestamp: created + 3n,
  },
  HookStorageChangeSnapshotted: {
    ownerId: 1001n,
    hookId: 1n,
    key: slot,
    asOf: created + 7n,
    valueRead: Buffer.from([4]),
    valueWritten: Buffer.from([5]),
  },
  NodeSnapshotted: {
    nodeId: 3n,
    asOf: created,
    accountId: 6n,
    adminKey: key,
    associatedRegisteredNodes: [7n],
    createdTimestamp: created,
    grpcProxyEndpoint: { domainName: 'proxy.example.com', ipAddressV4: null, port: 443 },
  },
  RegisteredNodeSnapshotted: {
    registeredNodeId: 7n,
    asOf: created,
    adminKey: key,
    createdTimestamp: created,
    description: 'blocks for all',
    types: [1],
    serviceEndpoints: [
      {
        ipAddress: '192.0.2.10',
        domainName: null,
        port: 50_211,
        requiresTls: true,
        blockNode: { endpointApis: [1, 2] },
        generalService: null,
        mirrorNode: false,
        rpcRelay: false,
      },
    ],
  },
  CustomFeesSnapshotted: {
    entityId: 2001n,
    asOf: created + 2n,
    fixedFees: [
      { amount: 100_000n, denominatingTokenId: null, collectorAccountId: 1002n, allCollectorsAreExempt: false },
    ],
    fractionalFees: [
      {
        numerator: 1n,
        denominator: 100n,
        minimumAmount: 1n,
        maximumAmount: 1_000n,
        netOfTransfers: false,
        collectorAccountId: 1002n,
        allCollectorsAreExempt: true,
      },
    ],
  },
  TopicSnapshotted: { topicId: 3001n, asOf: created, createdTimestamp: created, adminKey: key, submitKey: key },
  TopicMessageSnapshotted: {
    topicId: 3001n,
    sequenceNumber: 1n,
    asOf: created + 9n,
    message: Buffer.from('rent is due'),
    payerAccountId: 1001n,
    runningHash: Buffer.alloc(48, 0x5a),
    runningHashVersion: 3,
  },
  ScheduleSnapshotted: {
    scheduleId: 4001n,
    asOf: created,
    creatorAccountId: 1001n,
    payerAccountId: 1002n,
    transactionBody: Buffer.from('08c0843d', 'hex'),
    signatures: [
      {
        consensusTimestamp: created,
        publicKeyPrefix: Buffer.alloc(32, 0xa1),
        signature: Buffer.alloc(64, 0x5a),
        type: 3,
      },
    ],
  },
  ContractSnapshotted: {
    contractId: 5001n,
    asOf: created,
    fileId: 5000n,
    runtimeBytecode: Buffer.from('6080604052', 'hex'),
  },
  ContractStateSnapshotted: {
    contractId: 5001n,
    slot,
    asOf: created + 7n,
    value: Buffer.from([5]),
    createdTimestamp: created + 3n,
  },
  ContractExecutionSnapshotted: {
    asOf: created + 7n,
    result: {
      contractId: 5001n,
      senderId: 1001n,
      payerAccountId: 1001n,
      transactionNonce: 0,
      transactionIndex: 4,
      transactionHash: Buffer.alloc(32, 0xc5),
      transactionResult: 22,
      amount: 0n,
      gasLimit: 60_000n,
      gasUsed: 48_000n,
      gasConsumed: 31_020n,
      functionParameters: Buffer.from('a9059cbb', 'hex'),
      callResult: Buffer.from([1]),
      bloom: Buffer.alloc(0),
      errorMessage: null,
      createdContractIds: [],
      failedInitcode: null,
    },
    stateChanges: [
      { contractId: 5001n, slot, valueRead: Buffer.from([4]), valueWritten: Buffer.from([5]), migration: false },
    ],
  },
  FileSnapshotted: {
    fileId: 112n,
    asOf: created + 3n,
    contents: Buffer.from('0a0c0801100c1a060880e6fe8907', 'hex'),
    begunTimestamp: created + 2n,
  },
  ContractLogsSnapshotted: {
    asOf: created + 11n,
    payerAccountId: 1001n,
    transactionHash: Buffer.alloc(32, 0xc3),
    transactionIndex: 4,
    logs: [
      {
        index: 0,
        contractId: 2001n,
        rootContractId: 2001n,
        topic0: Buffer.from('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex'),
        topic1: Buffer.from([3, 233]),
        topic2: Buffer.from([3, 234]),
        topic3: null,
        data: Buffer.from([250]),
        bloom: null,
        synthetic: true,
      },
    ],
  },
  AllowanceSnapshotted: {
    ownerId: 1001n,
    spenderId: 1002n,
    tokenId: 2001n,
    asOf: created + 7n,
    amountGranted: 1_000n,
    amount: 250n,
  },
  AirdropSnapshotted: {
    senderId: 1001n,
    receiverId: 1002n,
    tokenId: 2001n,
    asOf: created + 8n,
    amount: 30n,
    state: 'PENDING',
  },
  NftSnapshotted: {
    tokenId: 3001n,
    serialNumber: 7n,
    asOf: created + 7n,
    accountId: 1001n,
    createdTimestamp: created,
    metadata: Buffer.from('ipfs://7'),
    spender: 1002n,
  },
  NftAllowanceSnapshotted: {
    ownerId: 1001n,
    spenderId: 1002n,
    tokenId: 3001n,
    asOf: created + 7n,
    approvedForAll: true,
    payerAccountId: 1001n,
  },
}

function nodeStake(nodeId: bigint): EventByType['NodeStakesSnapshotted']['nodes'][number] {
  return {
    nodeId,
    epochDay: 19_871n,
    stakingPeriod: periodEnd,
    maxStake: 45_000_000_000_000_000n,
    minStake: 1_000_000_000_000n,
    rewardRate: 6_849n,
    stake: 50_000_000_000n,
    stakeNotRewarded: 0n,
    stakeRewarded: 50_000_000_000n,
  }
}

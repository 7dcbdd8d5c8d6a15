import type protobuf from 'protobufjs'
import type {
  AccountAmount,
  AccountID,
  BodyField,
  ContractActions,
  ContractBytecode,
  ContractStateChanges,
  CustomFeeLimit,
  Duration,
  SignaturePair,
  Timestamp,
  TokenID,
  TokenTransferList,
  TransactionID,
  TransactionReceipt,
  TransactionRecord,
  TransactionRecorded,
  TransferList,
} from '#schemas/events/types.ts'
import { eventMessage } from '#src/events/decode/protobuf.ts'

/** Decoded messages that events do not carry as they are; see protobuf.ts for how their fields look. */
export interface Transaction {
  body: TransactionBody | null
  sigs: { sigs: unknown[] } | null
  sigMap: { sigPair: SignaturePair[] } | null
  bodyBytes: Buffer
  signedTransactionBytes: Buffer
}

export interface SignedTransaction {
  bodyBytes: Buffer
  sigMap: { sigPair: SignaturePair[] } | null
  useSerializedTxMessageHashAlgorithm: boolean
}

/** The bodies by field, only the one that is set being there, and what all transactions have. */
export interface TransactionBody extends Partial<Pick<TransactionRecorded, BodyField>> {
  transactionID: TransactionID | null
  nodeAccountID: AccountID | null
  transactionFee: bigint
  transactionValidDuration: Duration | null
  generateRecord: boolean
  /** Raw bytes. */
  memo: Buffer
  /** Serialized Key. */
  batchKey: Buffer
  maxCustomFees: CustomFeeLimit[]
  highVolume: boolean
}

export interface AssessedCustomFee {
  amount: bigint
  tokenId: TokenID | null
  feeCollectorAccountId: AccountID | null
  effectivePayerAccountId: AccountID[]
}

export interface FullReceipt extends TransactionReceipt {
  status: number
}

export interface FullRecord extends TransactionRecord {
  receipt: FullReceipt | null
  transactionHash: Buffer
  consensusTimestamp: Timestamp | null
  transactionID: TransactionID | null
  /** Raw bytes. */
  memo: Buffer
  transactionFee: bigint
  transferList: TransferList | null
  tokenTransferLists: TokenTransferList[]
  assessedCustomFees: AssessedCustomFee[]
  parentConsensusTimestamp: Timestamp | null
  paidStakingRewards: AccountAmount[]
  highVolumePricingMultiplier: bigint
}

export interface TransactionSidecarRecord {
  consensusTimestamp: Timestamp | null
  migration: boolean
  stateChanges: ContractStateChanges | null
  actions: ContractActions | null
  bytecode: ContractBytecode | null
}

type MessageName = 'transaction' | 'signedTransaction' | 'body' | 'record' | 'sidecar'

/** The message types, looked up once. */
export function messageTypes(): Readonly<Record<MessageName, protobuf.Type>> {
  types ??= {
    transaction: eventMessage('proto.Transaction'),
    signedTransaction: eventMessage('proto.SignedTransaction'),
    body: eventMessage('proto.TransactionBody'),
    record: eventMessage('proto.TransactionRecord'),
    sidecar: eventMessage('proto.TransactionSidecarRecord'),
  }
  return types
}

let types: Readonly<Record<MessageName, protobuf.Type>> | undefined

/** Type numbers of the bodies by field name. */
export function bodyTypes(): ReadonlyMap<string, number> {
  bodyNumbers ??= new Map(messageTypes().body.oneofs['data']?.fieldsArray.map((field) => [field.name, field.id]))
  return bodyNumbers
}

let bodyNumbers: ReadonlyMap<string, number> | undefined

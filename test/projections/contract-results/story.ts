import { RLP } from '@ethereumjs/rlp'
import type {
  ContractActionsSidecar,
  ContractBytecodeSidecar,
  ContractFunctionResult,
  ContractID,
  ContractStateChangesSidecar,
  EventOf,
  TransactionRecorded,
} from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { eventOf, recordOf, transactionRecorded } from '#test/support/events.ts'

type Parts = Partial<Omit<TransactionRecorded, 'transfers'>>

/** A transaction without hbar transfers. */
export function transaction(fields: Parts): LogRecord {
  return recordOf('TransactionRecorded', transactionRecorded({ ...fields, transfers: [] }))
}

export function contract(contractNum: bigint): ContractID {
  return { shardNum: 0n, realmNum: 0n, contractNum, evmAddress: null }
}

export function account(accountNum: bigint) {
  return { shardNum: 0n, realmNum: 0n, accountNum, alias: null }
}

/** What the EVM gave back; nothing but what is said. */
export function functionResult(fields: Partial<ContractFunctionResult>): ContractFunctionResult {
  return {
    contractID: null,
    contractCallResult: Buffer.alloc(0),
    errorMessage: '',
    bloom: Buffer.alloc(0),
    gasUsed: 0n,
    logInfo: [],
    createdContractIDs: [],
    evmAddress: null,
    gas: 0n,
    amount: 0n,
    functionParameters: Buffer.alloc(0),
    senderId: null,
    contractNonces: [],
    signerNonce: null,
    ...fields,
  }
}

const noRecord: NonNullable<TransactionRecorded['record']> = {
  receipt: null,
  contractCallResult: null,
  contractCreateResult: null,
  scheduleRef: null,
  automaticTokenAssociations: [],
  alias: Buffer.alloc(0),
  ethereumHash: Buffer.alloc(0),
  prngBytes: null,
  prngNumber: null,
  evmAddress: Buffer.alloc(0),
  newPendingAirdrops: [],
}

export function record(fields: Partial<typeof noRecord>): typeof noRecord {
  return { ...noRecord, ...fields }
}

export function callBody(contractNum: bigint, fields: { gas?: bigint; amount?: bigint; data?: string } = {}) {
  const { gas = 100_000n, amount = 0n, data = '' } = fields
  return { contractID: contract(contractNum), gas, amount, functionParameters: Buffer.from(data, 'hex') }
}

type CreateBody = NonNullable<TransactionRecorded['contractCreateInstance']>

export function createBody(fields: Partial<CreateBody>): CreateBody {
  const empty: CreateBody = {
    fileID: null,
    adminKey: null,
    gas: 200_000n,
    initialBalance: 0n,
    proxyAccountID: null,
    autoRenewPeriod: { seconds: 7_776_000n },
    constructorParameters: Buffer.alloc(0),
    shardID: null,
    realmID: null,
    newRealmAdminKey: null,
    memo: '',
    maxAutomaticTokenAssociations: 0,
    autoRenewAccountId: null,
    initcode: null,
    stakedAccountId: null,
    stakedNodeId: null,
    declineReward: false,
    hookCreationDetails: [],
  }
  return { ...empty, ...fields }
}

export const target = Buffer.alloc(20, 0xaa)

/** Raw bytes of an EIP-1559 transaction. */
export function ethereumData(fields: { nonce?: number; gas?: number; value?: bigint; data?: string } = {}): Buffer {
  const { nonce = 7, gas = 150_000, value = 0n, data = '' } = fields
  const items = [295, nonce, 10_000_000_000n, 20_000_000_000n, gas, target, value, Buffer.from(data, 'hex'), [], 1]
  return Buffer.concat([Buffer.from([2]), RLP.encode([...items, Buffer.alloc(32, 1), Buffer.alloc(32, 2)])])
}

export function ethereumBody(ethereumData: Buffer, callDataFile?: bigint) {
  const callData = callDataFile === undefined ? null : { shardNum: 0n, realmNum: 0n, fileNum: callDataFile }
  return { ethereumData, callData, maxGasAllowance: 0n }
}

type Change = ContractStateChangesSidecar['stateChanges'] & object

/** Written (or with null only read) slots of a contract. */
export function stateChanges(
  contractNum: bigint,
  slots: readonly (readonly [slot: number, read: number, written: number | null])[],
  migration = false,
): ContractStateChangesSidecar {
  const storageChanges = slots.map(([slot, read, written]) => ({
    slot: Buffer.from([slot]),
    valueRead: Buffer.from([read]),
    valueWritten: written === null ? null : Buffer.from([written]),
  }))
  const contractStateChanges: Change['contractStateChanges'] = [{ contractId: contract(contractNum), storageChanges }]
  return { migration, stateChanges: { contractStateChanges } }
}

type Action = NonNullable<ContractActionsSidecar['actions']>['contractActions'][number]

export function actions(...list: readonly Partial<Action>[]): ContractActionsSidecar {
  const empty: Action = {
    callType: 1,
    callingAccount: null,
    callingContract: null,
    gas: 0n,
    input: Buffer.alloc(0),
    recipientAccount: null,
    recipientContract: null,
    targetedAddress: null,
    value: 0n,
    gasUsed: 0n,
    output: null,
    revertReason: null,
    error: null,
    callDepth: 0,
    callOperationType: 1,
  }
  return { migration: false, actions: { contractActions: list.map((action) => ({ ...empty, ...action })) } }
}

export function bytecode(contractNum: bigint, initcode: string, runtime: string): ContractBytecodeSidecar {
  const code = { initcode: Buffer.from(initcode, 'hex'), runtimeBytecode: Buffer.from(runtime, 'hex') }
  return { migration: false, bytecode: { contractId: contract(contractNum), ...code } }
}

/** Closes a block; its end is the time of its last transaction. */
export function block(
  number: bigint,
  [start, end]: readonly [bigint, bigint],
  hapi: readonly [number, number] = [0, 70],
) {
  const event: EventOf<'BlockRecorded'> = eventOf('BlockRecorded', {
    number,
    name: `${number}.rcd`,
    hash: Buffer.alloc(48, number.toString(16).padStart(16, '0'), 'hex'),
    previousHash: Buffer.alloc(48),
    consensusStart: start,
    consensusEnd: end,
    count: 1n,
    gasUsed: 21_000n,
    logsBloom: Buffer.alloc(0),
    hapiVersionMajor: hapi[0],
    hapiVersionMinor: hapi[1],
    hapiVersionPatch: 0,
  })
  return recordOf('BlockRecorded', event)
}

import type { Message } from '#src/simulator/codec.ts'
import { addressWord, callResult, type Log, longZero, storageChange, transferTopic, word } from '#src/simulator/evm.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import {
  accountId,
  contractId,
  fileId,
  hexBytes,
  seconds,
  systemContracts,
  tokenId,
  wrapped,
} from '#src/simulator/ids.ts'
import { keccak256 } from '#src/simulator/keccak.ts'
import { type Contract, forget, remember } from '#src/simulator/ledger-state.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const contractsMost = 50
const slotsMost = 20
const runtimeBytecode = Buffer.from(
  '6080604052348015600f57600080fd5b50600436106028575f3560e01c8063a9059cbb14602d575b5f80fd',
  'hex',
)
const initcode = Buffer.concat([
  Buffer.from('608060405234801561000f575f80fd5b50602b80601d5f395ff3fe', 'hex'),
  runtimeBytecode,
])
const transferSelector = Buffer.from('a9059cbb', 'hex')
/** Error(string) with the text "paused". */
const revertReason = Buffer.concat([
  Buffer.from('08c379a0', 'hex'),
  word(32),
  word(6),
  Buffer.from('paused'.padEnd(32, '\0')),
])

export const callType = { call: 1, create: 2, precompile: 3 } as const
const callOperation = { call: 1, create: 5 } as const

export const contractCreate: Kind = (world) => {
  const payer = world.payer()
  const gas = 400_000
  const file = world.prng.chance(0.3) ? world.some(world.state.files) : undefined
  const body: Message = {
    ...(file ? { fileID: fileId(file.num) } : { initcode }),
    gas,
    autoRenewPeriod: seconds(7_776_000),
    constructorParameters: word(world.prng.below(1_000)),
    memo: 'simulated contract',
    ...(world.prng.chance(0.5) ? { adminKey: world.keyOf(payer) } : {}),
    maxAutomaticTokenAssociations: 10,
  }
  const submission = { body: { contractCreateInstance: body }, payer, fee: gas * gasPrice }
  const result = world.failure('INSUFFICIENT_GAS', 'INVALID_FILE_ID')
  if (result) return { ...submission, result }
  const contract = newContract(world)
  return { ...submission, ...creationOutcome(contract, payer, gas) }
}

export function newContract(world: World): Contract {
  const num = world.newEntity()
  const evmAddress = keccak256(Buffer.from(`${world.options.seed}/contract/${num}`))
    .subarray(12)
    .toString('hex')
  const contract: Contract = { num, evmAddress, nonce: 1, slots: {} }
  remember(world.state.contracts, contract, contractsMost)
  return contract
}

/** Receipt, record and sidecars of a creation that went well. */
export function creationOutcome({ num, evmAddress }: Contract, sender: number, gas: number): Partial<Submission> {
  const id = contractId(num)
  const action = {
    callType: callType.create,
    callOperationType: callOperation.create,
    callingAccount: accountId(sender),
    recipientContract: id,
    gas: gas - 53_000,
    gasUsed: 40_000,
    output: runtimeBytecode,
  }
  return {
    receipt: { contractID: id },
    record: {
      contractCreateResult: {
        ...callResult({ contract: num, sender, gas, gasUsed: 120_000, output: runtimeBytecode }),
        evmAddress: wrapped(hexBytes(evmAddress)),
        createdContractIDs: [id],
        contractNonces: [{ contractId: id, nonce: 1 }],
      },
    },
    sidecars: [{ bytecode: { contractId: id, initcode, runtimeBytecode } }, { actions: { contractActions: [action] } }],
  }
}

/** A call of `transfer(address,uint256)` that logs, reads and writes storage; some revert. */
export const contractCall: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  if (!contract) return undefined
  const payer = world.payer()
  const gas = world.prng.between(5, 30) * 10_000
  const amount = world.prng.chance(0.3) ? world.amountFrom(payer) : 0
  const input = transferInput(world)
  const id = contract.num % 2 === 0 ? contractId(contract.num) : { evmAddress: hexBytes(contract.evmAddress) }
  const body = { contractCall: { contractID: id, gas, amount, functionParameters: input } }
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'INSUFFICIENT_GAS', 'INVALID_CONTRACT_ID')
  if (failure === 'INVALID_CONTRACT_ID') return { body, payer, result: failure }
  const outcome = callOutcome(world, contract, { sender: payer, gas, amount, input, failed: failure !== undefined })
  return {
    body,
    payer,
    fee: gas * gasPrice,
    ...outcome,
    movements: [
      [payer, -amount],
      [contract.num, amount],
    ],
    ...(failure ? { result: failure } : {}),
  }
}

export interface CallPlan {
  readonly sender: number
  readonly gas: number
  readonly amount: number
  readonly input: Uint8Array
  readonly failed: boolean
}

export function transferInput(world: World): Buffer {
  return Buffer.concat([
    transferSelector,
    addressWord(longZero(world.user().num)),
    word(world.prng.between(1, 1_000_000)),
  ])
}

/** Receipt, record and sidecars of a call, as success or as revert. */
export function callOutcome(world: World, contract: Contract, plan: CallPlan): Partial<Submission> {
  const id = contractId(contract.num)
  const { failed, input, sender, gas, amount } = plan
  const output = failed ? revertReason : word(1)
  const gasUsed = Math.floor(gas * 0.8)
  const logs = failed
    ? []
    : Array.from({ length: world.prng.between(1, 3) }, () => transferLog(world, contract, sender))
  const action = {
    callType: callType.call,
    callOperationType: callOperation.call,
    callingAccount: accountId(sender),
    recipientContract: id,
    gas: gas - 21_000,
    gasUsed: gasUsed - 21_000,
    input,
    ...(amount > 0 ? { value: amount } : {}),
    ...(failed ? { revertReason: output } : { output }),
  }
  const error = failed ? { error: `0x${revertReason.toString('hex')}` } : {}
  const actions = { actions: { contractActions: [action] } }
  return {
    receipt: { contractID: id },
    record: {
      contractCallResult: callResult({
        contract: contract.num,
        sender,
        gas,
        gasUsed,
        amount,
        input,
        output,
        logs,
        ...error,
      }),
    },
    sidecars: failed ? [actions] : [{ stateChanges: storageAccess(world, contract) }, actions],
  }
}

function transferLog(world: World, { num, evmAddress }: Contract, sender: number): Log {
  const topics = [transferTopic, addressWord(longZero(sender)), addressWord(longZero(world.user().num))]
  return { contract: num, address: hexBytes(evmAddress), topics, data: word(world.prng.between(1, 1_000_000)) }
}

/** One slot read, one written; the state keeps what was written, so that the next read tells the truth. */
function storageAccess(world: World, contract: Contract): Message {
  const [read, written] = [world.prng.below(slotsMost), world.prng.below(slotsMost)].map((slot) =>
    slot.toString(16).padStart(2, '0'),
  )
  const value = world.prng.bytes(6).toString('hex')
  const changes = [storageChange(written ?? '', contract.slots[written ?? ''] ?? '', value)]
  if (read !== written) changes.unshift(storageChange(read ?? '', contract.slots[read ?? ''] ?? '', undefined))
  contract.slots[written ?? ''] = value
  return { contractStateChanges: [{ contractId: contractId(contract.num), storageChanges: changes }] }
}

/** A call that moves a token through the system contract, and one that creates another contract: both as children. */
export const contractCallWithChildren: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  const token = world.token(
    (candidate) => !candidate.nft && !candidate.paused && (candidate.holders[candidate.treasury] ?? 0) > 10,
  )
  if (!contract || !token) return undefined
  const payer = world.payer()
  const gas = 800_000
  const input = transferInput(world)
  const receiver = Number(Object.keys(token.holders).find((num) => Number(num) !== token.treasury) ?? token.treasury)
  if (receiver === token.treasury) return undefined
  token.holders[token.treasury] = (token.holders[token.treasury] ?? 0) - 5
  token.holders[receiver] = (token.holders[receiver] ?? 0) + 5
  const amounts = [
    { accountID: accountId(token.treasury), amount: -5 },
    { accountID: accountId(receiver), amount: 5 },
  ]
  const transferChild: Submission = {
    body: { cryptoTransfer: { tokenTransfers: [{ token: tokenId(token.num), transfers: amounts }] } },
    payer,
    tokenMovements: [
      {
        token: token.num,
        transfers: [
          [token.treasury, -5],
          [receiver, 5],
        ],
      },
    ],
    record: {
      contractCallResult: callResult({
        contract: systemContracts.tokenService,
        sender: payer,
        gas: 40_000,
        gasUsed: 30_000,
        input,
        output: word(22),
      }),
    },
  }
  const createChild: Submission = {
    body: { contractCreateInstance: { initcode, gas: 200_000, autoRenewPeriod: seconds(7_776_000) } },
    payer,
    ...creationOutcome(newContract(world), payer, 200_000),
  }
  return {
    body: { contractCall: { contractID: contractId(contract.num), gas, functionParameters: input } },
    payer,
    fee: gas * gasPrice,
    ...callOutcome(world, contract, { sender: payer, gas, amount: 0, input, failed: false }),
    following: [transferChild, createChild],
  }
}

export const contractUpdate: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  if (!contract) return undefined
  const result = world.failure('INVALID_SIGNATURE')
  const id = contractId(contract.num)
  const body = { contractUpdateInstance: { contractID: id, memoWrapper: wrapped(`release ${world.prng.below(100)}`) } }
  return { body, payer: world.payer(), ...(result ? { result } : { receipt: { contractID: id } }) }
}

export const contractDelete: Kind = (world) => {
  const contract = world.state.contracts.length > 5 ? world.some(world.state.contracts) : undefined
  if (!contract) return undefined
  const payer = world.payer()
  const id = contractId(contract.num)
  const body = { contractDeleteInstance: { contractID: id, transferAccountID: accountId(payer) } }
  const result = world.failure('INVALID_SIGNATURE')
  if (result) return { body, payer, result }
  forget(world.state.contracts, contract)
  return { body, payer, receipt: { contractID: id } }
}

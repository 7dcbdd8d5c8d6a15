import { keccak256 } from '#src/domain/keccak.ts'
import { created, keyHex, named } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { callResult } from '#src/simulator/evm.ts'
import { accountId, contractId, hexBytes, seconds, wrapped } from '#src/simulator/ids.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import { chooseStaking, someChoice, stakingFacts, stakingFields } from '#src/simulator/staking.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

export const callType = { call: 1, create: 2, precompile: 3 } as const
export const callOperation = { call: 1, create: 5 } as const

export const runtimeBytecode = Buffer.from(
  '6080604052348015600f57600080fd5b50600436106028575f3560e01c8063a9059cbb14602d575b5f80fd',
  'hex',
)
export const initcode = Buffer.concat([
  Buffer.from('608060405234801561000f575f80fd5b50602b80601d5f395ff3fe', 'hex'),
  runtimeBytecode,
])
const autoRenewSeconds = 7_776_000

export interface ContractTerms {
  /** Whose key may change it; null: nobody's, the contract's own key stands in the record. */
  readonly admin?: number | null
  readonly memo?: string
  readonly maxAssociations?: number
  readonly autoRenewAccount?: number
  /** Let it make a choice of its own. */
  readonly stakes?: boolean
}

export interface ContractCreation {
  readonly contract: Contract
  /** Fields of the body, without code and gas. */
  readonly fields: Message
  readonly changes: NonNullable<Submission['changes']>
}

/** Takes the next number for a contract and remembers it; the record's transfers bring its hbar. */
export function newContract(world: World, terms: ContractTerms = {}): ContractCreation {
  const { admin = null, memo = '', maxAssociations = 0, autoRenewAccount } = terms
  const num = world.newEntity()
  const evmAddress = keccak256(Buffer.from(`${world.options.seed}/contract/${num}`))
    .subarray(12)
    .toString('hex')
  const contract: Contract = { num, balance: 0, staking: null, hooks: [], evmAddress, admin, nonce: 1, slots: {} }
  const choice = terms.stakes && world.mayStake(contract) ? someChoice(world, num) : undefined
  if (choice) chooseStaking(world, contract, choice)
  world.addContract(contract)
  const key = admin === null ? { contractID: contractId(num) } : world.keyOf(admin)
  const fields = {
    autoRenewPeriod: seconds(autoRenewSeconds),
    ...(admin === null ? {} : { adminKey: key }),
    ...(memo === '' ? {} : { memo }),
    ...(maxAssociations === 0 ? {} : { maxAutomaticTokenAssociations: maxAssociations }),
    ...(autoRenewAccount === undefined ? {} : { autoRenewAccountId: accountId(autoRenewAccount) }),
    ...(choice ? stakingFields(choice, false) : {}),
  }
  const facts = {
    type: 'CONTRACT' as const,
    key: keyHex(key),
    memo,
    evmAddress,
    autoRenewSeconds,
    maxAutomaticAssociations: maxAssociations,
    autoRenewAccount: autoRenewAccount ?? null,
    ethereumNonce: contract.nonce,
    ...stakingFacts(contract),
  }
  return { contract, fields, changes: [created(num, facts), ...named(evmAddress, num)] }
}

/** Receipt, record and sidecars of a creation that went well. */
export function creationOutcome(
  { contract: { num, evmAddress }, changes }: ContractCreation,
  sender: number,
  gas: number,
): Pick<Submission, 'receipt' | 'record' | 'sidecars' | 'changes'> {
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
    changes,
    sidecars: [{ bytecode: { contractId: id, initcode, runtimeBytecode } }, { actions: { contractActions: [action] } }],
  }
}

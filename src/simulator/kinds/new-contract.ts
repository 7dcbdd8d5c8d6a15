import { keccak256 } from '#src/domain/keccak.ts'
import { created, keyHex, named } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { ContractCode } from '#src/simulator/evm/code.ts'
import { accountId, contractId, seconds } from '#src/simulator/ids.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import { chooseStaking, someChoice, stakingFacts, stakingFields } from '#src/simulator/staking.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const autoRenewSeconds = 7_776_000

export interface ContractTerms {
  readonly code: ContractCode
  /** 40 hex digits; one that the network chooses unless given. */
  readonly evmAddress?: string
  /** Whose key may change it; null: nobody's, the contract's own key stands in the record. */
  readonly admin?: number | null
  readonly memo?: string
  readonly maxAssociations?: number
  readonly autoRenewAccount?: number
  /** Let it make a choice of its own. */
  readonly stakes?: boolean
  /** How many contracts it made already, and one. */
  readonly nonce?: number
}

export interface ContractCreation {
  readonly contract: Contract
  /** Fields of the body, without code and gas. */
  readonly fields: Message
  readonly changes: NonNullable<Submission['changes']>
}

/** Takes the next number for a contract and remembers it; the record's transfers bring its hbar. */
export function newContract(world: World, terms: ContractTerms): ContractCreation {
  const { code, admin = null, memo = '', maxAssociations = 0, autoRenewAccount } = terms
  const num = world.newEntity()
  const evmAddress = terms.evmAddress ?? chosenAddress(world, num)
  const token = code === 'token' ? { holders: {}, allowances: {} } : null
  const held = { num, balance: 0, staking: null, hooks: [] }
  const contract: Contract = { ...held, evmAddress, admin, nonce: terms.nonce ?? 1, code, slots: {}, token }
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

/** Where the next new contract will be. */
export function addressOfNext(world: World, { evmAddress }: ContractTerms): string {
  return evmAddress ?? chosenAddress(world, world.state.nextEntity)
}

function chosenAddress({ options }: World, num: number): string {
  return keccak256(Buffer.from(`${options.seed}/contract/${num}`))
    .subarray(12)
    .toString('hex')
}

import { deleted, keyHex, named, nanosOf, updated } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { gasLimitOf } from '#src/simulator/evm/asked-call.ts'
import { type ContractCode, codeOf } from '#src/simulator/evm/code.ts'
import { creationOf } from '#src/simulator/evm/creation.ts'
import { execute } from '#src/simulator/evm/execute.ts'
import { partyOf } from '#src/simulator/evm/frame.ts'
import { outcomeOf } from '#src/simulator/evm/outcome.ts'
import { refusedFounding } from '#src/simulator/evm/token.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import { createHook } from '#src/simulator/hooks.ts'
import { accountId, contractId, fileId, seconds, wrapped } from '#src/simulator/ids.ts'
import type { Update } from '#src/simulator/kinds/account.ts'
import { uploadOf } from '#src/simulator/kinds/file.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { Movement } from '#src/simulator/movement.ts'
import { chooseStaking, pendingReward, someChoice, stakingFacts, stakingFields } from '#src/simulator/staking.ts'
import type { Kind, RunningKind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const daySeconds = 86_400
/** None of the files that anybody has. */
const missingFile = 999
/** Contracts that a network does not do without. */
const contractsLeast = 5

/** A contract with inline code, or with code that comes in a file before; some are refused by their constructors. */
export const contractCreate: RunningKind = async (world) => {
  const payer = world.payer()
  const failure = world.failure('INSUFFICIENT_GAS', 'INVALID_FILE_ID', 'CONTRACT_REVERT_EXECUTED')
  if (failure) return refusedCreation(world, payer, failure)
  const code = missingCode(world) ?? world.prng.pick(codes)
  const terms = {
    code,
    admin: world.prng.chance(0.6) ? payer : null,
    memo: world.prng.pick(['simulated contract', '', 'vault']),
    maxAssociations: world.prng.pick([10, 0, -1]),
    ...(world.prng.chance(0.3) ? { autoRenewAccount: payer } : {}),
    stakes: world.prng.chance(0.3),
  }
  const value = payable.includes(code) && world.prng.chance(0.6) ? world.amountFrom(payer) : 0
  const caller = partyOf(world, payer)
  const execution = await execute(world, { caller, creation: terms, value, ...creationOf(world, code, caller) })
  const [{ creation }] = execution.frames
  if (!creation) throw new TypeError(`a ${code} did not come into being`)
  const hook = firstHook(world, creation.contract, payer)
  const { changes = [], ...outcome } = outcomeOf(execution, payer)
  const { initcode } = codeOf(code)
  const upload = world.prng.chance(0.3) ? uploadOf(world, payer, initcode.toString('hex')) : undefined
  const body = {
    ...(upload ? { fileID: fileId(upload.num) } : { initcode }),
    gas: execution.gas,
    ...(value === 0 ? {} : { initialBalance: value }),
    constructorParameters: execution.asked.input.subarray(initcode.length),
    ...creation.fields,
    ...hook.fields,
  }
  const submission = { ...outcome, body: { contractCreateInstance: body }, changes: [...changes, ...hook.changes] }
  return [...(upload?.submissions ?? []), submission]
}

const codes: readonly ContractCode[] = ['token', 'token', 'market', 'factory', 'teller']

/** Whose constructors take hbar. */
const payable: readonly ContractCode[] = ['token', 'market']

/** Nothing happens without a contract of each kind, and old ones are forgotten. */
function missingCode({ callable }: World): ContractCode | undefined {
  return codes.find((code) => !callable.some((contract) => contract.code === code))
}

async function refusedCreation(
  world: World,
  payer: number,
  result: NonNullable<Submission['result']>,
): Promise<Submission> {
  const asked = refusedFounding(partyOf(world, payer), 1_000_000)
  const { initcode } = codeOf('token')
  const code = result === 'INVALID_FILE_ID' ? { fileID: fileId(missingFile) } : { initcode }
  const constructorParameters = asked.input.subarray(initcode.length)
  const bodyWith = (gas: number) => ({ contractCreateInstance: { ...code, gas, constructorParameters } })
  if (result === 'CONTRACT_REVERT_EXECUTED') {
    const execution = await execute(world, asked)
    return { ...outcomeOf(execution, payer), body: bodyWith(execution.gas) }
  }
  const gas = gasLimitOf(world, asked)
  return { body: bodyWith(gas), payer, fee: gas * gasPrice, result }
}

function firstHook(
  world: World,
  owner: Contract,
  payer: number,
): { fields: Message; changes: readonly LedgerChange[] } {
  const code = world.prng.chance(0.2) ? world.some(world.state.contracts) : undefined
  if (!code) return { fields: {}, changes: [] }
  const { details, changes } = createHook(world, owner, code.num, world.keyOf(payer), 1)
  return { fields: { hookCreationDetails: [details] }, changes }
}

function between(sender: number, receiver: number, amount: number): Movement[] {
  return [
    [sender, -amount],
    [receiver, amount],
  ]
}

/** By the number or by the address of the contract. */
export const contractUpdate: Kind = (world) => {
  const contract = world.some(world.state.contracts.filter(({ admin }) => admin !== null))
  if (!contract) return undefined
  const payer = world.payer()
  const contractID = contractId(contract.num)
  const result = world.failure('INVALID_SIGNATURE')
  if (result) return { body: { contractUpdateInstance: { contractID, memoWrapper: wrapped('no') } }, payer, result }
  const update = world.prng.pick(contractUpdates)(world, contract, payer)
  const id = world.prng.chance(0.5) ? contractID : { evmAddress: Buffer.from(contract.evmAddress, 'hex') }
  return {
    body: { contractUpdateInstance: { contractID: id, ...update.fields } },
    payer,
    signers: [contract.admin ?? payer],
    receipt: { contractID },
    changes: [updated(contract.num, update.facts)],
    ...(update.stakers ? { stakers: update.stakers } : {}),
  }
}

function changeMemo(world: World): Update {
  const memo = `release ${world.prng.below(100)}`
  const old = world.prng.chance(0.3)
  return { fields: old ? { memo } : { memoWrapper: wrapped(memo) }, facts: { memo } }
}

function changeTerms({ prng, now }: World, _contract: Contract, payer: number): Update {
  const period = prng.between(30, 92) * daySeconds
  const expiry = now.seconds + prng.between(30, 92) * daySeconds
  const maxAssociations = prng.between(0, 20)
  const autoRenewAccount = prng.chance(0.3) ? 0 : payer
  return {
    fields: {
      autoRenewPeriod: seconds(period),
      expirationTime: seconds(expiry),
      maxAutomaticTokenAssociations: wrapped(maxAssociations),
      autoRenewAccountId: accountId(autoRenewAccount),
    },
    facts: {
      autoRenewSeconds: period,
      expirationTime: nanosOf(expiry),
      maxAutomaticAssociations: maxAssociations,
      autoRenewAccount,
    },
  }
}

function changeAdmin(world: World, contract: Contract, payer: number): Update {
  contract.admin = payer
  const adminKey = world.keyOf(payer)
  return { fields: { adminKey }, facts: { key: keyHex(adminKey) } }
}

function changeStaking(world: World, contract: Contract): Update {
  if (!world.mayStake(contract)) return changeMemo(world)
  const choice = world.prng.chance(0.8) ? someChoice(world, contract.num) : { node: -1 }
  chooseStaking(world, contract, choice)
  return { fields: stakingFields(choice, true), facts: stakingFacts(contract), stakers: [contract.num] }
}

const contractUpdates = [changeMemo, changeTerms, changeAdmin, changeStaking]

/** What it holds goes to an account or to another contract. */
export const contractDelete: Kind = (world) => {
  const { contracts } = world.state
  const contract = contracts.length > contractsLeast ? world.some(contracts.filter(mayGo)) : undefined
  if (!contract) return undefined
  const payer = world.payer()
  const { num, balance } = contract
  const heir = world.prng.chance(0.3) ? world.some(contracts.filter((other) => other !== contract)) : undefined
  const obtainer = heir?.num ?? world.user().num
  const transfer = heir ? { transferContractID: contractId(heir.num) } : { transferAccountID: accountId(obtainer) }
  const body = { contractDeleteInstance: { contractID: contractId(num), ...transfer } }
  const result = world.failure('INVALID_SIGNATURE')
  if (result) return { body, payer, result }
  world.removeContract(contract)
  return {
    body,
    payer,
    receipt: { contractID: contractId(num) },
    movements: balance === 0 ? [] : between(num, obtainer, balance),
    changes: [deleted(num, { obtainer }), ...named(contract.evmAddress, null)],
  }
}

function mayGo({ admin, hooks, staking }: Contract): boolean {
  return admin !== null && hooks.length === 0 && !(staking && (staking.owed > 0 || pendingReward(staking) > 0))
}

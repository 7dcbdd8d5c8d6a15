import type { Message } from '#src/simulator/codec.ts'
import { callResult, word } from '#src/simulator/evm.ts'
import { accountId, accounts, contractId, systemContracts, wrapped } from '#src/simulator/ids.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import type { Account } from '#src/simulator/ledger-state.ts'
import type { Kind, Movement, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const hookGas = 25_000

/** Details of a hook that binds a contract to an account, with one storage slot set. */
export function hookCreation(world: World, owner: Account, contract: number): Message {
  const slot = { storageSlot: { key: Buffer.of(1), value: world.prng.bytes(8) } }
  return {
    hookId: owner.hookId,
    evmHook: { spec: { contractId: contractId(contract) }, storageUpdates: [slot] },
    adminKey: world.keyOf(owner.num),
  }
}

/** Writes storage of a hook: a plain slot and an entry of a mapping. */
export const hookStore: Kind = (world) => {
  const owner = withHook(world)
  if (!owner) return undefined
  const result = world.failure('HOOK_NOT_FOUND', 'INVALID_SIGNATURE')
  const entry = { key: Buffer.from(owner.num.toString(16).padStart(8, '0'), 'hex'), value: world.prng.bytes(4) }
  const storageUpdates = [
    { storageSlot: { key: Buffer.of(world.prng.between(1, 5)), value: world.prng.bytes(16) } },
    { mappingEntries: { mappingSlot: Buffer.of(2), entries: [entry] } },
  ]
  const hookId = { entityId: { accountId: accountId(owner.num) }, hookId: owner.hookId }
  return { body: { hookStore: { hookId, storageUpdates } }, payer: owner.num, ...(result ? { result } : {}) }
}

/** A transfer out of an account whose hook must agree: the hook runs as a child call to the hook system contract. */
export const hookTransfer: Kind = (world) => {
  const owner = withHook(world)
  if (!owner) return undefined
  const spender = world.payer()
  if (spender === owner.num) return undefined
  const amount = world.amountFrom(owner.num)
  const call = { hookId: owner.hookId, evmHookCall: { data: world.prng.bytes(4), gasLimit: hookGas } }
  const entries = [amountEntry([owner.num, -amount], { preTxAllowanceHook: call }), amountEntry([spender, amount])]
  const result = world.failure('REJECTED_BY_ACCOUNT_ALLOWANCE_HOOK')
  const movements: Movement[] = [
    [owner.num, -amount],
    [spender, amount],
  ]
  return {
    body: { cryptoTransfer: { transfers: { accountAmounts: entries } } },
    payer: spender,
    fee: 2_000_000,
    movements,
    ...(result ? { result } : {}),
    following: [hookExecution(world, spender, result !== undefined)],
  }
}

function hookExecution(world: World, payer: number, reverted: boolean): Submission {
  const contract = systemContracts.hooks
  const input = world.prng.bytes(36)
  const change = { slot: Buffer.of(1), valueRead: world.prng.bytes(4), valueWritten: wrapped(world.prng.bytes(4)) }
  const stateChanges = { contractStateChanges: [{ contractId: contractId(contract), storageChanges: [change] }] }
  return {
    body: { contractCall: { contractID: contractId(contract), gas: hookGas, functionParameters: input } },
    payer,
    ...(reverted ? { result: 'CONTRACT_REVERT_EXECUTED' as const } : {}),
    receipt: { contractID: contractId(contract) },
    record: {
      contractCallResult: callResult({
        contract,
        sender: payer,
        gas: hookGas,
        gasUsed: 21_500,
        input,
        output: word(1),
      }),
    },
    sidecars: reverted ? [] : [{ stateChanges }],
  }
}

/** The network's own vehicle for hooks of contracts; it is exported as a child without effects of its own. */
export const hookDispatch: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  const owner = withHook(world)
  if (!contract || !owner) return undefined
  const entityId = { contractId: contractId(contract.num) }
  const details = hookCreation(world, owner, contract.num)
  const child: Submission = { body: { hookDispatch: { creation: { entityId, details } } }, payer: accounts.treasury }
  const body = { contractUpdateInstance: { contractID: contractId(contract.num), hookCreationDetails: [details] } }
  return { body, payer: owner.num, receipt: { contractID: contractId(contract.num) }, following: [child] }
}

function withHook(world: World): Account | undefined {
  const busiest = world.state.users.slice(0, 500)
  return world.some(busiest.filter(({ hookId, balance }) => hookId !== null && balance > 1_000_000_000))
}

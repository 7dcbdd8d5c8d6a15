import type { Message } from '#src/simulator/codec.ts'
import { functionResult } from '#src/simulator/evm/function-result.ts'
import { word } from '#src/simulator/evm/words.ts'
import { hexWithoutZeros, type SlotWrite, writeSlots } from '#src/simulator/hooks.ts'
import { contractId, hexBytes, systemContracts, wrapped } from '#src/simulator/ids.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import { hookOwner } from '#src/simulator/kinds/hook.ts'
import type { Account, Hook } from '#src/simulator/ledger-state.ts'
import type { Movement } from '#src/simulator/movement.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const hookGas = 25_000

interface Party {
  readonly owner: Account
  readonly hook: Hook
  /** Asked before the transfer, or before and after it. */
  readonly prePost: boolean
  readonly amount: number
}

/**
 * A transfer out of one or two accounts whose hooks must agree. Each hook runs as a child call to the hook system contract,
 * the plain ones first, then those that are asked twice, then these again; each run reads and writes its storage.
 */
export const hookTransfer: Kind = (world) => {
  const spender = world.payer()
  const parties = someParties(world, spender)
  if (parties.length === 0) return undefined
  const total = parties.reduce((sum, { amount }) => sum + amount, 0)
  const entries = [...parties.map((party) => amountEntry([party.owner.num, -party.amount], callOf(world, party)))]
  const result = world.failure('REJECTED_BY_ACCOUNT_ALLOWANCE_HOOK')
  const movements: Movement[] = [
    ...parties.map(({ owner, amount }): Movement => [owner.num, -amount]),
    [spender, total],
  ]
  const twice = parties.filter(({ prePost }) => prePost)
  const runs = [...parties.filter(({ prePost }) => !prePost), ...twice, ...twice]
  const following = (result ? runs.slice(0, 1) : runs).map((party) =>
    hookRun(world, party, spender, result !== undefined),
  )
  return {
    body: { cryptoTransfer: { transfers: { accountAmounts: [...entries, amountEntry([spender, total])] } } },
    payer: spender,
    fee: 2_000_000,
    movements,
    ...(result ? { result } : {}),
    following,
  }
}

function someParties(world: World, spender: number): Party[] {
  const first = hookOwner(world, spender)
  const second = first && world.prng.chance(0.4) ? hookOwner(world, spender, first.num) : undefined
  return [first, second].flatMap((owner) => {
    const hook = owner && world.some(owner.hooks)
    if (!owner || !hook) return []
    return [{ owner, hook, prePost: world.prng.chance(0.4), amount: world.amountFrom(owner.num) }]
  })
}

function callOf(world: World, { hook, prePost }: Party): Message {
  const call = { hookId: hook.id, evmHookCall: { data: world.prng.bytes(4), gasLimit: hookGas } }
  return prePost ? { prePostTxAllowanceHook: call } : { preTxAllowanceHook: call }
}

function hookRun(world: World, party: Party, payer: number, reverted: boolean): Submission {
  const contract = systemContracts.hooks
  const input = world.prng.bytes(36)
  const { write, stateChanges } = access(world, party.hook)
  return {
    body: { contractCall: { contractID: contractId(contract), gas: hookGas, functionParameters: input } },
    payer,
    ...(reverted ? { result: 'CONTRACT_REVERT_EXECUTED' as const } : {}),
    receipt: { contractID: contractId(contract) },
    record: {
      contractCallResult: functionResult({
        contract,
        sender: payer,
        gasUsed: 21_500,
        asked: { gas: hookGas, input },
        output: word(1),
      }),
    },
    changes: reverted ? [] : writeSlots(party.owner.num, party.hook, [write]),
    sidecars: reverted ? [] : [{ stateChanges }],
    hook: { owner: party.owner.num, id: party.hook.id },
  }
}

/** One slot is only read, another read and written, or cleared. */
function access(world: World, hook: Hook): { write: SlotWrite; stateChanges: Message } {
  const { prng } = world
  const key = Buffer.of(prng.between(1, 5))
  const value = prng.chance(0.15) ? Buffer.alloc(0) : prng.bytes(prng.between(1, 32))
  const write = { update: {}, slot: hexWithoutZeros(key), value: hexWithoutZeros(value) }
  const written = {
    slot: key,
    valueRead: hexBytes(hook.slots[write.slot] ?? ''),
    valueWritten: wrapped(hexBytes(write.value)),
  }
  const other = Object.keys(hook.slots).find((slot) => slot !== write.slot)
  const read = other === undefined ? [] : [{ slot: hexBytes(other), valueRead: hexBytes(hook.slots[other] ?? '') }]
  const change = { contractId: contractId(systemContracts.hooks), storageChanges: [...read, written] }
  return { write, stateChanges: { contractStateChanges: [change] } }
}

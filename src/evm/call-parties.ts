import { createAddressFromString } from '@ethereumjs/util'
import { type HexAddress, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import type { CallRequest, CallSettings } from '#src/evm/call-request.ts'
import type { EntityFacts } from '#src/evm/ledger-state.ts'
import type { World } from '#src/evm/world.ts'

const treasury = 2n
export const zeroAddress = longZeroOf(0n)

/** Who pays: the treasury where nobody is named, or a contract is. */
export async function findPayer({ from, value }: CallRequest, world: World): Promise<EntityFacts | undefined> {
  const nobody = from === undefined || (from === zeroAddress && value === 0n)
  const named = nobody ? undefined : await world.resolve(from)
  if (!nobody && named === undefined) return undefined
  return named !== undefined && (named.pays ?? named.kind === 'account') ? named : world.resolve(longZeroOf(treasury))
}

interface Payment {
  readonly sender: HexAddress
  readonly cost: bigint
  readonly value: bigint
}

/** Whether the sender has what the call costs: where that is not checked it is given what is missing. */
export async function prepay(
  world: World,
  request: CallRequest,
  settings: CallSettings,
  { sender, cost, value }: Payment,
): Promise<boolean> {
  const isKept = isChecked(request, settings)
  if (isKept) {
    await world.exists(sender)
    world.assertKnown('balance', sender)
  }
  const held = await world.heldBalance(sender)
  if (isKept) return held >= cost + request.value
  if (held < cost + value) await world.pretend(sender, cost + value)
  return true
}

function isChecked({ from, gasPrice, value }: CallRequest, { validatePayerBalance }: CallSettings): boolean {
  return validatePayerBalance && from !== undefined && from !== zeroAddress && (gasPrice > 0n || value > 0n)
}

/** Where the call goes: what is named by its number is seen under its own address. */
export async function findTarget(to: HexAddress, world: World): Promise<HexAddress> {
  const number = numberOf(to)
  const entity = number === undefined ? undefined : await world.resolve(to)
  return entity?.evmAddress ?? to
}

/** Earlier versions called nothing but contracts, and sent hbar to accounts. */
export async function mayBeCalled(target: HexAddress, { data, value }: CallRequest, world: World): Promise<boolean> {
  const number = numberOf(target)
  if (number !== undefined && number >= 359n && number <= 363n) return true
  const entity = await world.entityAt(target)
  if (entity === undefined || (number !== undefined && number <= 999n)) return false
  return entity.kind !== 'account' || (value > 0n && data.length === 0)
}

/** Takes what gas costs from who sends the call, before it runs. */
export async function pay(world: World, sender: HexAddress, cost: bigint): Promise<void> {
  const address = createAddressFromString(sender)
  const account = await world.getAccount(address)
  if (account === undefined) return
  account.balance -= cost
  await world.putAccount(address, account)
}

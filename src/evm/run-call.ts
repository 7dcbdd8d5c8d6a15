import { type EVMResult, type Log, Message } from '@ethereumjs/evm'
import { bytesToHex, createAddressFromString } from '@ethereumjs/util'
import { warmAccessList } from '#src/evm/access-lists.ts'
import { type HexAddress, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import { authorize } from '#src/evm/authorizations.ts'
import { blockOf } from '#src/evm/block-header.ts'
import type { CallRequest, CallResult, CallSettings } from '#src/evm/call-request.ts'
import { refused, revertText, stopped } from '#src/evm/call-results.ts'
import { creationGas, gasPriceTinybars } from '#src/evm/gas-price.ts'
import { responseOf } from '#src/evm/halts.ts'
import { dataFloorGas, intrinsicGas, refundOf } from '#src/evm/intrinsic-gas.ts'
import { LedgerEvm, type LedgerEvmOptions } from '#src/evm/ledger-evm.ts'
import type { EntityFacts, LedgerState } from '#src/evm/ledger-state.ts'
import { overrideBlock, overrideState, setsDelegation } from '#src/evm/overrides.ts'
import { addressOf, World } from '#src/evm/world.ts'

/** How a call is run otherwise than for its result alone. */
export interface RunOptions {
  readonly openEvm?: (options: LedgerEvmOptions) => LedgerEvm
  /** Of a transaction that ran already: where the contract went that it created. */
  readonly replayed?: { readonly newContract: HexAddress | undefined }
  /** Whether it is noted what it touches. */
  readonly reportsAccess?: boolean
}

/** What became of a call, and what it left behind. */
export interface Run {
  readonly result: CallResult
  readonly logs: readonly Log[]
  /** Undefined where it was refused before. */
  readonly ran:
    | { readonly evm: LedgerEvm; readonly sender: HexAddress; readonly target: HexAddress | undefined }
    | undefined
  /** What its sender paid for its gas beforehand, tinybar. */
  readonly paid: bigint
  /** Addresses of contracts that were there for this transaction alone. */
  readonly destroyed: readonly string[]
}

const treasury = 2n
const zeroAddress = longZeroOf(0n)
const dataBytesMax = 131_072
const empty = new Uint8Array(0)

/** Runs a call, or the creation of a contract, on the state of the ledger, and forgets what it did. */
export async function runCall(
  request: CallRequest,
  state: LedgerState,
  settings: CallSettings,
  options?: RunOptions,
): Promise<CallResult> {
  const world = await openWorld(request, state, settings)
  return (await runOn(world, request, settings, options)).result
}

/** The ledger as a call finds it, with what it says itself. */
export async function openWorld(
  { block, overrides = [] }: Pick<CallRequest, 'block' | 'overrides'>,
  state: LedgerState,
  { validatePayerBalance }: CallSettings,
): Promise<World> {
  const world = new World({ state: overrideBlock(state, block), allAreRich: !validatePayerBalance })
  await overrideState(world, overrides)
  return world
}

/** Runs a call on what others left. */
export async function runOn(
  world: World,
  request: CallRequest,
  settings: CallSettings,
  options: RunOptions = {},
): Promise<Run> {
  const isCreation = request.to === undefined || request.to === zeroAddress
  const { rules } = settings
  const { accessList = [], authorizations = [] } = request
  const payer = await findPayer(request, world)
  if (payer === undefined) return unrun(refused('PAYER_ACCOUNT_NOT_FOUND', 'Sender account not found.'))
  const intrinsic = intrinsicGas({ data: request.data, accessList, authorizations }, isCreation)
  const floor = rules.hasDataFloor ? dataFloorGas(request.data) : 0n
  if (request.gas < intrinsic || request.gas < floor) return unrun(refused('INSUFFICIENT_GAS'))
  if (request.data.length > dataBytesMax) return unrun(stopped('TRANSACTION_OVERSIZE'))
  if (isCreation && request.data.length === 0) return unrun(stopped('CONTRACT_BYTECODE_EMPTY'))
  const [block, prices] = await Promise.all([world.state.block(), world.state.prices()])
  const gasPrice = gasPriceTinybars(prices)
  const sender = addressOf(payer)
  const value = isCreation && options.replayed === undefined ? 0n : request.value
  const cost = request.gas * gasPrice
  if (!(await prepay(world, request, settings, { sender, cost, value })))
    return unrun(stopped('INSUFFICIENT_PAYER_BALANCE'))
  const target = isCreation ? undefined : await findTarget(request.to!, world)
  if (target !== undefined && rules.needsAddresses && !(await mayBeCalled(target, request, world)))
    return unrun(stopped('INVALID_CONTRACT_ID'))

  const chainId = BigInt(settings.chainId)
  const delegated = await authorize(world, authorizations, { sender, chainId })
  const perCreation = creationGas(prices, rules)
  const gasLimit = request.gas - intrinsic - BigInt(delegated.created) * perCreation
  if (gasLimit < 0n) return unrun(refused('INSUFFICIENT_GAS'))
  const evmOptions: LedgerEvmOptions = {
    world,
    rules,
    chainId: settings.chainId,
    blockNumber: block.number,
    creationGas: perCreation,
    delegates: authorizations.length > 0 || setsDelegation(request.overrides),
  }
  const evm = options.openEvm?.(evmOptions) ?? new LedgerEvm(evmOptions)
  await pay(world, sender, cost)
  warmAtStart(evm, [sender, target])
  warmAccessList(evm, accessList)
  if (options.reportsAccess) evm.journal.startReportingAccessList()
  const created = isCreation ? await evm.placeNewContract(options.replayed?.newContract) : undefined
  const caller = createAddressFromString(sender)
  const to = target === undefined ? undefined : createAddressFromString(target)
  evm.begin(blockOf(block, request.gas, rules), caller, gasPrice)
  const message = new Message({
    caller,
    gasLimit,
    value,
    data: request.data,
    depth: 0,
    selfdestruct: new Map(),
    createdAddresses: new Set(),
    ...(to !== undefined && { to }),
  })
  const ended = await evm.runCall({ skipNonceIncrement: true, message })
  const spent = request.gas - gasLimit + ended.execResult.executionGasUsed
  const result = await resultOf(ended, { evm, spent, refund: delegated.refund, floor })
  const { logs = [], selfdestruct } = result.response === 'SUCCESS' ? ended.execResult : {}
  const destroyed = [...(selfdestruct?.keys() ?? [])]
  return { result, logs, ran: { evm, sender, target: target ?? created?.toString() }, paid: cost, destroyed }
}

interface Ended {
  readonly evm: LedgerEvm
  readonly spent: bigint
  /** Of what came before. */
  readonly refund: bigint
  readonly floor: bigint
}

async function resultOf(
  { execResult, createdAddress }: EVMResult,
  { evm, spent, refund, floor }: Ended,
): Promise<CallResult> {
  const { exceptionError } = execResult
  const failedChildren = [...new Set(evm.failedChildren)]
  const atLeast = (used: bigint): bigint => (used < floor ? floor : used)
  if (exceptionError === undefined) {
    const output = createdAddress === undefined ? execResult.returnValue : await evm.world.getCode(createdAddress)
    const gasUsed = atLeast(spent - refundOf(refund + (execResult.gasRefund ?? 0n), spent))
    return { response: 'SUCCESS', output, data: '', detail: '', gasUsed, failedChildren }
  }
  const response = responseOf(exceptionError)
  const output = response === 'CONTRACT_REVERT_EXECUTED' ? execResult.returnValue : empty
  const gasUsed = atLeast(spent - refundOf(refund, spent))
  return { response, output, data: bytesToHex(output), detail: revertText(output), gasUsed, failedChildren }
}

function unrun(result: CallResult): Run {
  return { result, logs: [], ran: undefined, paid: 0n, destroyed: [] }
}

function warmAtStart(evm: LedgerEvm, parties: readonly (HexAddress | undefined)[]): void {
  for (let each = 1n; each <= evm.rules.lastPrecompile; each++) evm.journal.addAlwaysWarmAddress(longZeroOf(each))
  for (const party of parties) if (party !== undefined) evm.journal.addAlwaysWarmAddress(party)
}

/** Who pays: the treasury where nobody is named, or a contract is. */
async function findPayer({ from, value }: CallRequest, world: World): Promise<EntityFacts | undefined> {
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
async function prepay(
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
async function findTarget(to: HexAddress, world: World): Promise<HexAddress> {
  const number = numberOf(to)
  const entity = number === undefined ? undefined : await world.resolve(to)
  return entity?.evmAddress ?? to
}

/** Earlier versions called nothing but contracts, and sent hbar to accounts. */
async function mayBeCalled(target: HexAddress, { data, value }: CallRequest, world: World): Promise<boolean> {
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

import { type EVMResult, type Log, Message } from '@ethereumjs/evm'
import { bytesToHex, createAddressFromString } from '@ethereumjs/util'
import { warmAccessList } from '#src/evm/access-lists.ts'
import { type HexAddress, longZeroOf } from '#src/evm/addresses.ts'
import { authorize } from '#src/evm/authorizations.ts'
import { findPayer, findTarget, mayBeCalled, pay, prepay, zeroAddress } from '#src/evm/call-parties.ts'
import { type CallRequest, type CallResult, type CallSettings, dataBytesMax } from '#src/evm/call-request.ts'
import { refused, revertText, stopped } from '#src/evm/call-results.ts'
import { creationGas, gasPriceTinybars } from '#src/evm/gas-price.ts'
import { responseOf } from '#src/evm/halts.ts'
import { dataFloorGas, intrinsicGas, refundOf } from '#src/evm/intrinsic-gas.ts'
import { LedgerEvm, type LedgerEvmOptions } from '#src/evm/ledger-evm.ts'
import type { BlockFacts, LedgerState } from '#src/evm/ledger-state.ts'
import { overrideBlock, overrideState, setsDelegation } from '#src/evm/overrides.ts'
import type { EvmRules } from '#src/evm/rules.ts'
import { addressOf, World } from '#src/evm/world.ts'

const feeCollector = longZeroOf(98n)
const wordBytes = 32

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
  readonly ran: { readonly evm: LedgerEvm; readonly sender: HexAddress; readonly target: HexAddress } | undefined
  /** What its sender paid for its gas beforehand, tinybar. */
  readonly paid: bigint
  /** Addresses of contracts that were there for this transaction alone. */
  readonly destroyed: readonly string[]
}

const empty = new Uint8Array(0)

/** Runs a call, or the creation of a contract, on the state of the ledger, and forgets what it did. */
export async function runCall(
  request: CallRequest,
  state: LedgerState,
  settings: CallSettings,
  options?: RunOptions,
): Promise<CallResult> {
  const world = await openWorld(request, state, settings)
  const { result, ran } = await runOn(world, request, settings, options)
  if (options?.openEvm === undefined) ran?.evm.close()
  return result
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
  const { data, gas, accessList = [], authorizations = [] } = request
  const isCreation = request.to === undefined || request.to === zeroAddress
  const payer = await findPayer(request, world)
  if (payer === undefined) return unrun(refused('PAYER_ACCOUNT_NOT_FOUND', 'Sender account not found.'))
  const intrinsic = intrinsicGas({ data, accessList, authorizations }, isCreation)
  if (gas < intrinsic || gas < floorOf(request, settings)) return unrun(refused('INSUFFICIENT_GAS'))
  if (data.length > dataBytesMax) return unrun(stopped('TRANSACTION_OVERSIZE'))
  if (isCreation && data.length === 0) return unrun(stopped('CONTRACT_BYTECODE_EMPTY'))
  const [block, prices] = await Promise.all([world.state.block(), world.state.prices()])
  const sender = addressOf(payer)
  const gasPrice = gasPriceTinybars(prices)
  const paid = gas * gasPrice
  const value = isCreation && options.replayed === undefined ? 0n : request.value
  if (!(await prepay(world, request, settings, { sender, cost: paid, value })))
    return unrun(stopped('INSUFFICIENT_PAYER_BALANCE'))
  const target = isCreation ? undefined : await findTarget(request.to!, world)
  if (target !== undefined && settings.rules.needsAddresses && !(await mayBeCalled(target, request, world)))
    return unrun(stopped('INVALID_CONTRACT_ID'))

  const perCreation = creationGas(prices, settings.rules)
  const authorized = await authorize(world, authorizations, { sender, chainId: BigInt(settings.chainId) })
  const gasLimit = gas - intrinsic - BigInt(authorized.created) * perCreation
  if (gasLimit < 0n) return unrun(refused('INSUFFICIENT_GAS'))
  const evm = openEvm(world, { block, request, settings, perCreation }, options)
  await pay(world, sender, paid)
  const parties = { sender, target: target ?? (await evm.placeNewContract(options.replayed?.newContract)).toString() }
  warmAtStart(evm, [sender, target])
  warmAccessList(evm, accessList)
  if (options.reportsAccess) evm.journal.startReportingAccessList()
  evm.begin(blockOf(block, gas, settings.rules), createAddressFromString(sender), gasPrice)
  const ended = await evm.runCall({
    skipNonceIncrement: true,
    message: messageOf({ sender, target, gasLimit, value, data }),
  })
  const spent = gas - gasLimit + ended.execResult.executionGasUsed
  const result = await resultOf(ended, { evm, spent, refund: authorized.refund, floor: floorOf(request, settings) })
  const { logs = [], selfdestruct } = result.response === 'SUCCESS' ? ended.execResult : {}
  return { result, logs, ran: { evm, ...parties }, paid, destroyed: [...(selfdestruct?.keys() ?? [])] }
}

function floorOf({ data }: CallRequest, { rules }: CallSettings): bigint {
  return rules.hasDataFloor ? dataFloorGas(data) : 0n
}

interface Opened {
  readonly block: BlockFacts
  readonly request: CallRequest
  readonly settings: CallSettings
  readonly perCreation: bigint
}

function openEvm(
  world: World,
  { block, request: { authorizations = [], overrides }, settings: { rules, chainId }, perCreation }: Opened,
  { openEvm: open }: RunOptions,
): LedgerEvm {
  const delegates = authorizations.length > 0 || setsDelegation(overrides)
  const options = { world, rules, chainId, blockNumber: block.number, creationGas: perCreation, delegates }
  return open?.(options) ?? LedgerEvm.open(options)
}

interface Outermost extends Pick<CallRequest, 'data' | 'value'> {
  readonly sender: HexAddress
  readonly target: HexAddress | undefined
  readonly gasLimit: bigint
}

function messageOf({ sender, target, gasLimit, value, data }: Outermost): Message {
  return new Message({
    caller: createAddressFromString(sender),
    gasLimit,
    value,
    data,
    depth: 0,
    selfdestruct: new Map(),
    createdAddresses: new Set(),
    ...(target !== undefined && { to: createAddressFromString(target) }),
  })
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
    const gasNeeded = evm.seesGas ? undefined : atLeast(spent)
    return { response: 'SUCCESS', output, data: '', detail: '', gasUsed, gasNeeded, failedChildren }
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

/** What contracts see of the block that they run in. */
function blockOf({ number, timestamp, hash }: BlockFacts, gasLimit: bigint, { seesRandom }: EvmRules) {
  return {
    header: {
      number,
      coinbase: createAddressFromString(feeCollector),
      timestamp,
      difficulty: 0n,
      prevRandao: seesRandom ? hash.subarray(0, wordBytes) : new Uint8Array(wordBytes),
      gasLimit,
      baseFeePerGas: 0n,
      getBlobGasPrice: () => 1n,
    },
  }
}

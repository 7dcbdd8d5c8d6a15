import { Message } from '@ethereumjs/evm'
import { bytesToHex, createAddressFromString } from '@ethereumjs/util'
import { type HexAddress, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import { creationGas, gasPriceTinybars } from '#src/evm/gas-price.ts'
import { responseOf } from '#src/evm/halts.ts'
import { intrinsicGas, refundOf } from '#src/evm/intrinsic-gas.ts'
import { LedgerEvm, type LedgerEvmOptions } from '#src/evm/ledger-evm.ts'
import type { BlockFacts, EntityFacts, LedgerState } from '#src/evm/ledger-state.ts'
import type { EvmRules } from '#src/evm/rules.ts'
import { addressOf, World } from '#src/evm/world.ts'

/** A call as it is asked for. Addresses are 0x and 40 lower-case hex digits. */
export interface CallRequest {
  readonly from: HexAddress | undefined
  /** Undefined creates a contract. */
  readonly to: HexAddress | undefined
  readonly data: Uint8Array
  readonly gas: bigint
  readonly gasPrice: bigint
  /** tinybar. */
  readonly value: bigint
}

export interface CallSettings {
  readonly rules: EvmRules
  readonly chainId: number
  /** Who says what a call pays, pays it with what is really there. */
  readonly validatePayerBalance: boolean
}

export interface CallResult {
  /** Name of the network's response. */
  readonly response: string
  /** What was returned; of a creation the code of the new contract. */
  readonly output: Uint8Array
  /** `data` of the message of a failure. */
  readonly data: string
  readonly detail: string
  readonly gasUsed: bigint
  /** Responses of child transactions that failed, each once. */
  readonly failedChildren: readonly string[]
}

/** How a transaction that ran already is run again. */
export interface Replay {
  /** Where the contract went that it created. */
  readonly newContract: HexAddress | undefined
  readonly openEvm: (options: LedgerEvmOptions) => LedgerEvm
}

const treasury = 2n
const zeroAddress = longZeroOf(0n)
const dataBytesMax = 131_072
const feeCollector = longZeroOf(98n)
const precompiles = 10n
const empty = new Uint8Array(0)

/** Runs a call, or the creation of a contract, on the state of the ledger, and forgets what it did. */
export async function runCall(
  request: CallRequest,
  state: LedgerState,
  settings: CallSettings,
  replay?: Replay,
): Promise<CallResult> {
  const isCreation = request.to === undefined || request.to === zeroAddress
  const world = new World({ state, allAreRich: !settings.validatePayerBalance })
  const payer = await findPayer(request, world)
  if (payer === undefined) return refused('PAYER_ACCOUNT_NOT_FOUND', 'Sender account not found.')
  const intrinsic = intrinsicGas(request.data, isCreation)
  if (intrinsic > request.gas) return refused('INSUFFICIENT_GAS')
  if (request.data.length > dataBytesMax) return stopped('TRANSACTION_OVERSIZE')
  if (isCreation && request.data.length === 0) return stopped('CONTRACT_BYTECODE_EMPTY')
  const [block, prices] = await Promise.all([state.block(), state.prices()])
  const gasPrice = gasPriceTinybars(prices)
  const sender = addressOf(payer)
  const value = isCreation && replay === undefined ? 0n : request.value
  const cost = request.gas * gasPrice
  if (isChecked(request, settings)) {
    await world.exists(sender)
    world.assertKnown('balance', sender)
    if ((payer.balance ?? 0n) < cost + request.value) return stopped('INSUFFICIENT_PAYER_BALANCE')
  } else if ((payer.balance ?? 0n) < cost + value) await world.pretend(sender, cost + value)
  const target = isCreation ? undefined : await findTarget(request.to!, world)
  if (target !== undefined && settings.rules.needsAddresses && !(await mayBeCalled(target, request, world)))
    return stopped('INVALID_CONTRACT_ID')

  const { number: blockNumber } = block
  const options: LedgerEvmOptions = {
    world,
    rules: settings.rules,
    chainId: settings.chainId,
    blockNumber,
    creationGas: creationGas(prices),
  }
  const evm = replay?.openEvm(options) ?? new LedgerEvm(options)
  await pay(world, sender, cost)
  const caller = createAddressFromString(sender)
  for (let each = 1n; each <= precompiles; each++) evm.journal.addAlwaysWarmAddress(longZeroOf(each))
  evm.journal.addAlwaysWarmAddress(sender)
  if (target !== undefined) evm.journal.addAlwaysWarmAddress(target)
  if (isCreation) await evm.placeNewContract(replay?.newContract)
  const gasLimit = request.gas - intrinsic
  const to = target === undefined ? undefined : createAddressFromString(target)
  evm.begin(blockOf(block, request.gas, settings.rules), caller, gasPrice)
  const { execResult, createdAddress } = await evm.runCall({
    skipNonceIncrement: true,
    message: new Message({
      caller,
      gasLimit,
      value,
      data: request.data,
      depth: 0,
      selfdestruct: new Map(),
      createdAddresses: new Set(),
      ...(to !== undefined && { to }),
    }),
  })
  const spent = intrinsic + execResult.executionGasUsed
  const { exceptionError } = execResult
  const failedChildren = [...new Set(evm.failedChildren)]
  if (exceptionError === undefined) {
    const output = createdAddress === undefined ? execResult.returnValue : await world.getCode(createdAddress)
    const gasUsed = spent - refundOf(execResult.gasRefund ?? 0n, spent)
    return { response: 'SUCCESS', output, data: '', detail: '', gasUsed, failedChildren }
  }
  const response = responseOf(exceptionError)
  const isReverted = response === 'CONTRACT_REVERT_EXECUTED'
  const output = isReverted ? execResult.returnValue : empty
  return { response, output, data: bytesToHex(output), detail: revertText(output), gasUsed: spent, failedChildren }
}

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

/** Who pays: the treasury where nobody is named, or a contract is. */
async function findPayer({ from, value }: CallRequest, world: World): Promise<EntityFacts | undefined> {
  const nobody = from === undefined || (from === zeroAddress && value === 0n)
  const named = nobody ? undefined : await world.resolve(from)
  if (!nobody && named === undefined) return undefined
  return named?.kind === 'account' ? named : world.resolve(longZeroOf(treasury))
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

async function pay(world: World, sender: HexAddress, cost: bigint): Promise<void> {
  const address = createAddressFromString(sender)
  const account = await world.getAccount(address)
  if (account === undefined) return
  account.balance -= cost
  await world.putAccount(address, account)
}

function refused(response: string, detail = ''): CallResult {
  return { response, output: empty, data: '', detail, gasUsed: 0n, failedChildren: [] }
}

/** Refused before the EVM begins, by who handles the transaction: the name of the response stands in `data`. */
function stopped(response: string): CallResult {
  return { ...refused(response), data: `0x${Buffer.from(response).toString('hex')}` }
}

const errorSelector = '08c379a0'
const wordBytes = 32

/** The text of a standard `Error(string)`; empty for any other revert. */
export function revertText(output: Uint8Array): string {
  const bytes = Buffer.from(output)
  if (bytes.length < 4 + 2 * wordBytes || bytes.toString('hex', 0, 4) !== errorSelector) return ''
  const body = bytes.subarray(4)
  const offset = lengthAt(body, 0)
  const length = lengthAt(body, offset)
  const start = offset + wordBytes
  return start + length > body.length ? '' : body.toString('utf8', start, start + length)
}

function lengthAt(bytes: Buffer, offset: number): number {
  const word = bytes.subarray(offset, offset + wordBytes)
  const value = word.length < wordBytes ? 0n : BigInt(`0x${word.toString('hex')}`)
  return value > BigInt(bytes.length) ? bytes.length : Number(value)
}

import type { EVMResult, Message } from '@ethereumjs/evm'
import { hexOf } from '#src/domain/bytes.ts'
import { decodeTuple } from '#src/evm/abi/decode.ts'
import { encodeTuple } from '#src/evm/abi/encode.ts'
import { type AbiValue, zeroOf } from '#src/evm/abi/types.ts'
import { halted, outOfGas, serviceReverted, succeeded } from '#src/evm/frame-results.ts'
import { markedUpGasFor, tinycents } from '#src/evm/gas-price.ts'
import type { LedgerEvm } from '#src/evm/ledger-evm.ts'
import type { EntityKind } from '#src/evm/ledger-state.ts'
import { ServiceCall } from '#src/evm/services/call.ts'
import { Failed, Halted } from '#src/evm/services/failed.ts'
import { type FunctionTable, noSuchCall, type ServiceFunction } from '#src/evm/services/function-table.ts'
import { type Redirected, redirectOf } from '#src/evm/services/redirect.ts'
import { numberOfResponse } from '#src/evm/services/response-numbers.ts'
import { type Service, selectorBytes, wordOf } from '#src/evm/services/service.ts'

const inputBytesMax = 6_144
/** What a query costs does not follow the schedule of fees. */
const viewGas = markedUpGasFor(tinycents(0.0001), { gasPrice: 852_000n })
const none = new Uint8Array(0)

interface NativeOptions {
  readonly name: string
  /** Whose addresses hand their calls to it. */
  readonly kind: Exclude<EntityKind, 'contract'>
  readonly functions: FunctionTable
}

/** A service over the ledger: its calls are children of the transaction, and what they change ends with the frame that fails. */
export function nativeService({ name, kind, functions }: NativeOptions): Service {
  return {
    name,
    signatures: [...functions.values()].map(({ signature }) => signature),
    run: async (message, evm) => {
      const { data } = message
      const isKnown = data.length >= selectorBytes && data.length <= inputBytesMax
      if (message.value > 0n && !message.delegatecall && !isPayable(data, functions))
        return halted(message, 'INVALID_CONTRACT_ID')
      if (!isKnown) return halted(message, 'INVALID_OPERATION')
      if (message.delegatecall && !(await isFacade(kind, message, evm))) return halted(message, 'PRECOMPILE_ERROR')
      const about = await redirectOf(kind, data, evm.world)
      if (about === 'malformed') return halted(message, 'INVALID_OPERATION')
      if (about !== undefined && !about.exists)
        return revertedAs(new Failed(about.missing, { shape: 'name' }), message, evm)
      return runFunction(functions, about, message, evm)
    },
  }
}

function isPayable(data: Uint8Array, functions: FunctionTable): boolean {
  return functions.get(hexOf(data, 0, Math.min(selectorBytes, data.length)))?.isPayable === true
}

/** Whether the frame that delegates is the code at the address of an entity: no other code runs there. */
async function isFacade(kind: NativeOptions['kind'], { to }: Message, { world }: LedgerEvm): Promise<boolean> {
  const entity = to === undefined ? undefined : await world.entityAt(to.toString())
  return entity?.kind === kind
}

async function runFunction(
  functions: FunctionTable,
  about: Redirected | undefined,
  message: Message,
  evm: LedgerEvm,
): Promise<EVMResult> {
  const data = about?.data ?? message.data
  const known = functions.get(hexOf(data, 0, selectorBytes))
  // What it does not know it takes for done.
  if (known === undefined) return succeeded(message, 0n)
  const args = decodeTuple(known.inputs, data.subarray(selectorBytes))
  if (args === undefined || (known.isFacade === true && about === undefined))
    return halted(message, 'INVALID_OPERATION')
  if (message.isStatic && known.access === 'change') return halted(message, 'NO_REASON')
  const call = new ServiceCall(evm, message, args, about?.id, 0n)
  evm.world.changes.checkpoint()
  let result: EVMResult | undefined
  try {
    result = await resultOf(known, call)
    return result
  } finally {
    if (result !== undefined && result.execResult.exceptionError === undefined) evm.world.changes.commit()
    else evm.world.changes.revert()
  }
}

/** Runs it first, and only then sees whether there was gas for it. */
async function resultOf(known: ServiceFunction, call: ServiceCall): Promise<EVMResult> {
  const { message, evm } = call
  try {
    const values = await attempt(known, call)
    const gas = await gasOf(known, call)
    if (values instanceof Failed) return failure(known, values, gas, call)
    if (message.gasLimit < gas) return lacksGas(message, evm)
    return values === noSuchCall ? succeeded(message, 0n) : succeeded(message, gas, outputOf(known, values))
  } catch (error) {
    if (error instanceof Halted) return halted(message, error.reason)
    throw error
  }
}

/** Nothing is returned where nothing is told. */
function outputOf({ outputs }: ServiceFunction, values: readonly AbiValue[]): Uint8Array {
  return values.length === 0 ? none : encodeTuple(outputs, values)
}

/** What a function that fails had changed is gone before its failure is told. */
async function attempt(known: ServiceFunction, call: ServiceCall): Promise<readonly AbiValue[] | Failed> {
  const { changes } = call.world
  if (typeof known.price === 'number') call.charge(known.price)
  else if (known.price !== undefined) call.charge(known.price(call))
  changes.checkpoint()
  try {
    const values = await known.run(call)
    changes.commit()
    return values
  } catch (error) {
    changes.revert()
    if (error instanceof Failed) return error
    throw error
  }
}

async function gasOf(known: ServiceFunction, call: ServiceCall): Promise<bigint> {
  if (call.gas !== undefined) return call.gas
  if (known.access === 'view') return viewGas
  const prices = await call.evm.ledger.prices()
  return call.surcharges.reduce((gas, price) => gas + markedUpGasFor(price, prices), markedUpGasFor(call.price, prices))
}

function failure(known: ServiceFunction, failed: Failed, gas: bigint, { message, evm }: ServiceCall): EVMResult {
  const isView = known.access === 'view'
  let shape = failed.shape ?? known.failure
  // Where nothing may change, a view that fails reverts.
  if (isView && message.isStatic && shape === 'told') shape = 'name'
  if (shape === 'allGas') return revertedAs(failed, message, evm)
  const cost = isView && message.isStatic && known.failsFreeInStatic === true ? 0n : gas
  if (message.gasLimit < cost) return lacksGas(message, evm)
  evm.failedChildren.push(failed.response)
  const code = numberOfResponse(failed.response)
  if (shape === 'number') return serviceReverted(message, cost, wordOf(code))
  if (shape === 'name') return serviceReverted(message, cost, Buffer.from(failed.response))
  const rest = (failed.values as readonly AbiValue[] | undefined) ?? known.outputs.members.slice(1).map(zeroOf)
  return succeeded(message, cost, encodeTuple(known.outputs, [code, ...rest]))
}

function revertedAs(failed: Failed, message: Message, evm: LedgerEvm): EVMResult {
  evm.failedChildren.push(failed.response)
  return serviceReverted(message, message.gasLimit, Buffer.from(failed.response))
}

function lacksGas(message: Message, evm: LedgerEvm): EVMResult {
  evm.failedChildren.push('INSUFFICIENT_GAS')
  return outOfGas(message)
}

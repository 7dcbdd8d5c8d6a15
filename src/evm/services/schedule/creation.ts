import { hexOf } from '#src/domain/bytes.ts'
import { decodeTuple } from '#src/evm/abi/decode.ts'
import type { AbiValue } from '#src/evm/abi/types.ts'
import { type HexAddress, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import { noSigners, type ScheduledFacts } from '#src/evm/schedule-facts.ts'
import { accountAt } from '#src/evm/services/accounts.ts'
import { ServiceCall } from '#src/evm/services/call.ts'
import { Failed, Halted, must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry, noSuchCall, view } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { keysOfSender, signedBy } from '#src/evm/services/schedule/signatories.ts'
import { selectorBytes } from '#src/evm/services/service.ts'
import { tokenFunctions } from '#src/evm/services/token/token-service.ts'

const usd = { call: 0.1, native: 0.01 } as const
/** Where it is not said, it expires so many seconds after it was made; it may expire no later than that many after it. */
const expirySeconds = { usual: 1_800n, most: 5_356_800n } as const
/** A tenth of what the network runs in a second. */
const secondMost = { transactions: 100n, gas: 15_000_000n } as const
const tokenServiceNumber = 359n

interface Plan {
  readonly payer: bigint
  readonly second: bigint
  readonly waits: boolean
  readonly scheduled: ScheduledFacts
}

async function schedule(call: ServiceCall, { payer, second, waits, scheduled }: Plan): Promise<readonly AbiValue[]> {
  const { timestamp } = await call.evm.ledger.block()
  must(second > timestamp, 'SCHEDULE_EXPIRATION_TIME_MUST_BE_HIGHER_THAN_CONSENSUS_TIME')
  must(second <= timestamp + expirySeconds.most, 'SCHEDULE_EXPIRATION_TIME_TOO_FAR_IN_FUTURE')
  must(await hasRoom(call, second, scheduled.gas), 'SCHEDULE_EXPIRY_IS_BUSY')
  const id = await call.world.addEntity('schedule', null)
  const facts = { id, payer, adminKey: null, expirySeconds: second, waits, end: undefined, signatories: [], scheduled }
  const keys = await keysOfSender(call)
  await call.schedules.add((await signedBy(call, facts, keys)) ?? facts)
  return [success, longZeroOf(id)]
}

/** Whether the network would run so much more in a second. */
async function hasRoom(call: ServiceCall, second: bigint, gasLimit: bigint): Promise<boolean> {
  const { transactions, gas } = await call.schedules.scheduledAt(second)
  return transactions < secondMost.transactions && gas + gasLimit <= secondMost.gas
}

async function hasCapacity(call: ServiceCall): Promise<readonly AbiValue[]> {
  const [second, gasLimit] = [call.bigint(0), call.bigint(1)]
  const { timestamp } = await call.evm.ledger.block()
  if (second <= timestamp || second > timestamp + expirySeconds.most) return [false]
  return [await hasRoom(call, second, gasLimit)]
}

async function payerAt(call: ServiceCall, address: HexAddress): Promise<bigint> {
  const payer = await accountAt(call.world, address)
  must(payer !== undefined, 'ACCOUNT_ID_DOES_NOT_EXIST')
  return payer
}

/** A call of a contract, from the second, gas limit on: the arguments behind those that name who. */
function scheduledCall(call: ServiceCall, at: number, payer: bigint, waits: boolean): Promise<readonly AbiValue[]> {
  const scheduled = { kind: 'contractCall', gas: call.bigint(at + 1), signers: noSigners }
  return schedule(call, { payer, second: call.bigint(at), waits, scheduled })
}

/** A function of the token service that makes or changes a token, for later. */
async function scheduleNative(call: ServiceCall): Promise<readonly AbiValue[]> {
  if (numberOf(call.address(0)) !== tokenServiceNumber) throw new Failed('INVALID_CONTRACT_ID', { shape: 'allGas' })
  const data = call.bytes(1)
  const known = data.length < selectorBytes ? undefined : tokenFunctions.get(hexOf(data, 0, selectorBytes))
  if (known?.scheduled === undefined) return noSuchCall
  const args = decodeTuple(known.inputs, data.subarray(selectorBytes))
  if (args === undefined) throw new Halted()
  const scheduled = await known.scheduled(new ServiceCall(call.evm, call.message, args, undefined, 0n))
  const { timestamp } = await call.evm.ledger.block()
  const payer = await payerAt(call, call.address(2))
  return schedule(call, { payer, second: timestamp + expirySeconds.usual, waits: false, scheduled })
}

const calls = 'uint256,uint256,uint64,bytes'
const returned = '(int64,address)'

/** What makes a schedule, and whether one could be made. */
export const creationFunctions: readonly FunctionEntry[] = [
  change(`scheduleCall(address,${calls})`, returned, usd.call, async (call) =>
    scheduledCall(call, 1, await call.senderAccount(), true),
  ),
  change(`scheduleCallWithPayer(address,address,${calls})`, returned, usd.call, async (call) =>
    scheduledCall(call, 2, await payerAt(call, call.address(1)), true),
  ),
  change(`executeCallOnPayerSignature(address,address,${calls})`, returned, usd.call, async (call) =>
    scheduledCall(call, 2, await payerAt(call, call.address(1)), false),
  ),
  change('scheduleNative(address,bytes,address)', returned, usd.native, scheduleNative),
  view('hasScheduleCapacity(uint256,uint256)', '(bool)', hasCapacity),
]

import type { AbiValue } from '#src/evm/abi/types.ts'
import type { ScheduleFacts } from '#src/evm/schedule-facts.ts'
import { isPairOf, pairsOfMap, type SignaturePair } from '#src/evm/services/account/signatures.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Halted, must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import type { SimpleKey } from '#src/evm/services/keys.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { assertOpen, scheduleNamed } from '#src/evm/services/schedule/named.ts'
import { keysOfSender, signedBy } from '#src/evm/services/schedule/signatories.ts'

const usd = 0.01
const int64Bytes = 8

async function sign(
  call: ServiceCall,
  schedule: ScheduleFacts,
  keys: readonly SimpleKey[],
): Promise<readonly AbiValue[]> {
  assertOpen(schedule)
  const signed = await signedBy(call, schedule, keys)
  must(signed !== undefined, 'NO_NEW_VALID_SIGNATURES')
  call.schedules.set(signed)
  return [success]
}

/** Whoever calls signs. */
async function authorize(call: ServiceCall): Promise<readonly AbiValue[]> {
  return sign(call, await scheduleNamed(call, 'allGas'), await keysOfSender(call))
}

/** Signatures of others, of the schedule's id. Those that are none count for nothing. */
async function signWithMap(call: ServiceCall): Promise<readonly AbiValue[]> {
  const schedule = await scheduleNamed(call, 'allGas')
  const pairs = pairsOfMap(call.bytes(1))
  if (pairs === undefined) throw new Halted()
  const message = messageOf(schedule.id)
  return sign(
    call,
    schedule,
    pairs.map(keyOfPair).filter((key, at) => isPairOf(pairs[at]!, key, message)),
  )
}

/** Shard, realm and number. Contracts know entities by their numbers alone: of networks that begin at 0.0. */
function messageOf(id: bigint): Uint8Array {
  const message = Buffer.alloc(3 * int64Bytes)
  message.writeBigInt64BE(id, 2 * int64Bytes)
  return message
}

/** The key has to stand there as a whole: what it only begins with is no key to verify by. */
function keyOfPair({ kind, prefix }: SignaturePair): SimpleKey {
  return { kind, bytes: prefix }
}

/** What signs a schedule. */
export const signingFunctions: readonly FunctionEntry[] = [
  change('authorizeSchedule(address)', '(int64)', usd, authorize),
  change('signSchedule()', '(int64)', usd, authorize, { isFacade: true }),
  change('signSchedule(address,bytes)', '(int64)', usd, signWithMap),
]

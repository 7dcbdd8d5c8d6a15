import type { AbiValue } from '#src/evm/abi/types.ts'
import { numberOf } from '#src/evm/addresses.ts'
import type { EntityFacts } from '#src/evm/ledger-state.ts'
import { isEd25519, isRecoverable, isSignedBy, pairsOfMap } from '#src/evm/services/account/signatures.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Failed } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { partsOfKey, simpleKeysIn } from '#src/evm/services/keys.ts'
import { numberOfResponse, success } from '#src/evm/services/response-numbers.ts'

const gasPerKey = 3_000n
const ed25519Bytes = 64
const recoverableBytes = { min: 65, max: 72 } as const
const hashBytes = 32

/** Whoever asks wrongly pays with all gas. */
function assertAsked(holds: boolean, response: string): asserts holds {
  if (!holds) throw new Failed(response, { shape: 'allGas' })
}

async function accountOf(call: ServiceCall): Promise<EntityFacts> {
  const account = await call.world.entityAt(call.address(0))
  assertAsked(account?.kind === 'account' || account?.kind === 'contract', 'INVALID_ACCOUNT_ID')
  return account
}

/** One signature, of which the length tells the kind. */
async function isAuthorizedRaw(call: ServiceCall): Promise<readonly AbiValue[]> {
  const [hash, signature] = [call.bytes(1), call.bytes(2)]
  call.gas = gasPerKey
  const { length } = signature
  const isEcdsa = length >= recoverableBytes.min && length <= recoverableBytes.max
  assertAsked(isEcdsa || length === ed25519Bytes, 'INVALID_TRANSACTION_BODY')
  if (isEcdsa) {
    assertAsked(hash.length === hashBytes, 'INVALID_TRANSACTION_BODY')
    assertAsked(numberOf(call.address(0)) === undefined, 'INVALID_ACCOUNT_ID')
    const parts = partsOfKey((await accountOf(call)).key)
    return [parts?.kind === 'secp256k1' && isRecoverable(signature, hash, parts.bytes)]
  }
  const parts = partsOfKey((await accountOf(call)).key)
  assertAsked(parts?.kind !== 'many', 'INVALID_TRANSACTION_BODY')
  assertAsked(parts?.kind === 'ed25519', 'INVALID_SIGNATURE_TYPE_MISMATCHING_KEY')
  return [isEd25519(signature, hash, parts.bytes)]
}

/** Signatures enough for all of the account's key. */
async function isAuthorized(call: ServiceCall): Promise<readonly AbiValue[]> {
  const { key } = await accountOf(call)
  const pairs = pairsOfMap(call.bytes(2))
  if (pairs === undefined) {
    call.gas = call.message.gasLimit
    return [numberOfResponse('INVALID_TRANSACTION_BODY'), false]
  }
  call.gas =
    gasPerKey * BigInt(simpleKeysIn(key).filter(({ kind }) => kind === 'ed25519' || kind === 'secp256k1').length)
  return [success, isSignedBy(key, call.bytes(1), pairs)]
}

/** Whether an account signed something. */
export const authorizationFunctions: readonly FunctionEntry[] = [
  change('isAuthorizedRaw(address,bytes,bytes)', '(bool)', 0, isAuthorizedRaw),
  change('isAuthorized(address,bytes,bytes)', '(int64,bool)', 0, isAuthorized),
]

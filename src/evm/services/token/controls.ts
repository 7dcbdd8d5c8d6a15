import type { AbiValue } from '#src/evm/abi/types.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { accountNamed, assertKey, movingToken, relationOf, tokenNamed } from '#src/evm/services/token/named.ts'
import type { RelationFacts } from '#src/evm/token-facts.ts'

const usd = 0.001

/** Changes a relation, as who holds one of the token's keys may. */
async function control(
  call: ServiceCall,
  key: 'freeze' | 'kyc',
  changed: Partial<RelationFacts>,
): Promise<readonly AbiValue[]> {
  const token = await movingToken(call, call.address(0))
  assertKey(token, key)
  const account = await accountNamed(call, call.address(1))
  const relation = await relationOf(call, token, account)
  call.tokens.setRelation(token.id, account, { ...relation, ...changed })
  return [success]
}

async function pause(call: ServiceCall, isPaused: boolean): Promise<readonly AbiValue[]> {
  const token = await tokenNamed(call, call.address(0))
  assertKey(token, 'pause')
  call.tokens.setToken(token.id, { ...token, isPaused })
  return [success]
}

async function remove(call: ServiceCall): Promise<readonly AbiValue[]> {
  const token = await movingToken(call, call.address(0))
  assertKey(token, 'admin')
  call.tokens.setToken(token.id, undefined)
  return [success]
}

/** What the keys of a token allow. */
export const controlFunctions: readonly FunctionEntry[] = [
  change('freezeToken(address,address)', '(int64)', usd, (call) => control(call, 'freeze', { isFrozen: true })),
  change('unfreezeToken(address,address)', '(int64)', usd, (call) => control(call, 'freeze', { isFrozen: false })),
  change('grantTokenKyc(address,address)', '(int64)', usd, (call) => control(call, 'kyc', { isKycGranted: true })),
  change('revokeTokenKyc(address,address)', '(int64)', usd, (call) => control(call, 'kyc', { isKycGranted: false })),
  change('pauseToken(address)', '(int64)', usd, (call) => pause(call, true)),
  change('unpauseToken(address)', '(int64)', usd, (call) => pause(call, false)),
  change('deleteToken(address)', '(int256)', usd, remove),
]

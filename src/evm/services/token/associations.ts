import type { AbiValue } from '#src/evm/abi/types.ts'
import { type HexAddress, longZeroOf } from '#src/evm/addresses.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { accountNamed, movingToken, relationOf, tokenNumber } from '#src/evm/services/token/named.ts'
import { associate } from '#src/evm/services/token/relations.ts'

const usdEach = 0.05

async function associateAll(
  call: ServiceCall,
  account: bigint,
  tokens: readonly HexAddress[],
): Promise<readonly AbiValue[]> {
  must(new Set(tokens).size === tokens.length, 'TOKEN_ID_REPEATED_IN_TOKEN_LIST')
  for (const address of tokens) {
    const token = await movingToken(call, address)
    must((await call.tokens.relation(token.id, account)) === undefined, 'TOKEN_ALREADY_ASSOCIATED_TO_ACCOUNT')
    associate(call, token, account)
  }
  return [success]
}

async function dissociateAll(
  call: ServiceCall,
  account: bigint,
  tokens: readonly HexAddress[],
): Promise<readonly AbiValue[]> {
  must(new Set(tokens).size === tokens.length, 'TOKEN_ID_REPEATED_IN_TOKEN_LIST')
  for (const address of tokens) await dissociate(call, account, address)
  return [success]
}

/** Of a token that was deleted whatever an account has goes with it. */
async function dissociate(call: ServiceCall, account: bigint, address: HexAddress): Promise<void> {
  const token = await call.tokens.token(tokenNumber(address))
  if (token === undefined) {
    const left = await call.tokens.relation(tokenNumber(address), account)
    must(left !== undefined, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
    return call.tokens.setRelation(tokenNumber(address), account, undefined)
  }
  const relation = await relationOf(call, token, account)
  must(account !== token.treasury, 'ACCOUNT_IS_TREASURY')
  must(!token.isPaused, 'TOKEN_IS_PAUSED')
  must(!relation.isFrozen, 'ACCOUNT_FROZEN_FOR_TOKEN')
  must(relation.balance === 0n, token.isNft ? 'ACCOUNT_STILL_OWNS_NFTS' : 'TRANSACTION_REQUIRES_ZERO_TOKEN_BALANCES')
  const { automaticMax, automatic } = await call.tokens.associations(account)
  if (relation.isAutomatic) call.tokens.setAssociations(account, { automaticMax, automatic: automatic - 1n })
  call.tokens.setRelation(token.id, account, undefined)
}

const each = (call: ServiceCall): number => usdEach * call.list(1).length
const named = (call: ServiceCall): Promise<bigint> => accountNamed(call, call.address(0))
const own = (call: ServiceCall): readonly HexAddress[] => [longZeroOf(call.subject)]
const facade = { isFacade: true } as const

/** Which tokens an account may hold. */
export const associationFunctions: readonly FunctionEntry[] = [
  change('associateToken(address,address)', '(int64)', usdEach, async (call) =>
    associateAll(call, await named(call), [call.address(1)]),
  ),
  change('associateTokens(address,address[])', '(int64)', each, async (call) =>
    associateAll(call, await named(call), call.list(1)),
  ),
  change('dissociateToken(address,address)', '(int64)', usdEach, async (call) =>
    dissociateAll(call, await named(call), [call.address(1)]),
  ),
  change('dissociateTokens(address,address[])', '(int64)', each, async (call) =>
    dissociateAll(call, await named(call), call.list(1)),
  ),
  change(
    'associate()',
    '(int256)',
    usdEach,
    async (call) => associateAll(call, await call.senderAccount(), own(call)),
    facade,
  ),
  change(
    'dissociate()',
    '(int256)',
    usdEach,
    async (call) => dissociateAll(call, await call.senderAccount(), own(call)),
    facade,
  ),
]

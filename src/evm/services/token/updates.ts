import type { AbiValue } from '#src/evm/abi/types.ts'
import { accountAt } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import {
  assertTexts,
  type ExpiryTuple,
  feesOfTuples,
  type KeyTuple,
  keysOfTuples,
  nobody,
  type TokenDefinition,
} from '#src/evm/services/token/definition.ts'
import { assertKey, movingToken, tokenNumber } from '#src/evm/services/token/named.ts'
import { associateReceiver, usableRelation } from '#src/evm/services/token/relations.ts'
import type { TokenFacts } from '#src/evm/token-facts.ts'

const usd = 0.001
/** Its admin key has to sign where a schedule is to do it. */
const schedulable = {
  scheduled: async (call: ServiceCall) => ({
    kind: 'tokenUpdate',
    gas: 0n,
    signers: { accounts: [], keys: [], tokenKeys: [{ token: tokenNumber(call.address(0)), kind: 'admin' as const }] },
  }),
}

/** The token that the first argument names, with whatever the rest says of it. */
async function update(
  call: ServiceCall,
  changesOf: (token: TokenFacts) => Promise<Partial<TokenFacts>>,
): Promise<readonly AbiValue[]> {
  const token = await movingToken(call, call.address(0))
  assertKey(token, 'admin')
  call.tokens.setToken(token.id, { ...token, ...(await changesOf(token)) })
  return [success]
}

/** What is empty stays as it is. */
async function infoChanges(call: ServiceCall, token: TokenFacts): Promise<Partial<TokenFacts>> {
  const [name, symbol, treasury, memo, , , , keys, expiry] = call.args[1] as unknown as TokenDefinition
  assertTexts(name, symbol)
  return {
    ...(name !== '' && { name }),
    ...(symbol !== '' && { symbol }),
    ...(memo !== '' && { memo }),
    ...(treasury !== nobody && (await treasuryChange(call, token, treasury))),
    keys: { ...token.keys, ...(await keysOfTuples(call, keys)) },
    ...(await expiryChanges(call, expiry)),
  }
}

/** The new treasury takes over what the old one has. */
async function treasuryChange(
  call: ServiceCall,
  token: TokenFacts,
  address: TokenDefinition[2],
): Promise<Partial<TokenFacts>> {
  const treasury = await accountAt(call.world, address)
  must(treasury !== undefined, 'INVALID_TREASURY_ACCOUNT_FOR_TOKEN')
  if (treasury === token.treasury) return {}
  await associateReceiver(call, token, treasury)
  const [from, to] = [await usableRelation(call, token, token.treasury), await usableRelation(call, token, treasury)]
  if (token.isNft && from.balance > 0n) {
    must(to.balance === 0n, 'TRANSACTION_REQUIRES_ZERO_TOKEN_BALANCES')
    call.tokens.handOver(token.id, token.treasury, treasury)
  }
  call.tokens.setRelation(token.id, token.treasury, { ...from, balance: 0n })
  call.tokens.setRelation(token.id, treasury, { ...to, balance: to.balance + from.balance })
  return { treasury }
}

async function expiryChanges(call: ServiceCall, [second, address, period]: ExpiryTuple): Promise<Partial<TokenFacts>> {
  const { timestamp } = await call.evm.ledger.block()
  must(second === 0n || second > timestamp, 'INVALID_EXPIRATION_TIME')
  const account = address === nobody ? undefined : await accountAt(call.world, address)
  must(address === nobody || account !== undefined, 'INVALID_AUTORENEW_ACCOUNT')
  return {
    ...(second !== 0n && { expirySeconds: second }),
    ...(account !== undefined && { autoRenewAccount: account }),
    ...(period !== 0n && { autoRenewSeconds: period }),
  }
}

async function updateFees(call: ServiceCall, second: 'fractional' | 'royalty'): Promise<readonly AbiValue[]> {
  const token = await movingToken(call, call.address(0))
  assertKey(token, 'feeSchedule')
  must(token.isNft === (second === 'royalty'), feeResponse(token))
  const fees = await feesOfTuples(call, token.id, { fixed: call.list(1), [second]: call.list(2) })
  call.tokens.setToken(token.id, { ...token, fees })
  return [success]
}

function feeResponse({ isNft }: TokenFacts): string {
  return isNft
    ? 'CUSTOM_FRACTIONAL_FEE_ONLY_ALLOWED_FOR_FUNGIBLE_COMMON'
    : 'CUSTOM_ROYALTY_FEE_ONLY_ALLOWED_FOR_NON_FUNGIBLE_UNIQUE'
}

/** What changes a token itself. */
export const updateFunctions: readonly FunctionEntry[] = [
  ...['Token1', 'Token2', 'Token3'].map((definition) =>
    change(
      `updateTokenInfo(address,${definition})`,
      '(int256)',
      usd,
      (call) => update(call, (token) => infoChanges(call, token)),
      schedulable,
    ),
  ),
  ...['Expiry32', 'Expiry64'].map((expiry) =>
    change(`updateTokenExpiryInfo(address,${expiry})`, '(int256)', usd, (call) =>
      update(call, () => expiryChanges(call, call.args[1] as unknown as ExpiryTuple)),
    ),
  ),
  change('updateTokenKeys(address,TokenKey[])', '(int256)', usd, (call) =>
    update(call, async (token) => ({
      keys: { ...token.keys, ...(await keysOfTuples(call, call.args[1] as unknown as readonly KeyTuple[])) },
    })),
  ),
  change('updateFungibleTokenCustomFees(address,FixedFee64[],FractionalFee64[])', '(int256)', usd, (call) =>
    updateFees(call, 'fractional'),
  ),
  change('updateNonFungibleTokenCustomFees(address,FixedFee64[],RoyaltyFee64[])', '(int256)', usd, (call) =>
    updateFees(call, 'royalty'),
  ),
]

import type { AbiValue } from '#src/evm/abi/types.ts'
import { longZeroOf } from '#src/evm/addresses.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Failed, Halted, must } from '#src/evm/services/failed.ts'
import { type FunctionEntry, view } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { scheduleAt } from '#src/evm/services/schedule/named.ts'
import { tokenInfoValue } from '#src/evm/services/token/token-values.ts'
import { ledgerIdOf } from '#src/evm/services/token/views.ts'
import type { TokenFacts } from '#src/evm/token-facts.ts'

const none = new Uint8Array(0)

/** The token that a schedule is to make. As the network has it, one that never says when it expires can't be told. */
async function scheduledToken(call: ServiceCall, isNft: boolean): Promise<TokenFacts> {
  const schedule = await scheduleAt(call, call.address(0))
  if (schedule === undefined) throw new Failed('RECORD_NOT_FOUND')
  const { token } = schedule.scheduled
  must(token !== undefined && token.isNft === isNft, 'INVALID_SCHEDULE_ID')
  if (token.expirySeconds === 0n) throw new Halted()
  return token
}

async function fungible(call: ServiceCall): Promise<readonly AbiValue[]> {
  const token = await scheduledToken(call, false)
  return [success, [tokenInfoValue(token, ledgerIdOf(call)), token.decimals]]
}

/** Nothing is minted yet: what there would be is the treasury's. */
async function unique(call: ServiceCall): Promise<readonly AbiValue[]> {
  const token = await scheduledToken(call, true)
  const treasury = longZeroOf(token.treasury)
  return [success, [tokenInfoValue(token, ledgerIdOf(call)), 0n, treasury, 0n, none, treasury]]
}

const reverts = { failure: 'name' } as const

/** What tokens schedules are to make. */
export const tokenInfoFunctions: readonly FunctionEntry[] = [
  view('getScheduledCreateFungibleTokenInfo(address)', '(int32,FungibleInfo)', fungible, reverts),
  view('getScheduledCreateNonFungibleTokenInfo(address)', '(int32,NftInfo)', unique, reverts),
]

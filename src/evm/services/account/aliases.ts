import type { AbiValue } from '#src/evm/abi/types.ts'
import { longZeroOf, numberOf } from '#src/evm/addresses.ts'
import { accountAt } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { type FunctionEntry, view } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'

/** The account that a long-zero address says, wherever it is seen. */
async function accountOfNumber(call: ServiceCall) {
  const number = numberOf(call.address(0))
  const entity = number === undefined || number === 0n ? undefined : await call.world.entityOf(number)
  return entity?.kind === 'account' || entity?.kind === 'contract' ? entity : undefined
}

async function evmAddress(call: ServiceCall): Promise<readonly AbiValue[]> {
  const address = (await accountOfNumber(call))?.evmAddress ?? null
  must(address !== null, 'INVALID_ACCOUNT_ID')
  return [success, address]
}

async function accountNumber(call: ServiceCall): Promise<readonly AbiValue[]> {
  const account = (await accountOfNumber(call))?.id ?? (await accountAt(call.world, call.address(0)))
  must(account !== undefined, 'INVALID_SOLIDITY_ADDRESS')
  return [success, longZeroOf(account)]
}

/** Addresses of accounts, one for the other. */
export const aliasFunctions: readonly FunctionEntry[] = [
  view('getEvmAddressAlias(address)', '(int64,address)', evmAddress),
  view('getHederaAccountNumAlias(address)', '(int64,address)', accountNumber),
  view('isValidAlias(address)', '(bool)', async (call) => [
    (await accountAt(call.world, call.address(0))) !== undefined,
  ]),
]

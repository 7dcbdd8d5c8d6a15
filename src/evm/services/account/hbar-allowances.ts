import type { AbiValue } from '#src/evm/abi/types.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import { accountAt } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry, view } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { ledgerAmount } from '#src/evm/services/token/erc-changes.ts'
import { spenderAt } from '#src/evm/services/token/parties.ts'

const hbar = 0n
const usd = { approval: 0.05, associations: 0.00022 } as const
const reverts = { failure: 'name' } as const
const revertsAsNumber = { failure: 'number' } as const

async function ownerNamed(call: ServiceCall): Promise<bigint> {
  const owner = await accountAt(call.world, call.address(0))
  must(owner !== undefined, 'INVALID_ALLOWANCE_OWNER_ID')
  return owner
}

async function allowance(call: ServiceCall, owner: bigint, spender: HexAddress): Promise<readonly AbiValue[]> {
  const account = await accountAt(call.world, spender)
  return [success, account === undefined ? 0n : await call.tokens.allowance(owner, account, hbar)]
}

async function approve(
  call: ServiceCall,
  owner: bigint,
  spender: HexAddress,
  amount: bigint,
): Promise<readonly AbiValue[]> {
  must(amount >= 0n, 'NEGATIVE_ALLOWANCE_AMOUNT')
  const account = await spenderAt(call, spender)
  must(account !== owner, 'SPENDER_ACCOUNT_SAME_AS_OWNER')
  call.tokens.setAllowance(owner, account, hbar, ledgerAmount(amount))
  return [success]
}

/** Whoever calls at the address of an account changes that one; else himself. */
async function setUnlimited(call: ServiceCall): Promise<readonly AbiValue[]> {
  const account = call.about ?? (await call.senderAccount())
  const { automatic } = await call.tokens.associations(account)
  call.tokens.setAssociations(account, { automaticMax: call.bool(0) ? -1n : 0n, automatic })
  return [success]
}

/** What others may spend of an account's hbar, and which tokens it takes. */
export const hbarFunctions: readonly FunctionEntry[] = [
  view(
    'hbarAllowance(address,address)',
    '(int64,int256)',
    async (call) => allowance(call, await ownerNamed(call), call.address(1)),
    reverts,
  ),
  view('hbarAllowance(address)', '(int64,int256)', (call) => allowance(call, call.subject, call.address(0)), {
    ...reverts,
    isFacade: true,
  }),
  change(
    'hbarApprove(address,address,int256)',
    '(int64)',
    usd.approval,
    async (call) => approve(call, await ownerNamed(call), call.address(1), call.bigint(2)),
    revertsAsNumber,
  ),
  change(
    'hbarApprove(address,int256)',
    '(int64)',
    usd.approval,
    (call) => approve(call, call.subject, call.address(0), call.bigint(1)),
    { ...revertsAsNumber, isFacade: true },
  ),
  change('setUnlimitedAutomaticAssociations(bool)', '(int64)', usd.associations, setUnlimited),
]

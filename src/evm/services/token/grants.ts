import type { ServiceCall } from '#src/evm/services/call.ts'
import { Failed, must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { approve, approveForAll, approveNft } from '#src/evm/services/token/approvals.ts'
import { ledgerAmount } from '#src/evm/services/token/erc-changes.ts'
import { tokenNamed } from '#src/evm/services/token/named.ts'
import { spenderAt } from '#src/evm/services/token/parties.ts'

const usd = 0.05
const reverts = { failure: 'name' } as const

/** What others may do with tokens of who calls, by the token service's own functions. */
export const grantFunctions: readonly FunctionEntry[] = [
  change(
    'approve(address,address,uint256)',
    '(int32,bool)',
    usd,
    async (call) => {
      const token = await tokenNamed(call, call.address(0))
      must(!token.isNft, 'NFT_IN_FUNGIBLE_TOKEN_ALLOWANCES')
      await approve(call, token, await call.senderAccount(), call.address(1), ledgerAmount(call.bigint(2)))
      return [success, true]
    },
    reverts,
  ),
  change(
    'approveNFT(address,address,uint256)',
    '(int64)',
    usd,
    async (call) => {
      const token = await tokenNamed(call, call.address(0))
      must(token.isNft, 'FUNGIBLE_TOKEN_IN_NFT_ALLOWANCES')
      await approveNft(call, token, call.address(1), call.bigint(2))
      return [success]
    },
    reverts,
  ),
  change('setApprovalForAll(address,address,bool)', '(int256)', usd, async (call) => {
    const token = await tokenNamed(call, call.address(0))
    await assertOperator(call)
    await approveForAll(call, token, call.address(1), call.bool(2))
    return [success]
  }),
]

/** Who is nobody makes it revert; everything else is told. */
async function assertOperator(call: ServiceCall): Promise<void> {
  try {
    await spenderAt(call, call.address(1))
  } catch (error) {
    if (error instanceof Failed) throw new Failed(error.response, { shape: 'name' })
    throw error
  }
}

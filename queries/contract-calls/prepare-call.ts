import { invalidParameters } from '#queries/common/errors.ts'
import type { CallBody } from '#queries/contract-calls/body/call-body.ts'
import type { CallMembers } from '#queries/contract-calls/body/call-members.ts'
import { type CallBlock, findCallBlock, rulesOfBlock } from '#queries/contract-calls/find-block.ts'
import { ledgerAt } from '#queries/contract-calls/ledger-at.ts'
import type { CallContext } from '#queries/contract-calls/reads.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { CallRequest, CallSettings } from '#src/evm/call-request.ts'
import type { ContractCalls } from '#src/evm/contract-calls.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'

/** Where and by which rules calls are run. */
interface Place {
  readonly block: CallBlock
  readonly state: LedgerState
  readonly settings: CallSettings
}

/** Throws `not_implemented` where this process runs no contracts, or does not do so for what is asked. */
export function runningCalls({ evm }: CallContext, isOn = true): ContractCalls {
  if (evm === undefined || !isOn) throw new LedgerError('not_implemented', 'This process runs no contracts')
  return evm
}

export function assertOverridable(overrides: readonly unknown[], { settings }: CallContext): void {
  if (overrides.length === 0 || settings.contractCalls.stateOverrides) return
  throw invalidParameters(['State overrides are not supported.'])
}

/** Throws `invalid_parameter` for what names no block. */
export async function findPlace(name: string, context: CallContext): Promise<Place> {
  const block = await findCallBlock(name, context)
  const { chainId, contractCalls } = context.settings
  const { validatePayerBalance } = contractCalls
  const settings = { rules: rulesOfBlock(block, context), chainId: Number(chainId), validatePayerBalance }
  return { block, state: ledgerAt(block, context), settings }
}

export function requestOf(call: CallMembers, gas: bigint): CallRequest {
  const { from, to, data, gasPrice, value, accessList, authorizations } = call
  return { from, to, data, gas, gasPrice, value, accessList, authorizations }
}

/** With what the body takes for true of accounts and of the block. */
export function overriddenRequest(body: CallBody, gas: bigint): CallRequest {
  return { ...requestOf(body, gas), overrides: body.overrides, block: body.blockOverride }
}

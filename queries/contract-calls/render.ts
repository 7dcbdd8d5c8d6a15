import type { Answer } from '#queries/common/route.ts'
import { hexOf } from '#src/domain/bytes.ts'
import type { AccessListEntry } from '#src/evm/access-lists.ts'
import type { CallOutcome } from '#src/evm/threads/messages.ts'

const gasDigits = 16
/** Responses of results that are broken: whoever asks can't do anything about them. */
const broken: ReadonlySet<string> = new Set([
  'FAIL_INVALID',
  'FAIL_FEE',
  'FAIL_BALANCE',
  'PLATFORM_NOT_ACTIVE',
  'PLATFORM_TRANSACTION_NOT_CREATED',
  'UNKNOWN',
  'WAITING_FOR_LEDGER_ID',
])

/** Gas as a quantity of 64 bits, bytes as hex, a failure as messages; what was touched, where it is given. */
export function renderOutcome(
  outcome: CallOutcome,
  accessList?: readonly AccessListEntry[],
): Pick<Answer, 'body' | 'status'> {
  const access = accessList && accessOf(accessList)
  if (typeof outcome === 'bigint') {
    const gas = `0x${outcome.toString(16).padStart(gasDigits, '0')}`
    return { body: JSON.stringify({ ...access, result: gas }) }
  }
  const { response, output, detail, data, gasUsed, failedChildren } = outcome
  if (response === 'SUCCESS') {
    const used = access && { gas_used: `0x${gasUsed.toString(16)}` }
    return { body: JSON.stringify({ ...access, ...used, result: `0x${hexOf(output)}` }) }
  }
  const children = failedChildren.map((message) => ({ message, detail: '', data: '' }))
  const messages = [{ message: response, detail, data }, ...children]
  return { status: broken.has(response) ? 500 : 400, body: JSON.stringify({ _status: { messages } }) }
}

function accessOf(accessList: readonly AccessListEntry[]) {
  return { access_list: accessList.map(({ address, storageKeys }) => ({ address, storage_keys: storageKeys })) }
}

import type { Answer } from '#queries/common/route.ts'
import { hexOf } from '#src/domain/bytes.ts'
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

/** Gas as a quantity of 64 bits, bytes as hex, a failure as messages. */
export function renderOutcome(outcome: CallOutcome): Pick<Answer, 'body' | 'status'> {
  if (typeof outcome === 'bigint') return { body: resultBody(`0x${outcome.toString(16).padStart(gasDigits, '0')}`) }
  const { response, output, detail, data, failedChildren } = outcome
  if (response === 'SUCCESS') return { body: resultBody(`0x${hexOf(output)}`) }
  const children = failedChildren.map((message) => ({ message, detail: '', data: '' }))
  const messages = [{ message: response, detail, data }, ...children]
  return { status: broken.has(response) ? 500 : 400, body: JSON.stringify({ _status: { messages } }) }
}

function resultBody(result: string): string {
  return JSON.stringify({ result })
}

import { hexOf } from '#src/domain/bytes.ts'
import type { HexAddress } from '#src/evm/addresses.ts'

/** Which service answers for entities of a kind, and by which function it is told of which. */
export const redirects = {
  token: ['67', '618dc65e'],
  account: ['6a', 'e4cbd3a7'],
  schedule: ['6b', '5c3889ca'],
} as const

const before = '6080604052348015600f57600080fd5b5060006101'
const middle = '905077'
const after =
  '600052366000602037600080366018016008845af43d806000803e8160008114605857816000f35b816000fdfea2646970667358221220d8378feed472ba49a0005514ef7087017f707b45fb9bf56bb81bb93ff19a238b64736f6c634300080b0033'

/** What the network shows as code of a token, a schedule or an account: it hands its call to the service of that kind. */
export function proxyCode(kind: keyof typeof redirects, address: HexAddress): Uint8Array {
  const [service, selector] = redirects[kind]
  return Buffer.from(`${before}${service}${middle}${selector}${address.slice(2)}${after}`, 'hex')
}

/** hbarAllowance(address), hbarApprove(address,int256), setUnlimitedAutomaticAssociations(bool). */
const accountSelectors: ReadonlySet<string> = new Set(['bbee989e', '86aff07c', 'f5677e99'])
/** signSchedule(), deleteSchedule(). */
const scheduleSelectors: ReadonlySet<string> = new Set(['06d15889', 'c61dea85'])
const selectorBytes = 4

/** Whether an account has code for a call: only from outside, and only for these functions. */
export function isAccountCall(data: Uint8Array): boolean {
  return accountSelectors.has(selectorOf(data))
}

/** Whether the code of a schedule runs: only for these functions. */
export function isScheduleCall(data: Uint8Array): boolean {
  return scheduleSelectors.has(selectorOf(data))
}

function selectorOf(data: Uint8Array): string {
  return hexOf(data, 0, Math.min(selectorBytes, data.length))
}

import type { Replayed } from '#test/oracle/replay-route.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'
import type { MadeCall } from '#test/oracle/watched-evm.ts'

/** What was recorded of a transaction, as the API tells it. */
export interface Recorded {
  readonly result: Json
  readonly actions: readonly Json[]
  /** Addresses of tokens of the ledger itself, whose logs the network makes. */
  readonly isToken: (address: string) => boolean
  /** The address that is made of the number of who is seen at an address. */
  readonly numbered: (address: string) => string
}

/** Names of what differs, with both sides. */
export type Difference = readonly [what: string, recorded: unknown, again: unknown]

export function differences({ result, actions, isToken, numbered }: Recorded, again: Replayed): Difference[] {
  const failed = result.status === '0x0'
  const sides: Difference[] = [
    ['response', result.result, again.response],
    ['result', returnedBy(result), failed && !isReverted(result) ? '0x' : again.output],
    ['gas used', String(result.gas_used), again.gasUsed],
    ['logs', result.logs.map(logOf).filter(({ address }: Json) => !isToken(address)), again.logs],
    ['storage', failed ? [] : sorted(result.state_changes.map(accessOf)), failed ? [] : sorted(again.accesses)],
    ['calls', actions.map(callOf), again.calls.map((call, at) => shownCall(call, actions[at], numbered))],
  ]
  return sides.filter(([, recorded, replayed]) => JSON.stringify(recorded) !== JSON.stringify(replayed))
}

function returnedBy(result: Json): string {
  return result.status === '0x0' && !isReverted(result) ? '0x' : result.call_result
}

function isReverted({ result }: Json): boolean {
  return result === 'CONTRACT_REVERT_EXECUTED'
}

function logOf({ address, topics, data }: Json) {
  return { address, topics, data }
}

function accessOf({ address, slot, value_read: read, value_written: written }: Json) {
  return { address, slot, read, written }
}

function sorted(accesses: Replayed['accesses']) {
  const keyed = ({ address, slot }: Replayed['accesses'][number]) => `${address}/${slot}`
  return accesses.toSorted((a, b) => (keyed(a) < keyed(b) ? -1 : 1))
}

function callOf(action: Json) {
  const { call_depth: depth, call_operation_type: operation, from, to, input, value, gas, gas_used: gasUsed } = action
  const { result_data_type: result, result_data: data } = action
  return {
    depth,
    operation,
    from,
    to,
    input,
    value: String(value),
    gas: String(gas),
    gasUsed: String(gasUsed),
    result,
    data: result === 'ERROR' ? '' : data,
  }
}

/** In traces parties have the addresses of their numbers; what came to nothing has none. */
function shownCall(call: MadeCall, action: Json | undefined, numbered: Recorded['numbered']) {
  const from = action?.from === null ? null : numbered(call.from)
  const to = action?.to === null ? null : numbered(call.to)
  return { ...call, from, to, data: call.result === 'ERROR' ? '' : call.data }
}

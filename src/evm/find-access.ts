import { type AccessListEntry, touchedList } from '#src/evm/access-lists.ts'
import type { CallRequest, CallResult, CallSettings } from '#src/evm/call-request.ts'
import { estimateGas } from '#src/evm/estimate-gas.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { openWorld, runCall, runOn } from '#src/evm/run-call.ts'

/** What came of a call, and what it touched. */
export interface AccessOutcome {
  readonly outcome: CallResult | bigint
  readonly accessList: readonly AccessListEntry[]
}

/** What is listed costs other gas, and may lead elsewhere: so often at most is it run again. */
const roundsMax = 5

/** Runs a call with what it touched as its list, until it touches nothing else: what is told is of that run. */
export async function findAccess(
  request: CallRequest,
  state: LedgerState,
  settings: CallSettings,
  isEstimate: boolean,
): Promise<AccessOutcome> {
  let accessList = request.accessList ?? []
  for (let round = 1; ; round++) {
    const world = await openWorld(request, state, settings)
    const { result, ran } = await runOn(world, { ...request, accessList }, settings, { reportsAccess: true })
    if (ran === undefined || result.response !== 'SUCCESS') return { outcome: result, accessList }
    const warmAnyway = new Set([ran.sender, ran.target])
    const more = join(accessList, touchedList(ran.evm, warmAnyway))
    const isAll = more === accessList
    accessList = more
    if (!isAll && round < roundsMax) continue
    const run = (gas: bigint) => runCall({ ...request, accessList, gas }, state, settings)
    return { outcome: isEstimate ? await estimateGas(request.gas, run) : result, accessList }
  }
}

/** The first list itself where the second adds nothing. */
function join(list: readonly AccessListEntry[], more: readonly AccessListEntry[]): readonly AccessListEntry[] {
  const keys = new Map(list.map(({ address, storageKeys }) => [address, new Set(storageKeys)]))
  let isLonger = false
  for (const { address, storageKeys } of more) {
    const known = keys.get(address) ?? new Set()
    if (!keys.has(address) || storageKeys.some((key) => !known.has(key))) isLonger = true
    keys.set(address, new Set([...known, ...storageKeys]))
  }
  if (!isLonger) return list
  return [...keys].map(([address, slots]) => ({ address, storageKeys: [...slots] }))
}

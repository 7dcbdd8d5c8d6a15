import { type AccessListEntry, touchedList } from '#src/evm/access-lists.ts'
import { LedgerEvm } from '#src/evm/ledger-evm.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { openWorld, runOn } from '#src/evm/run-call.ts'
import type { TouchedJob } from '#src/evm/threads/messages.ts'
import { RecordedCalls } from '#src/evm/trace/recorded-calls.ts'

/** What a transaction touched that is run again on the state before it: accounts, and their slots. Its sender comes first. */
export async function findTouched(
  { request, settings, newContract, recorded }: TouchedJob,
  state: LedgerState,
): Promise<AccessListEntry[]> {
  const world = await openWorld(request, state, settings)
  const { ran } = await runOn(world, request, settings, {
    replayed: { newContract },
    reportsAccess: true,
    openEvm: (options) => new LedgerEvm({ ...options, recorded: recorded && new RecordedCalls(recorded) }),
  })
  if (ran === undefined) return []
  const touched = new Map(touchedList(ran.evm, new Set()).map((entry) => [entry.address, entry]))
  const parties = [ran.sender, ran.target]
  const first = parties.map((address) => touched.get(address) ?? { address, storageKeys: [] })
  return [...new Map([...first, ...touched.values()].map((entry) => [entry.address, entry])).values()]
}

import type { Json } from '#test/oracle/simulated-ledger.ts'

/** Storage of contracts after the changes of results, in their order: by contract, then slot. */
export function storageAfter(results: readonly Json[]): Map<string, Map<string, string>> {
  const storage = new Map<string, Map<string, string>>()
  for (const { state_changes: changes } of results) {
    for (const { contract_id: contract, slot, value_written: written } of changes) {
      if (written === null) continue
      const slots = storage.get(contract) ?? new Map<string, string>()
      storage.set(contract, slots.set(slot, written))
    }
  }
  return storage
}

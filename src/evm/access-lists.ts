import type { HexAddress } from '#src/evm/addresses.ts'
import type { LedgerEvm } from '#src/evm/ledger-evm.ts'

/** What a call says that it touches, or touched. */
export interface AccessListEntry {
  readonly address: HexAddress
  /** 0x and 64 lower-case hex digits each. */
  readonly storageKeys: readonly string[]
}

const addressGas = 2_400n
const slotGas = 1_900n

/** What a list costs beforehand (EIP-2930): what it names costs less afterwards. */
export function accessListGas(list: readonly AccessListEntry[]): bigint {
  const slots = list.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0)
  return BigInt(list.length) * addressGas + BigInt(slots) * slotGas
}

export function warmAccessList({ journal }: LedgerEvm, list: readonly AccessListEntry[]): void {
  for (const { address, storageKeys } of list) {
    journal.addAlwaysWarmAddress(address)
    for (const key of storageKeys) journal.addAlwaysWarmSlot(address, key)
  }
}

/** What was touched since the journal began to report it; of addresses that are warm anyway only those with slots. */
export function touchedList({ journal }: LedgerEvm, warmAnyway: ReadonlySet<string>): AccessListEntry[] {
  return [...(journal.accessList ?? [])]
    .filter(([address, slots]) => slots.size > 0 || !warmAnyway.has(`0x${address}`))
    .map(([address, slots]) => ({ address: `0x${address}`, storageKeys: [...slots].map((slot) => `0x${slot}`) }))
}

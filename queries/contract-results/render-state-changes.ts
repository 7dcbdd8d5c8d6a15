import { decodeStateChanges } from '#projections/contract-results/packing/lists.ts'
import type { ResultRow } from '#projections/contract-results/schema.ts'
import type { SlotChange } from '#projections/contracts/schema.ts'
import { defineObject } from '#queries/common/define-object.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'
import { entityId, hex, nullableHex } from '#queries/contract-results/value-schemas.ts'
import { findAddresses } from '#queries/contracts/find-contract.ts'
import { entityText, wordText } from '#src/domain/json-text.ts'

export const stateChangeObject = defineObject<SlotChange & { readonly address: string | undefined }>(
  {
    address: [hex, ({ address }) => `"${address}"`],
    contract_id: [entityId, ({ contract }) => entityText(contract)],
    slot: [hex, ({ slot }) => wordText(slot)],
    value_read: [hex, ({ valueRead }) => wordText(valueRead)],
    value_written: [nullableHex, ({ valueWritten }) => (valueWritten === null ? null : wordText(valueWritten))],
  },
  { title: 'ContractStateChange' },
)

/**
 * Texts of what a transaction did to storage slots, by contract and slot. What a migration of the ledger's state made is shown
 * only where its contract was asked for.
 */
export async function showStateChanges(
  { stateChanges }: ResultRow,
  contract: bigint | undefined,
  { rows }: ResultContext,
): Promise<string[]> {
  const changes = decodeStateChanges(stateChanges).filter((change) => !change.migration || change.contract === contract)
  const addresses = await findAddresses(
    rows.entities,
    changes.map((change) => change.contract),
  )
  return changes
    .sort(byContractAndSlot)
    .map((change) => stateChangeObject.render({ ...change, address: addresses.get(change.contract) }))
}

function byContractAndSlot(a: SlotChange, b: SlotChange): number {
  if (a.contract !== b.contract) return a.contract < b.contract ? -1 : 1
  return Buffer.compare(a.slot, b.slot)
}

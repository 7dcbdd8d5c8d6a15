import { decodeStateChanges } from '#projections/contract-results/packing/lists.ts'
import type { ResultRow } from '#projections/contract-results/schema.ts'
import type { SlotChange } from '#projections/contracts/schema.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'
import { findAddresses } from '#queries/contracts/find-contract.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'

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
    .map(
      ({ contract: id, slot, valueRead, valueWritten }) =>
        `{"address":"${addresses.get(id)}","contract_id":"${formatEntityId(id)}","slot":"${word(slot)}",` +
        `"value_read":"${word(valueRead)}","value_written":${valueWritten === null ? 'null' : `"${word(valueWritten)}"`}}`,
    )
}

function byContractAndSlot(a: SlotChange, b: SlotChange): number {
  if (a.contract !== b.contract) return a.contract < b.contract ? -1 : 1
  return Buffer.compare(a.slot, b.slot)
}

function word(bytes: Uint8Array): string {
  return `0x${asBuffer(bytes).toString('hex').padStart(64, '0')}`
}

import type { contractsSchema, SlotChange, SlotRow } from '#projections/contracts/schema.ts'
import type { ContractStateChangesSidecar } from '#schemas/events/types.ts'
import { entityIdParts } from '#src/domain/entity-id.ts'
import { paddedWord } from '#src/domain/evm-words.ts'
import { contractNumber } from '#src/events/ids.ts'
import type { FoldedRows, Handler } from '#src/runtime/fold/projection.ts'

type Schema = typeof contractsSchema

/** The contract that stands for a hook while it runs: the changes said to be its are those of the hook's storage. */
const hooksContract = 365n

/** All changes of the sidecars of a transaction. */
export function slotChanges(sidecars: readonly ContractStateChangesSidecar[]): SlotChange[] {
  return sidecars.flatMap(({ migration, stateChanges }) =>
    (stateChanges?.contractStateChanges ?? []).flatMap(({ contractId, storageChanges }) => {
      const contract = contractNumber(contractId)
      if (contract === 0n || entityIdParts(contract).number === hooksContract) return []
      return storageChanges.map(({ slot, ...values }) => ({ contract, slot: paddedWord(slot), migration, ...values }))
    }),
  )
}

/** Writes a change, and what it makes of the slot. */
function changeSlot(rows: FoldedRows<Schema>, change: SlotChange, time: bigint): void {
  const { contract, slot, valueRead, valueWritten, migration } = change
  const value = valueWritten ?? valueRead
  const sets = valueWritten !== null || migration ? 1 : 0
  const before = rows.get('slots', contract, slot) ?? neverSet(contract, slot, time)
  rows.put('slotChanges', { contract, slot, time, value, sets })
  rows.put('slots', {
    ...before,
    ...(sets === 1 && { present: 1, value, modified: time }),
    initial: before.initial ?? valueRead,
    changed: time,
  })
}

export function neverSet(contract: bigint, slot: Uint8Array, time: bigint): SlotRow {
  return { contract, slot, present: 0, value: null, modified: null, initial: null, first: time, changed: time }
}

const reads = ['consensusTimestamp', 'contractStateChanges'] as const

/** The storage of contracts, which sidecars tell of. */
export const contractSlots: Handler<Schema, 'TransactionRecorded', (typeof reads)[number]> = {
  reads,
  apply: ({ consensusTimestamp: time, contractStateChanges }, rows) => {
    if (contractStateChanges.length === 0) return
    for (const change of slotChanges(contractStateChanges)) changeSlot(rows, change, time)
  },
}

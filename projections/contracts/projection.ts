import { contractCode } from '#projections/contracts/code.ts'
import { filePieces } from '#projections/contracts/file-pieces.ts'
import { contractsSchema, isUserFile } from '#projections/contracts/schema.ts'
import { contractSlots, neverSet } from '#projections/contracts/slots.ts'
import { paddedWord } from '#src/domain/evm-words.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

/** What only contracts have, from bodies and sidecars, and as stated. */
export const contractsProjection = defineProjection(contractsSchema)
  .on('TransactionRecorded', contractCode)
  .on('TransactionRecorded', contractSlots)
  .on('TransactionRecorded', filePieces)
  .on('ContractSnapshotted', {
    reads: ['contractId', 'fileId', 'initcode', 'runtimeBytecode'],
    apply: ({ contractId: id, ...code }, rows) => rows.put('contracts', { id, ...code }),
  })
  .on('FileSnapshotted', {
    reads: ['fileId', 'asOf', 'contents'],
    apply: ({ fileId: file, asOf: time, contents: data }, rows) => {
      if (isUserFile(file)) rows.put('filePieces', { file, time, startsOver: 1, data })
    },
  })
  .on('ContractStateSnapshotted', {
    reads: ['contractId', 'slot', 'asOf', 'value', 'createdTimestamp'],
    apply: ({ contractId: contract, slot: short, asOf: modified, value, createdTimestamp }, rows) => {
      const slot = paddedWord(short)
      const before = rows.get('slots', contract, slot) ?? neverSet(contract, slot, createdTimestamp)
      rows.put('slots', { ...before, present: 1, value, modified })
    },
  })
  .on('ContractExecutionSnapshotted', {
    reads: ['asOf', 'stateChanges'],
    apply: ({ asOf: time, stateChanges }, rows) => {
      for (const { contractId: contract, slot: short, valueRead, valueWritten } of stateChanges) {
        const slot = paddedWord(short)
        const before = rows.get('slots', contract, slot) ?? neverSet(contract, slot, time)
        // A change is of the past: what the slot holds now is stated apart.
        rows.put('slotChanges', { contract, slot, time, value: valueWritten ?? valueRead, sets: 0 })
        rows.put('slots', {
          ...before,
          initial: before.initial === null || time < before.first ? valueRead : before.initial,
          ...(time < before.first && { first: time }),
          ...(time > before.changed && { changed: time }),
        })
      }
    },
  })

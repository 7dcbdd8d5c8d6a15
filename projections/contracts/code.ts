import type { contractsSchema } from '#projections/contracts/schema.ts'
import type { ContractBytecode, TransactionRecorded } from '#schemas/events/types.ts'
import { decodeEthereumTransaction } from '#src/domain/ethereum-transaction.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { contractNumber, numberOf, orNull } from '#src/events/ids.ts'
import { hasSucceeded } from '#src/events/success.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import type { Handler } from '#src/runtime/fold/projection.ts'

const reads = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'parentConsensusTimestamp',
  'entityId',
  'record',
  'contractCreateInstance',
  'ethereumTransaction',
  'contractBytecode',
] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>
type Schema = typeof contractsSchema
type ContractRow = RowOf<Schema, 'contracts'>
type CreatorRow = RowOf<Schema, 'creators'>

/** Where the code of a contract comes from: a file, or the init code itself. */
type CodeSource = Pick<ContractRow, 'fileId' | 'initcode'>

/** Key of the only row of creators. */
const creatorSlot = 0

/** What a body says of the code; undefined where the transaction is of another kind. */
function sourceOf({
  type,
  contractCreateInstance: creation,
  ethereumTransaction: call,
}: Facts): CodeSource | undefined {
  if (type === transactionType.contractCreate && creation !== null)
    return { fileId: orNull(numberOf(creation.fileID)), initcode: creation.initcode }
  if (type !== transactionType.ethereumTransaction || call === null) return undefined
  if (call.callData !== null) return { fileId: numberOf(call.callData), initcode: null }
  return { fileId: null, initcode: decodeEthereumTransaction(call.ethereumData)?.callData ?? null }
}

/** Whether the transaction is about code at all, as nearly none is. */
function isConcerned({ type, contractBytecode }: Facts): boolean {
  return (
    type === transactionType.contractCreate ||
    type === transactionType.ethereumTransaction ||
    contractBytecode.length > 0
  )
}

/** The contract that the transaction itself creates. */
function createdBy(facts: Facts): bigint | null {
  const { type, contractCreateInstance: body, entityId } = facts
  return type === transactionType.contractCreate && body !== null && hasSucceeded(facts) ? entityId : null
}

/** Contracts that the creation of another one created: up to a version of the ledger they have no record of their own. */
function innerContracts(facts: Facts): bigint[] {
  const own = createdBy(facts)
  const result = own === null ? null : facts.record?.contractCreateResult
  return result?.createdContractIDs.map(contractNumber).filter((id) => id !== 0n && id !== own) ?? []
}

function bytecodes({
  contractBytecode,
}: Facts): (ContractBytecode & { readonly id: bigint; readonly migration: boolean })[] {
  return contractBytecode.flatMap(({ migration, bytecode }) => {
    const id = contractNumber(bytecode?.contractId ?? null)
    return bytecode === null || id === 0n ? [] : [{ ...bytecode, id, migration }]
  })
}

function unknownContract(id: bigint): ContractRow {
  return { id, fileId: null, initcode: null, runtimeBytecode: null }
}

/** The code of contracts: a child that creates one has it from the transaction of the user that it belongs to. */
export const contractCode: Handler<Schema, 'TransactionRecorded', (typeof reads)[number]> = {
  reads,
  apply: (facts, rows) => {
    if (!isConcerned(facts)) return
    const { consensusTimestamp: time, parentConsensusTimestamp: parent } = facts
    const source = sourceOf(facts)
    if (source && parent === null) rows.put('creators', { slot: creatorSlot, time, ...source })
    for (const { id, migration, initcode, runtimeBytecode } of bytecodes(facts)) {
      const before = rows.get('contracts', id) ?? unknownContract(id)
      rows.put('contracts', {
        ...before,
        runtimeBytecode,
        initcode: before.initcode ?? (migration ? null : nonEmpty(initcode)),
      })
    }
    const created = createdBy(facts)
    if (created === null || source === undefined) return
    const creator = parent === null ? undefined : rows.get('creators', creatorSlot)
    const known = rows.get('contracts', created) ?? unknownContract(created)
    const { fileId, initcode } = withCreator(source, creator?.time === parent ? creator : undefined)
    rows.put('contracts', { ...known, fileId, initcode: initcode ?? (fileId === null ? known.initcode : null) })
    for (const id of innerContracts(facts))
      if (!rows.get('contracts', id)) rows.put('contracts', { ...unknownContract(id), ...source })
  },
}

function withCreator(source: CodeSource, creator: CreatorRow | undefined): CodeSource {
  const own = { fileId: source.fileId, initcode: source.initcode && nonEmpty(source.initcode) }
  if (own.fileId !== null || own.initcode !== null || creator === undefined) return own
  return { fileId: creator.fileId, initcode: creator.initcode && nonEmpty(creator.initcode) }
}

function nonEmpty(bytes: Uint8Array): Uint8Array | null {
  return bytes.length > 0 ? bytes : null
}

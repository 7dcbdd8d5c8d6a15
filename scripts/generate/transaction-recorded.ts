import type protobuf from 'protobufjs'
import type { AvroField, AvroRecord } from '#src/events/avro-schema.ts'
import { AvroDeriver, plainName } from './derive-avro.ts'

/** What the head of the event carries, so that the derived `record` need not. */
const carriedByHead = {
  TransactionRecord: [
    'transactionHash',
    'consensusTimestamp',
    'transactionID',
    'memo',
    'transactionFee',
    'transferList',
    'tokenTransferLists',
    'assessedCustomFees',
    'parentConsensusTimestamp',
    'paidStakingRewards',
    'highVolumePricingMultiplier',
  ],
  TransactionReceipt: ['status'],
}

/** Sidecar data: the field of the event, the message, and the name of the message in TransactionSidecarRecord. */
const sidecars = [
  { field: 'contractActions', member: 'actions', doc: 'Calls between contracts, in execution order' },
  { field: 'contractStateChanges', member: 'stateChanges', doc: 'Storage slots read and written' },
  { field: 'contractBytecode', member: 'bytecode', doc: 'Code of created contracts' },
] as const

/** The hand-written head with everything that follows from the protobuf definitions appended. */
export function buildTransactionRecorded(head: AvroRecord, root: protobuf.Root): AvroRecord {
  const deriver = new AvroDeriver('ledger.history', carriedByHead)
  const fields: AvroField[] = [
    ...head.fields,
    {
      name: 'signatures',
      doc: 'Signatures of the transaction. Origin: SignatureMap.sigPair',
      type: { type: 'array', items: deriver.record(root.lookupType('proto.SignaturePair')) },
      default: [],
    },
    {
      name: 'record',
      doc: 'The record without what the fields above carry; null when the event does not come from a stream. Origin: RecordStreamItem.record',
      type: ['null', deriver.record(root.lookupType('proto.TransactionRecord'))],
      default: null,
    },
    ...sidecars.map(({ field, member, doc }) => sidecarField(deriver, root, field, member, doc)),
    ...bodyFields(root).map((field) => deriver.field(field)),
  ]
  return { ...head, fields }
}

function sidecarField(
  deriver: AvroDeriver,
  root: protobuf.Root,
  field: string,
  member: string,
  doc: string,
): AvroField {
  const message = root.lookupType('proto.TransactionSidecarRecord')
  const { migration } = message.fields
  const data = message.fields[member]
  if (!migration || !data) throw new Error(`${plainName(message)} has no field ${member}; see the protobuf definitions`)
  const name = `${field[0]!.toUpperCase()}${field.slice(1)}Sidecar`
  const items = {
    type: 'record' as const,
    name,
    namespace: 'ledger.history.events',
    doc: `${plainName(message)} with ${member}`,
    fields: [deriver.field(migration), deriver.field(data)],
  }
  return { name: field, doc: `${doc}. Origin: sidecar files`, type: { type: 'array', items }, default: [] }
}

/** The members of the oneof that holds a transaction's body, by type number. */
export function bodyFields(root: protobuf.Root): protobuf.Field[] {
  const data = root.lookupType('proto.TransactionBody').oneofs['data']
  if (!data) throw new Error('TransactionBody has no oneof data; see the protobuf definitions')
  return [...data.fieldsArray].sort((a, b) => a.id - b.id)
}

import type { TransactionRecorded } from '#schemas/events/types.ts'
import { compile } from '#src/domain/compile.ts'
import type { AvroSchema } from '#src/events/avro-schema.ts'
import { currentSchema } from '#src/events/schemas.ts'
import { type Transcode, Transcoders } from '#src/events/transcode/transcoder.ts'
import {
  copyBool,
  copyBytes,
  copyInt64,
  copyRange,
  skipBytes,
  startOf,
  writeInt64,
  writeNumber,
} from '#src/events/transcode/wire-values.ts'
import { writeCustomFees } from '#src/importer/decode/plain-fees.ts'
import type { PlainFields } from '#src/importer/decode/plain-fields.ts'
import { bodyField, durationField, envelopeField, idField, recordField } from '#src/importer/decode/plain-numbers.ts'
import { type PlainSource, plainBodies } from '#src/importer/decode/plain-source.ts'
import {
  countItems,
  idIn,
  writeNftTransfers,
  writeTokenTransfers,
  writeTransfers,
} from '#src/importer/decode/plain-values.ts'

/** Writes a field of the event, or several, and returns the place behind. */
export type Column = (source: PlainSource, target: Buffer, to: number) => number

/** The fields of TransactionRecorded in their order. What a plain transaction does not have is a zero byte, whatever it is. */
export function plainColumns(): Column {
  const { fields } = currentSchema('TransactionRecorded').schema
  const typeOf = (name: string): AvroSchema => fields.find((field) => field.name === name)!.type
  const written = { ...head, ...messages(new Transcoders(currentSchema('TransactionRecorded').schema), typeOf) }
  const columns: Column[] = []
  let absent = 0
  for (const { name } of fields) {
    const column = written[name as keyof TransactionRecorded]
    if (column && absent > 0) columns.push(zeros(absent))
    if (column) columns.push(column)
    absent = column ? 0 : absent + 1
  }
  return inTurn(absent > 0 ? [...columns, zeros(absent)] : columns)
}

/** One function with a call of its own for each, so that the engine may put them in line: a loop would cost twice as much. */
function inTurn(columns: readonly Column[]): Column {
  const tools = Object.fromEntries(columns.map((column, index) => [`column${index}`, column]))
  const calls = Object.keys(tools).map((name) => `to = ${name}(source, target, to)`)
  return compile(`return (source, target, to) => { ${calls.join(';')}; return to }`, tools)
}

function zeros(count: number): Column {
  return (_, target, to) => {
    for (let place = to; place < to + count; place++) target[place] = 0
    return to + count
  }
}

type Columns = Partial<Record<keyof TransactionRecorded, Column>>

const head: Columns = {
  consensusTimestamp: ({ consensusTimestamp }, target, to) => writeInt64(consensusTimestamp, target, to),
  validStartTimestamp: ({ validStartTimestamp }, target, to) => writeInt64(validStartTimestamp, target, to),
  payerAccountId: ({ id }, target, to) => writeNumber(idIn(id, idField.accountID), target, to),
  nonce: ({ nonce }, target, to) => writeNumber(nonce, target, to),
  scheduled: ({ record }, target, to) => writeBool(record.places[recordField.scheduleRef] !== 0, target, to),
  parentConsensusTimestamp: ({ parentConsensusTimestamp: time }, target, to) =>
    time === null ? writeAbsent(target, to) : writeInt64(time, target, some(target, to)),
  blockNumber: ({ blockNumber }, target, to) =>
    blockNumber === undefined ? writeAbsent(target, to) : writeInt64(blockNumber, target, some(target, to)),
  transactionIndex: ({ transactionIndex }, target, to) => writeNumber(transactionIndex, target, some(target, to)),
  type: ({ type }, target, to) => writeNumber(type, target, to),
  result: ({ result }, target, to) => writeNumber(result, target, to),
  nodeAccountId: ({ body }, target, to) => writeId(idIn(body, bodyField.nodeAccountID), target, to),
  entityId: ({ entity }, target, to) => writeId(entity, target, to),
  chargedTxFee: ({ record }, target, to) => writeField(copyInt64, record, recordField.transactionFee, target, to),
  maxFee: ({ body }, target, to) => writeField(copyInt64, body, bodyField.transactionFee, target, some(target, to)),
  validDurationSeconds: ({ body, duration }, target, to) =>
    body.places[bodyField.transactionValidDuration] === 0
      ? writeAbsent(target, to)
      : writeField(copyInt64, duration, durationField.seconds, target, some(target, to)),
  memo: ({ body }, target, to) => writeField(copyBytes, body, bodyField.memo, target, some(target, to)),
  transactionHash: ({ record }, target, to) =>
    record.places[recordField.transactionHash] === 0 || record.bytes[record.places[recordField.transactionHash]!] === 0
      ? writeAbsent(target, to)
      : writeField(copyBytes, record, recordField.transactionHash, target, some(target, to)),
  highVolumePricingMultiplier: ({ record }, target, to) =>
    writeField(copyInt64, record, recordField.highVolumePricingMultiplier, target, some(target, to)),
  transfers: ({ record }, target, to) =>
    record.places[recordField.transferList] === 0
      ? writeAbsent(target, to)
      : writeTransfers(record.bytes, record.places[recordField.transferList]!, target, to),
  tokenTransfers: ({ record }, target, to) =>
    record.places[recordField.tokenTransferLists] === 0
      ? writeAbsent(target, to)
      : writeTokenTransfers(record.bytes, record.places[recordField.tokenTransferLists]!, target, to),
  nftTransfers: ({ record }, target, to) =>
    record.places[recordField.tokenTransferLists] === 0
      ? writeAbsent(target, to)
      : writeNftTransfers(record.bytes, record.places[recordField.tokenTransferLists]!, target, to),
  assessedCustomFees: ({ record }, target, to) =>
    record.places[recordField.assessedCustomFees] === 0
      ? writeAbsent(target, to)
      : writeCustomFees(record.bytes, record.places[recordField.assessedCustomFees]!, target, to),
  transactionBytes: ({ signed, keepRawBytes }, target, to) => writeRaw(signed.bytes, keepRawBytes, target, to),
  recordBytes: ({ record, keepRawBytes }, target, to) => writeRaw(record.bytes, keepRawBytes, target, to),
  successful: ({ successful }, target, to) => writeBool(successful === true, target, some(target, to)),
  transactionIdScheduled: ({ id }, target, to) => writeField(copyBool, id, idField.scheduled, target, to),
  generateRecord: ({ body }, target, to) => writeField(copyBool, body, bodyField.generateRecord, target, to),
}

/** What travels as the message that it was. */
function messages(transcoders: Transcoders, typeOf: (name: string) => AvroSchema): Columns {
  const writeRecord = transcoders.of('proto.TransactionRecord', typeOf('record'))
  const writePair = transcoders.of('proto.SignaturePair', typeOf('signatures'))
  const bodies = Object.entries(plainBodies).map(([name, { id, message }]) => {
    const write = transcoders.of(message, typeOf(name))
    const column: Column = ({ body }, target, to) => {
      const { bytes, places } = body
      const place = places[id]!
      if (place === 0) return writeAbsent(target, to)
      return write(bytes, startOf(bytes, place), skipBytes(bytes, place), target, some(target, to))
    }
    return [name, column] as const
  })
  return {
    ...Object.fromEntries(bodies),
    record: ({ record: { bytes } }, target, to) => writeRecord(bytes, 0, bytes.length, target, some(target, to)),
    signatures: ({ envelope: { bytes, places } }, target, to) =>
      places[envelopeField.sigMap] === 0
        ? writeAbsent(target, to)
        : writeItems(writePair, bytes, places[envelopeField.sigMap]!, target, to),
  }
}

/** The items of a list message as an array. */
function writeItems(write: Transcode, bytes: Buffer, place: number, target: Buffer, to: number): number {
  const end = skipBytes(bytes, place)
  const start = startOf(bytes, place)
  const count = countItems(bytes, start, end)
  let next = count === 0 ? to : writeNumber(count, target, to)
  for (let at = start; at < end; at = skipBytes(bytes, at + 1)) {
    next = write(bytes, startOf(bytes, at + 1), skipBytes(bytes, at + 1), target, next)
  }
  return writeAbsent(target, next)
}

function writeAbsent(target: Buffer, to: number): number {
  target[to] = 0
  return to + 1
}

/** The branch of an optional field that is there. */
function some(target: Buffer, to: number): number {
  target[to] = 2
  return to + 1
}

function writeBool(value: boolean, target: Buffer, to: number): number {
  target[to] = value ? 1 : 0
  return to + 1
}

function writeId(id: number, target: Buffer, to: number): number {
  return id === 0 ? writeAbsent(target, to) : writeNumber(id, target, some(target, to))
}

function writeField(copy: typeof copyInt64, { bytes, places }: PlainFields, id: number, target: Buffer, to: number) {
  const place = places[id]!
  return place === 0 ? writeAbsent(target, to) : copy(bytes, place, target, to)
}

function writeRaw(bytes: Buffer, isKept: boolean, target: Buffer, to: number): number {
  return isKept ? copyRange(bytes, 0, bytes.length, target, some(target, to)) : writeAbsent(target, to)
}

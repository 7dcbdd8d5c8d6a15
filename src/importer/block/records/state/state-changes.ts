import { type Fail, FieldReader } from '#src/domain/field-reader.ts'

/** Numbers of the states that tell of transactions; see schemas/protobuf/block-stream.proto. */
export const stateId = {
  accounts: 2,
  storage: 4,
  bytecode: 5,
  files: 6,
  tokens: 7,
  nodes: 20,
  topics: 21,
  pendingAirdrops: 25,
  hookStorage: 52,
  registeredNodes: 56,
} as const

/** A change of an entry of a state that is a map. */
export interface MapChange {
  readonly state: number
  /** Serialized value of the one field that the MapChangeKey has. */
  readonly key: Buffer
  /** The same of the MapChangeValue; undefined where the entry was deleted. */
  readonly value: Buffer | undefined
  /** The entry was written with the value that it had. */
  readonly identical: boolean
}

/** Reads the changes of maps in a serialized StateChanges, or those of one of them; all others are passed over. */
export function* mapChanges(
  stateChanges: Buffer,
  fail: Fail,
  onlyState?: number,
): Generator<MapChange, void, undefined> {
  const fields = new FieldReader(stateChanges, fail)
  while (fields.next()) {
    const change = fields.field === 2 ? readChange(fields.message(), onlyState) : undefined
    if (change) yield change
  }
}

function readChange(fields: FieldReader, onlyState: number | undefined): MapChange | undefined {
  let state = 0
  let update: FieldReader | undefined
  let isDeleted = false
  while (fields.next()) {
    if (fields.field === 1) state = fields.int32()
    else if (fields.field === 5 || fields.field === 6) {
      update = fields.message()
      isDeleted = fields.field === 6
    }
  }
  if (!update || (onlyState !== undefined && state !== onlyState)) return undefined
  const { key, value, identical } = readUpdate(update)
  return { state, key, value: isDeleted ? undefined : value, identical }
}

const empty = Buffer.alloc(0)

function readUpdate(fields: FieldReader): Omit<MapChange, 'state'> {
  let key: Buffer = empty
  let value: Buffer = empty
  let identical = false
  while (fields.next()) {
    if (fields.field === 1) key = choiceOf(fields.message())
    else if (fields.field === 2) value = choiceOf(fields.message())
    else if (fields.field === 3) identical = fields.int32() !== 0
  }
  return { key, value, identical }
}

/** Keys and values are a choice of one field, whose number says nothing that the state does not. */
function choiceOf(fields: FieldReader): Buffer {
  let choice: Buffer = empty
  while (fields.next()) choice = fields.bytes()
  return choice
}

import { evmAddressBytes, isLongZero } from '#src/domain/evm-address.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { MessageWriter } from '#src/importer/block/records/message-writer.ts'

/** A protobuf id of an account, contract, file, token or topic: all have the same numbers of fields. */
export interface MessageId {
  readonly shard: bigint
  readonly realm: bigint
  /** undefined: named by `alias`. */
  readonly number: bigint | undefined
  /** Of an account, or the EVM address of a contract. */
  readonly alias: Buffer | undefined
}

/** Undefined where the message is absent. Two that mean the same are equal, however they are written. */
export function readId(message: Buffer | undefined, fail: Fail): MessageId | undefined {
  if (message === undefined) return undefined
  const fields = new FieldReader(message, fail)
  let [shard, realm] = [0n, 0n]
  let number: bigint | undefined
  let alias: Buffer | undefined
  while (fields.next()) {
    if (fields.field === 1) shard = fields.int64()
    else if (fields.field === 2) realm = fields.int64()
    else if (fields.field === 3) number = fields.int64()
    else if (fields.field === 4) alias = fields.bytes()
  }
  return { shard, realm, number: number ?? (alias === undefined ? 0n : undefined), alias }
}

/** A key for maps, of an id with a number. */
export function idText({ shard, realm, number, alias }: MessageId): string {
  return `${shard}.${realm}.${number ?? alias?.toString('latin1')}`
}

const writer = new MessageWriter()

/** The id as the network writes it. */
export function writeId({ shard, realm, number, alias }: MessageId): Buffer {
  writer.number(1, shard)
  writer.number(2, realm)
  if (number !== undefined) writer.someNumber(3, number)
  writer.bytes(4, alias)
  return writer.finish()
}

/** With its number where the alias is an address that is made of it. */
export function numbered(id: MessageId): MessageId {
  const { number, alias } = id
  if (number !== undefined || alias?.length !== evmAddressBytes || !isLongZero(alias)) return id
  return { ...id, number: alias.readBigUInt64BE(12), alias: undefined }
}

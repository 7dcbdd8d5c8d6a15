import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { type MessageId, readId } from '#src/importer/block/records/ids.ts'

export interface AccountAmount {
  readonly account: MessageId
  readonly amount: bigint
}

export interface NftMovement {
  readonly sender: MessageId | undefined
  readonly receiver: MessageId | undefined
  readonly serialNumber: bigint
}

/** A TokenTransferList, of a result or of a body. */
export interface TransferList {
  readonly token: MessageId
  readonly amounts: readonly AccountAmount[]
  readonly nfts: readonly NftMovement[]
}

const noId: MessageId = { shard: 0n, realm: 0n, number: 0n, alias: undefined }

export function readTransferLists(lists: readonly Buffer[], fail: Fail): TransferList[] {
  return lists.map((list) => readTransferList(list, fail))
}

function readTransferList(list: Buffer, fail: Fail): TransferList {
  const fields = new FieldReader(list, fail)
  let token = noId
  const amounts: AccountAmount[] = []
  const nfts: NftMovement[] = []
  while (fields.next()) {
    if (fields.field === 1) token = readId(fields.bytes(), fail) ?? noId
    else if (fields.field === 2) amounts.push(readAmount(fields.message(), fail))
    else if (fields.field === 3) nfts.push(readNft(fields.message(), fail))
  }
  return { token, amounts, nfts }
}

function readAmount(fields: FieldReader, fail: Fail): AccountAmount {
  let account = noId
  let amount = 0n
  while (fields.next()) {
    if (fields.field === 1) account = readId(fields.bytes(), fail) ?? noId
    else if (fields.field === 2) amount = fields.sint64()
  }
  return { account, amount }
}

function readNft(fields: FieldReader, fail: Fail): NftMovement {
  let sender: MessageId | undefined
  let receiver: MessageId | undefined
  let serialNumber = 0n
  while (fields.next()) {
    if (fields.field === 1) sender = readId(fields.bytes(), fail)
    else if (fields.field === 2) receiver = readId(fields.bytes(), fail)
    else if (fields.field === 3) serialNumber = fields.int64()
  }
  return { sender, receiver, serialNumber }
}

import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import type { Drafting, KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'
import { readTransferLists } from '#src/importer/block/records/transfer-lists.ts'

/** Total supplies by token, as they were behind the transaction that is looked at. */
const supplies: StateView<Map<string, bigint>> = (context) => {
  const byToken = new Map<string, bigint>()
  for (const { value } of context.changesOf(stateId.tokens)) {
    if (value === undefined) continue
    const fields = new FieldReader(value, context.fail)
    let id: MessageId | undefined
    let supply = 0n
    while (fields.next()) {
      if (fields.field === 1) id = readId(fields.bytes(), context.fail)
      else if (fields.field === 5) supply = fields.int64()
    }
    if (id) byToken.set(idText(id), supply)
  }
  return byToken
}

const tokenField = 1

/** Where a body says by how much the supply changes: an amount, and NFTs, of which each counts one. */
interface SupplyFields {
  readonly amount: number
  /** Metadata of each, or their serial numbers. */
  readonly metadata?: number
  readonly serialNumbers?: number
  readonly sign: 1n | -1n
}

const mint: SupplyFields = { amount: 2, metadata: 3, sign: 1n }
const burn: SupplyFields = { amount: 2, serialNumbers: 3, sign: -1n }
const wipe: SupplyFields = { amount: 3, serialNumbers: 4, sign: -1n }

function changeSupply(
  { transaction, context, draft, fail, warn }: Drafting,
  fields: SupplyFields,
): MessageId | undefined {
  const { content } = transaction.body
  const token = readId(fieldValue(content, tokenField, fail), fail)
  const supply = token && takeSupply(context, token, fields.sign * changeIn(content, fields, fail))
  if (supply === undefined) warn('the total supply of the token')
  else draft.newTotalSupply = supply
  return token
}

function changeIn(content: Buffer, { amount, metadata, serialNumbers }: SupplyFields, fail: Fail): bigint {
  const fields = new FieldReader(content, fail)
  let change = 0n
  while (fields.next()) {
    if (fields.field === amount) change += fields.int64()
    else if (fields.field === metadata) change += 1n
    else if (fields.field === serialNumbers) change += BigInt(fields.numbersCount())
  }
  return change
}

export const tokenMint: KindOfRecord = (drafting) => {
  const token = changeSupply(drafting, mint)
  const { transaction, draft, fail } = drafting
  if (!token) return
  const minted = readTransferLists(transaction.result.tokenTransferLists, fail)
    .filter((list) => idText(list.token) === idText(token))
    .flatMap(({ nfts }) => nfts.map(({ serialNumber }) => serialNumber))
  if (minted.length > 0) draft.serialNumbers = minted.sort((a, b) => (a < b ? -1 : 1))
}

export const tokenBurn: KindOfRecord = (drafting) => void changeSupply(drafting, burn)
export const tokenWipe: KindOfRecord = (drafting) => void changeSupply(drafting, wipe)

/** Total supply of a token behind a transaction that changed it by so much; undefined where the state does not tell it. */
function takeSupply(context: StateContext, token: MessageId, change: bigint): bigint | undefined {
  const byToken = context.view(supplies)
  const supply = byToken.get(idText(token))
  if (supply !== undefined) byToken.set(idText(token), supply - change)
  return supply
}

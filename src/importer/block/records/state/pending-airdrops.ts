import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import { stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'

/** A fungible airdrop that waits for its receiver. */
export interface FungibleAirdrop {
  readonly sender: MessageId
  readonly receiver: MessageId
  readonly token: MessageId
}

function airdropText({ sender, receiver, token }: FungibleAirdrop): string {
  return `${idText(sender)} ${idText(receiver)} ${idText(token)}`
}

const amounts: StateView<Map<string, bigint>> = (context) => {
  const byAirdrop = new Map<string, bigint>()
  for (const { key, value } of context.changesOf(stateId.pendingAirdrops)) {
    const airdrop = value && readFungible(key, context.fail)
    if (airdrop) byAirdrop.set(airdropText(airdrop), amountOf(value, context.fail))
  }
  return byAirdrop
}

function readFungible(key: Buffer, fail: Fail): FungibleAirdrop | undefined {
  const fields = new FieldReader(key, fail)
  const ids: (MessageId | undefined)[] = []
  while (fields.next()) if (fields.field <= 3) ids[fields.field] = readId(fields.bytes(), fail)
  const [, sender, receiver, token] = ids
  return sender && receiver && token && { sender, receiver, token }
}

/** In an AccountPendingAirdrop: a PendingAirdropValue with the amount. */
function amountOf(value: Buffer, fail: Fail): bigint {
  const fields = new FieldReader(value, fail)
  let amount = 0n
  while (fields.next()) {
    if (fields.field !== 1) continue
    const inner = fields.message()
    while (inner.next()) if (inner.field === 1) amount = inner.int64()
  }
  return amount
}

/** How much waits behind a transaction that added so much; undefined where the state does not tell it. */
export function takeAmount(context: StateContext, airdrop: FungibleAirdrop, change: bigint): bigint | undefined {
  const byAirdrop = context.view(amounts)
  const text = airdropText(airdrop)
  const amount = byAirdrop.get(text)
  if (amount === undefined) return undefined
  if (change < amount) byAirdrop.set(text, amount - change)
  else byAirdrop.delete(text)
  return amount
}

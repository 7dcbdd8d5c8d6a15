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

interface PendingAirdrops {
  /** By sender, receiver and token. */
  readonly amounts: Map<string, bigint>
  /** By sender and token, and by token and serial number. */
  readonly receivers: ReadonlyMap<string, readonly MessageId[]>
  readonly receiversOfNfts: ReadonlyMap<string, MessageId>
}

function airdropText({ sender, receiver, token }: FungibleAirdrop): string {
  return `${idText(sender)} ${idText(receiver)} ${idText(token)}`
}

const givenText = (sender: MessageId, token: MessageId) => `${idText(sender)} ${idText(token)}`
const nftText = (token: MessageId, serialNumber: bigint) => `${idText(token)} ${serialNumber}`

const airdrops: StateView<PendingAirdrops> = (context) => {
  const { fail } = context
  const amounts = new Map<string, bigint>()
  const receivers = new Map<string, MessageId[]>()
  const receiversOfNfts = new Map<string, MessageId>()
  for (const { key, value } of context.changesOf(stateId.pendingAirdrops)) {
    if (value === undefined) continue
    const { sender, receiver, token, nft } = readKey(key, fail)
    if (!sender || !receiver) continue
    if (nft) receiversOfNfts.set(nft, receiver)
    if (!token) continue
    amounts.set(airdropText({ sender, receiver, token }), amountOf(value, fail))
    const text = givenText(sender, token)
    receivers.set(text, [...(receivers.get(text) ?? []), receiver])
  }
  return { amounts, receivers, receiversOfNfts }
}

/** A PendingAirdropId is of a fungible token or of an NFT. */
function readKey(key: Buffer, fail: Fail) {
  const fields = new FieldReader(key, fail)
  let sender: MessageId | undefined
  let receiver: MessageId | undefined
  let token: MessageId | undefined
  let nft: string | undefined
  while (fields.next()) {
    if (fields.field === 1) sender = readId(fields.bytes(), fail)
    else if (fields.field === 2) receiver = readId(fields.bytes(), fail)
    else if (fields.field === 3) token = readId(fields.bytes(), fail)
    else if (fields.field === 4) nft = readNft(fields.message(), fail)
  }
  return { sender, receiver, token, nft }
}

function readNft(fields: FieldReader, fail: Fail): string | undefined {
  let token: MessageId | undefined
  let serialNumber = 0n
  while (fields.next()) {
    if (fields.field === 1) token = readId(fields.bytes(), fail)
    else if (fields.field === 2) serialNumber = fields.int64()
  }
  return token && nftText(token, serialNumber)
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
  const { amounts } = context.view(airdrops)
  const text = airdropText(airdrop)
  const amount = amounts.get(text)
  if (amount === undefined) return undefined
  if (change < amount) amounts.set(text, amount - change)
  else amounts.delete(text)
  return amount
}

/** Accounts for which a sender's gift of a fungible token waits. */
export function waitingFor(context: StateContext, sender: MessageId, token: MessageId): readonly MessageId[] {
  return context.view(airdrops).receivers.get(givenText(sender, token)) ?? []
}

/** The account for which an NFT waits. */
export function nftWaitingFor(context: StateContext, token: MessageId, serialNumber: bigint): MessageId | undefined {
  return context.view(airdrops).receiversOfNfts.get(nftText(token, serialNumber))
}

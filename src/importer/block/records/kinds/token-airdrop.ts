import { fieldValues } from '#src/importer/block/records/field-values.ts'
import { idText, type MessageId, numbered, writeId } from '#src/importer/block/records/ids.ts'
import { MessageWriter } from '#src/importer/block/records/message-writer.ts'
import type { Drafting, KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { accountOfAlias } from '#src/importer/block/records/state/accounts.ts'
import { nftWaitingFor, takeAmount, waitingFor } from '#src/importer/block/records/state/pending-airdrops.ts'
import { readTransferLists, type TransferList } from '#src/importer/block/records/transfer-lists.ts'

const transfersField = 1
const writer = new MessageWriter()

/** Whatever the body gives and the result does not show as received waits for its receiver. */
export const tokenAirdrop: KindOfRecord = (drafting) => {
  const { transaction, draft, fail } = drafting
  const received = receivedIn(readTransferLists(transaction.result.tokenTransferLists, fail))
  const asked = readTransferLists(fieldValues(transaction.body.content, transfersField, fail), fail)
  const records = asked.flatMap((list) => [
    ...fungibleRecords(list, received, drafting),
    ...nftRecords(list, received, drafting),
  ])
  if (records.length > 0) draft.newPendingAirdrops = records
}

type Received = ReadonlySet<string>

const pairText = (token: MessageId, account: MessageId) => `${idText(token)} ${idText(account)}`

function receivedIn(lists: readonly TransferList[]): Received {
  return new Set(
    lists.flatMap(({ token, amounts, nfts }) => [
      ...amounts.filter(({ amount }) => amount > 0n).map(({ account }) => pairText(token, account)),
      ...nfts.flatMap(({ receiver }) => (receiver ? [pairText(token, receiver)] : [])),
    ]),
  )
}

/** Somebody may be named by an alias, which the state knows where the account has changed. */
function resolved(id: MessageId, { context }: Drafting): MessageId {
  const plain = numbered(id)
  return (plain.alias && accountOfAlias(context, plain.alias)) || plain
}

function fungibleRecords({ token, amounts }: TransferList, received: Received, drafting: Drafting): Buffer[] {
  const from = amounts.findLast(({ amount }) => amount < 0n)
  if (!from) return []
  const { context, warn } = drafting
  const sender = resolved(from.account, drafting)
  const given = amounts
    .filter(({ amount }) => amount >= 0n)
    .map(({ account, amount }) => ({ receiver: resolved(account, drafting), amount }))
  const named = new Set(given.map(({ receiver }) => idText(receiver)))
  const others = waitingFor(context, sender, token).filter((account) => !named.has(idText(account)))
  return given.flatMap(({ receiver: known, amount }) => {
    // Nothing of an account changes that has an alias and waits: then it is one of those that wait under a number that nobody has named.
    const receiver = known.alias ? others.shift() : known
    if (!receiver || received.has(pairText(token, receiver))) return []
    const pending = takeAmount(context, { sender, receiver, token }, amount)
    if (pending === undefined) warn('how much of a token waits for its receiver')
    return [airdropRecord({ sender, receiver, token: writeId(token), amount: pending ?? amount })]
  })
}

function nftRecords({ token, nfts }: TransferList, received: Received, drafting: Drafting): Buffer[] {
  return nfts.flatMap(({ sender, receiver, serialNumber }) => {
    const known = receiver && resolved(receiver, drafting)
    const to = known?.alias ? nftWaitingFor(drafting.context, token, serialNumber) : known
    if (!to || !sender || received.has(pairText(token, to))) return []
    return [airdropRecord({ sender: resolved(sender, drafting), receiver: to, nft: writeNft(token, serialNumber) })]
  })
}

function writeNft(token: MessageId, serialNumber: bigint): Buffer {
  writer.message(1, writeId(token))
  writer.number(2, serialNumber)
  return writer.finish()
}

interface AirdropFields {
  readonly sender: MessageId
  readonly receiver: MessageId
  /** Serialized TokenID with an amount, or serialized NftID. */
  readonly token?: Buffer
  readonly amount?: bigint
  readonly nft?: Buffer
}

/** A PendingAirdropRecord: an id of sender, receiver and token, and how much of a fungible one. */
function airdropRecord({ sender, receiver, token, amount, nft }: AirdropFields): Buffer {
  writer.nested(1, () => {
    writer.message(1, writeId(sender))
    writer.message(2, writeId(receiver))
    writer.message(3, token)
    writer.message(4, nft)
  })
  if (amount !== undefined) writer.nested(2, () => writer.number(1, amount))
  return writer.finish()
}

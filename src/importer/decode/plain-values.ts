import { maxNumber } from '#src/domain/entity-id.ts'
import { type LedgerTime, ledgerTimeOf } from '#src/domain/ledger-time.ts'
import {
  copyInt64,
  copyZigzag,
  notPlain,
  numberAt,
  skipBytes,
  skipVarint,
  startOf,
  writeNumber,
} from '#src/events/transcode/wire-values.ts'
import type { PlainFields } from '#src/importer/decode/plain-fields.ts'

// Parts of the head of an event, read from the bytes of a transaction. A tag holds field number and wire type.
const shardTag = 8
const realmTag = 16
const numberTag = 24
const largestNumber = Number(maxNumber)

/** The encoded id of an account, token or topic of shard 0 and realm 0; 0 when it is absent or says no number. */
export function idIn(fields: PlainFields, id: number): number {
  const place = fields.places[id]!
  return place === 0 ? 0 : idAt(fields.bytes, place)
}

/** The same of the id at a place. */
export function idAt(bytes: Buffer, place: number): number {
  const end = skipBytes(bytes, place)
  let at = startOf(bytes, place)
  let number = 0
  while (at < end) {
    const tag = bytes[at++]
    if (tag === numberTag) number = numberAt(bytes, at)
    else if ((tag !== shardTag && tag !== realmTag) || bytes[at] !== 0) throw notPlain
    at = skipVarint(bytes, at)
  }
  if (at !== end || number > largestNumber) throw notPlain
  return number
}

const secondsTag = 8
const nanosTag = 16

/** Nanoseconds of a Timestamp; undefined when it is absent. */
export function timeIn(fields: PlainFields, id: number): LedgerTime | undefined {
  const place = fields.places[id]!
  if (place === 0) return undefined
  const { bytes } = fields
  const end = skipBytes(bytes, place)
  let at = startOf(bytes, place)
  let seconds = 0
  let nanos = 0
  while (at < end) {
    const tag = bytes[at++]
    if (tag === secondsTag) seconds = numberAt(bytes, at)
    else if (tag === nanosTag) nanos = numberAt(bytes, at)
    else throw notPlain
    at = skipVarint(bytes, at)
  }
  if (at !== end || seconds > 0xffff_ffff || nanos > 0x7fff_ffff) throw notPlain
  return ledgerTimeOf(seconds, nanos)
}

const wireBytes = 2
const itemTag = 10
const accountTag = 10
const amountTag = 16
const approvalTag = 24
const nftApprovalTag = 32

/** The number of items in a list message, which has one repeated field of messages, its first. */
export function countItems(bytes: Buffer, start: number, end: number): number {
  let count = 0
  let at = start
  for (; at < end; count++) {
    if (bytes[at] !== itemTag) throw notPlain
    at = skipBytes(bytes, at + 1)
  }
  if (at !== end) throw notPlain
  return count
}

/** The movements of hbar in a TransferList of a record, none of them by allowance. */
export function writeTransfers(bytes: Buffer, place: number, target: Buffer, to: number): number {
  let next = startOf(bytes, place)
  const end = skipBytes(bytes, place)
  const count = countItems(bytes, next, end)
  if (count > 0) to = writeNumber(count, target, to)
  while (next < end) {
    to = writeMovement(bytes, next + 1, target, to)
    next = skipBytes(bytes, next + 1)
    // Neither by allowance nor corrected.
    target[to++] = 0
    target[to++] = 0
  }
  target[to++] = 0
  return to
}

const tokenTag = 10
const tokenTransfersTag = 18
const nftTransfersTag = 26
/** Of the lists in a record and in the body of a transfer. */
const recordListTag = 90
const bodyListTag = 18

/** The movements of fungible tokens in the lists of a record that begin at a place, none of them by allowance. */
export function writeTokenTransfers(bytes: Buffer, place: number, target: Buffer, to: number): number {
  return writeLists(tokenTransfersTag, bytes, place, target, to)
}

/** The same of NFTs. */
export function writeNftTransfers(bytes: Buffer, place: number, target: Buffer, to: number): number {
  return writeLists(nftTransfersTag, bytes, place, target, to)
}

/** Of the movements in lists those with this tag. */
function writeLists(tag: number, bytes: Buffer, place: number, target: Buffer, to: number): number {
  let count = 0
  for (let list = place; list !== 0; list = nextList(bytes, list, recordListTag, bytes.length))
    count += countMovements(tag, bytes, list)
  if (count > 0) {
    to = writeNumber(count, target, to)
    for (let list = place; list !== 0; list = nextList(bytes, list, recordListTag, bytes.length))
      to = writeTokenList(tag, bytes, list, target, to)
  }
  target[to++] = 0
  return to
}

/** The place of the next list; 0 behind the last one in a message that ends at `limit`. */
export function nextList(bytes: Buffer, place: number, tag: number, limit: number): number {
  const end = skipBytes(bytes, place)
  return end < limit && bytes[end] === tag ? end + 1 : 0
}

function countMovements(wanted: number, bytes: Buffer, place: number): number {
  const end = skipBytes(bytes, place)
  let count = 0
  let at = startOf(bytes, place)
  while (at < end) {
    const tag = bytes[at]
    if (tag === wanted) count++
    else if (tag !== tokenTag && tag !== tokenTransfersTag && tag !== nftTransfersTag) throw notPlain
    at = skipBytes(bytes, at + 1)
  }
  if (at !== end) throw notPlain
  return count
}

function writeTokenList(wanted: number, bytes: Buffer, place: number, target: Buffer, to: number): number {
  const end = skipBytes(bytes, place)
  const start = startOf(bytes, place)
  let token = 0
  for (let at = start; at < end; at = skipBytes(bytes, at + 1)) {
    if (bytes[at] === tokenTag) token = idAt(bytes, at + 1)
  }
  for (let at = start; at < end; at = skipBytes(bytes, at + 1)) {
    if (bytes[at] !== wanted) continue
    to = writeNumber(token, target, to)
    to = wanted === nftTransfersTag ? writeNft(bytes, at + 1, target, to) : writeMovement(bytes, at + 1, target, to)
    target[to++] = 0
  }
  return to
}

/** Account and amount of an AccountAmount. */
function writeMovement(bytes: Buffer, place: number, target: Buffer, to: number): number {
  const end = skipBytes(bytes, place)
  let at = startOf(bytes, place)
  let account = 0
  let amount = 0
  while (at < end) {
    const tag = bytes[at++]
    if (tag === accountTag) account = idAt(bytes, at)
    else if (tag === amountTag) amount = at
    else if (tag !== approvalTag) throw notPlain
    at = tag === accountTag ? skipBytes(bytes, at) : skipVarint(bytes, at)
  }
  if (at !== end) throw notPlain
  to = writeNumber(account, target, to)
  if (amount !== 0) return copyZigzag(bytes, amount, target, to)
  target[to++] = 0
  return to
}

const senderTag = 10
const receiverTag = 18
const serialTag = 24

/** Serial number, sender and receiver of an NftTransfer. */
function writeNft(bytes: Buffer, place: number, target: Buffer, to: number): number {
  const end = skipBytes(bytes, place)
  let at = startOf(bytes, place)
  let [sender, receiver, serial] = [0, 0, 0]
  while (at < end) {
    const tag = bytes[at++]
    if (tag === senderTag) sender = idAt(bytes, at)
    else if (tag === receiverTag) receiver = idAt(bytes, at)
    else if (tag === serialTag) serial = at
    else throw notPlain
    at = tag === serialTag ? skipVarint(bytes, at) : skipBytes(bytes, at)
  }
  if (at !== end) throw notPlain
  to = serial === 0 ? writeNone(target, to) : copyInt64(bytes, serial, target, to)
  return writeSomeId(receiver, target, writeSomeId(sender, target, to))
}

/** An optional id; 0 is none. */
export function writeSomeId(id: number, target: Buffer, to: number): number {
  if (id === 0) return writeNone(target, to)
  target[to] = 2
  return writeNumber(id, target, to + 1)
}

function writeNone(target: Buffer, to: number): number {
  target[to] = 0
  return to + 1
}

/** Throws where an entry of a TransferList in a body is by allowance. */
export function assertNoApproval(bytes: Buffer, place: number): void {
  assertNoneIn(bytes, place, itemTag)
}

/** The same for the lists of tokens that begin at a place, in a body that ends at `limit`. */
export function assertNoTokenApproval(bytes: Buffer, place: number, limit: number): void {
  for (let list = place; list !== 0; list = nextList(bytes, list, bodyListTag, limit)) {
    assertNoneIn(bytes, list, tokenTransfersTag)
    assertNoneIn(bytes, list, nftTransfersTag)
  }
}

/** Looks into the entries that have this tag. */
function assertNoneIn(bytes: Buffer, place: number, entryTag: number): void {
  const approval = entryTag === nftTransfersTag ? nftApprovalTag : approvalTag
  const end = skipBytes(bytes, place)
  for (let next = startOf(bytes, place); next < end; ) {
    const entryEnd = skipBytes(bytes, next + 1)
    let at = bytes[next] === entryTag ? startOf(bytes, next + 1) : entryEnd
    while (at < entryEnd) {
      const tag = bytes[at++]!
      if (tag === approval && bytes[at] !== 0) throw notPlain
      at = (tag & 7) === wireBytes ? skipBytes(bytes, at) : skipVarint(bytes, at)
    }
    next = entryEnd
  }
}

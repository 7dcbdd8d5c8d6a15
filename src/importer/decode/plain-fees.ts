import { copyInt64, notPlain, skipBytes, skipVarint, startOf, writeNumber } from '#src/events/transcode/wire-values.ts'
import { idAt, nextList, writeSomeId } from '#src/importer/decode/plain-values.ts'

/** Of an AssessedCustomFee in a record, and of its fields. */
const feeTag = 106
const amountTag = 8
const tokenTag = 18
const collectorTag = 26
const payerTag = 34

/** The custom fees in a record, from a place on. */
export function writeCustomFees(bytes: Buffer, place: number, target: Buffer, to: number): number {
  let count = 0
  for (let fee = place; fee !== 0; fee = nextList(bytes, fee, feeTag, bytes.length)) count++
  to = writeNumber(count, target, to)
  for (let fee = place; fee !== 0; fee = nextList(bytes, fee, feeTag, bytes.length))
    to = writeCustomFee(bytes, fee, target, to)
  target[to++] = 0
  return to
}

/** Amount, collector, token and payers. */
function writeCustomFee(bytes: Buffer, place: number, target: Buffer, to: number): number {
  const end = skipBytes(bytes, place)
  const start = startOf(bytes, place)
  let [amount, token, collector, payers] = [0, 0, 0, 0]
  let at = start
  while (at < end) {
    const tag = bytes[at++]
    if (tag === amountTag) amount = at
    else if (tag === tokenTag) token = idAt(bytes, at)
    else if (tag === collectorTag) collector = idAt(bytes, at)
    else if (tag === payerTag) payers++
    else throw notPlain
    at = tag === amountTag ? skipVarint(bytes, at) : skipBytes(bytes, at)
  }
  if (at !== end) throw notPlain
  if (amount === 0) target[to++] = 0
  else to = copyInt64(bytes, amount, target, to)
  to = writeSomeId(token, target, writeSomeId(collector, target, to))
  return writePayers(payers, bytes, start, end, target, to)
}

function writePayers(count: number, bytes: Buffer, start: number, end: number, target: Buffer, to: number): number {
  if (count > 0) to = writeNumber(count, target, to)
  for (let at = start; at < end; ) {
    const tag = bytes[at++]
    if (tag === payerTag) to = writeNumber(idAt(bytes, at), target, to)
    at = tag === amountTag ? skipVarint(bytes, at) : skipBytes(bytes, at)
  }
  target[to++] = 0
  return to
}

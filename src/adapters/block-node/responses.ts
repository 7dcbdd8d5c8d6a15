import { allOnes } from '#src/adapters/block-node/requests.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { BlockRange } from '#src/ports/block-node.ts'

/** What a message of a stream says. */
export type StreamMessage =
  | { readonly kind: 'items'; readonly set: Buffer }
  | { readonly kind: 'end'; readonly number: bigint }
  | { readonly kind: 'status'; readonly code: number }

export interface BlockAnswer {
  readonly code: number
  /** A serialized Block. */
  readonly block: Buffer | undefined
}

export const success = 1
/** Codes of a BlockResponse for a block that is not there. */
export const blockMissing: ReadonlySet<number> = new Set([4, 5])

const subscribeCodes = [
  'unknown',
  'success',
  'invalid request',
  'error',
  'invalid start',
  'invalid end',
  'not available',
]
const blockCodes = ['unknown', 'success', 'invalid request', 'error', 'not found', 'not available']
const rangesMax = 1_000

export function subscribeCodeText(code: number): string {
  return `${code} (${subscribeCodes[code] ?? 'not known'})`
}

export function blockCodeText(code: number): string {
  return `${code} (${blockCodes[code] ?? 'not known'})`
}

/** A SubscribeStreamResponse. Fields that a later version may add are passed over. */
export function readStreamMessage(bytes: Buffer, fail: Fail): StreamMessage {
  const fields = new FieldReader(bytes, fail)
  let message: StreamMessage | undefined
  while (fields.next()) {
    if (fields.field > 3) continue
    if (message) throw fail('a message of a stream says two things')
    if (fields.field === 1) message = { kind: 'status', code: fields.int32() }
    else if (fields.field === 2) message = { kind: 'items', set: fields.bytes() }
    else message = { kind: 'end', number: readNumber(fields.message()) }
  }
  if (message) return message
  throw fail('a message of a stream is of no known kind')
}

function readNumber(fields: FieldReader): bigint {
  let number = 0n
  while (fields.next()) if (fields.field === 1) number = unsigned(fields)
  return number
}

/** A BlockResponse. */
export function readBlockAnswer(bytes: Buffer, fail: Fail): BlockAnswer {
  const fields = new FieldReader(bytes, fail)
  let code = 0
  let block: Buffer | undefined
  while (fields.next()) {
    if (fields.field === 1) code = fields.int32()
    else if (fields.field === 2) block = fields.bytes()
  }
  return { code, block }
}

/** A ServerStatusResponse. */
export function readStatus(bytes: Buffer, fail: Fail): BlockRange[] {
  const fields = new FieldReader(bytes, fail)
  let first = 0n
  let last = 0n
  while (fields.next()) {
    if (fields.field === 1) first = unsigned(fields)
    else if (fields.field === 2) last = unsigned(fields)
  }
  return rangesOf([{ first, last }], fail)
}

/** A ServerStatusDetailResponse; of it only what can be asked for. */
export function readStatusDetail(bytes: Buffer, fail: Fail): BlockRange[] {
  const fields = new FieldReader(bytes, fail)
  const ranges: BlockRange[] = []
  while (fields.next()) {
    if (fields.field !== 2) continue
    if (ranges.length === rangesMax) throw fail(`it names more than ${rangesMax} ranges of blocks`)
    ranges.push(readRange(fields.message()))
  }
  return rangesOf(ranges, fail)
}

function readRange(fields: FieldReader): BlockRange {
  let first = 0n
  let last = 0n
  while (fields.next()) {
    if (fields.field === 1) first = unsigned(fields)
    else if (fields.field === 2) last = unsigned(fields)
  }
  return { first, last }
}

function rangesOf(ranges: readonly BlockRange[], fail: Fail): BlockRange[] {
  const present = ranges.filter(({ first, last }) => first !== allOnes && last !== allOnes)
  for (const { first, last } of present) if (first > last) throw fail(`it names blocks from ${first} to ${last}`)
  return present.sort((a, b) => (a.first < b.first ? -1 : 1))
}

function unsigned(fields: FieldReader): bigint {
  return BigInt.asUintN(64, fields.int64())
}

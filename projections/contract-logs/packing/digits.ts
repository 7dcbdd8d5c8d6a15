import { addressBitsOf, bloomDigitsOf, fewBitsIn, longZeroBitsOf, setBits, topicBitsOf } from '#src/domain/log-bloom.ts'

/** Topics, as hex digits without leading zero bytes; null what the log has not. Empty stands for nobody. */
export type Topics = readonly [string | null, string | null, string | null, string | null]

/** What a row of a log has as hex digits. */
export interface LogDigits {
  /** Packed by packRecordedBloom or packSyntheticBloom. */
  readonly bloom: string
  /** 32 bytes as the EVM knows the transaction: its Ethereum hash, else the first part of its hash. */
  readonly transactionHash: string | null
  readonly topics: Topics
  readonly data: string
}

/** Lengths of all parts but the last, each as one character: this one for what is absent, the next one for what is empty. */
const absent = 0x30
const headLength = 6

/**
 * One text, since a value of bytes costs a reader four times as much as a text: the lengths, the bloom, the hash, the four
 * topics, the data.
 */
export function packDigits({ bloom, transactionHash, topics, data }: LogDigits): string {
  const [t0, t1, t2, t3] = topics
  const head = String.fromCharCode(
    codeOf(bloom),
    codeOf(transactionHash),
    codeOf(t0),
    codeOf(t1),
    codeOf(t2),
    codeOf(t3),
  )
  return `${head}${bloom}${transactionHash ?? ''}${t0 ?? ''}${t1 ?? ''}${t2 ?? ''}${t3 ?? ''}${data}`
}

function codeOf(part: string | null): number {
  return part === null ? absent : absent + 1 + part.length
}

export function unpackDigits(packed: string): LogDigits {
  let end = headLength
  const next = (place: number): string | null => {
    const code = packed.charCodeAt(place)
    if (code === absent) return null
    const start = end
    end += code - absent - 1
    return packed.slice(start, end)
  }
  const bloom = next(0) ?? ''
  const transactionHash = next(1)
  const topics = [next(2), next(3), next(4), next(5)] as const
  return { bloom, transactionHash, topics, data: packed.slice(end) }
}

/** What the text of a filter begins with. */
const form = {
  /** It was recorded, and its bits follow. */
  recorded: '=',
  /** It was recorded, and its hex digits follow: it is none that a log has. */
  recordedDigits: '#',
  /** It follows from address and topics, and the bits of the topics do: the address may become known later. */
  synthetic: '+',
  /** The same, and all bits follow: its address is that of a token, for which its number stands. */
  syntheticOfToken: '*',
} as const

/** The filter that was recorded with a log. */
export function packRecordedBloom(bloom: Buffer): string {
  const bits = fewBitsIn(bloom)
  return bits === undefined ? form.recordedDigits + bloom.toString('hex') : form.recorded + bits
}

/** The filter of a log that was recorded without one; `token` where a token logs it. */
export function packSyntheticBloom(topics: Topics, token?: bigint): string {
  let bits: string = token === undefined ? form.synthetic : form.syntheticOfToken + longZeroBitsOf(token)
  for (const topic of topics) if (topic !== null) bits += topicBitsOf(topic)
  return bits
}

/** Whether the address of a log is what the number of its contract stands for, whatever is known of that. */
export function isOfToken(packed: string): boolean {
  return packed[headLength] === form.syntheticOfToken
}

/** Adds a log's filter that was recorded without to another one; `address` as hex digits. */
export function addSyntheticBloom(bloom: Uint8Array, packed: string, address: string): void {
  setBits(bloom, packed, 1)
  if (packed[0] === form.synthetic) setBits(bloom, addressBitsOf(address))
}

/** A filter as hex digits, of a log with this address. */
export function bloomDigits(packed: string, address: string): string {
  if (packed[0] === form.recordedDigits) return packed.slice(1)
  return bloomDigitsOf(packed, 1, packed[0] === form.synthetic ? addressBitsOf(address) : '')
}

/** One call that a contract makes. */
export interface SequenceCall {
  readonly to: bigint
  readonly data: Uint8Array
  /** tinybar. */
  readonly value?: bigint
}

const word = (value: number | bigint, bytes: number): string => value.toString(16).padStart(2 * bytes, '0')
const push = (value: number | bigint, bytes: number): string => `${(0x5f + bytes).toString(16)}${word(value, bytes)}`

const op = { gas: '5a', call: 'f1', copyCode: '39', returnSize: '3d', copyReturned: '3e', store: '52', return: 'f3' }
const wordBytes = 32

/** Code (hex) that makes calls one after the other, and returns whether the last went well and then what it returned. */
export function sequenceCode(calls: readonly SequenceCall[]): string {
  const bytesOf = ({ data }: SequenceCall): string => Buffer.from(data).toString('hex')
  const part = (call: SequenceCall, at: number): string => {
    const size = bytesOf(call).length / 2
    const copy = push(size, 2) + push(at, 2) + push(0, 1) + op.copyCode
    const target = push(call.value ?? 0n, 16) + push(call.to, 20) + op.gas
    return `${copy}${push(0, 1)}${push(0, 1)}${push(size, 2)}${push(0, 1)}${target}${op.call}${push(0, 1)}${op.store}`
  }
  const end =
    op.returnSize +
    push(0, 1) +
    push(wordBytes, 1) +
    op.copyReturned +
    op.returnSize +
    push(wordBytes, 1) +
    '01' +
    push(0, 1) +
    op.return
  const length = calls.reduce((sum, call) => sum + part(call, 0).length, end.length) / 2
  let at = length
  const parts = calls.map((call) => {
    const text = part(call, at)
    at += bytesOf(call).length / 2
    return text
  })
  return [...parts, end, ...calls.map(bytesOf)].join('')
}

import type { CallResult } from '#src/evm/call-request.ts'

const empty = new Uint8Array(0)
const errorSelector = '08c379a0'
const wordBytes = 32

/** Refused before the EVM begins. */
export function refused(response: string, detail = ''): CallResult {
  return { response, output: empty, data: '', detail, gasUsed: 0n, failedChildren: [] }
}

/** Refused before the EVM begins, by who handles the transaction: the name of the response stands in `data`. */
export function stopped(response: string): CallResult {
  return { ...refused(response), data: `0x${Buffer.from(response).toString('hex')}` }
}

/** The text of a standard `Error(string)`; empty for any other revert. */
export function revertText(output: Uint8Array): string {
  const bytes = Buffer.from(output)
  if (bytes.length < 4 + 2 * wordBytes || bytes.toString('hex', 0, 4) !== errorSelector) return ''
  const body = bytes.subarray(4)
  const offset = lengthAt(body, 0)
  const length = lengthAt(body, offset)
  const start = offset + wordBytes
  return start + length > body.length ? '' : body.toString('utf8', start, start + length)
}

function lengthAt(bytes: Buffer, offset: number): number {
  const word = bytes.subarray(offset, offset + wordBytes)
  const value = word.length < wordBytes ? 0n : BigInt(`0x${word.toString('hex')}`)
  return value > BigInt(bytes.length) ? bytes.length : Number(value)
}

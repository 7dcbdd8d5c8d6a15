import { responseCodeName } from '#src/domain/response-codes.ts'

const errorSelector = Buffer.from('08c379a0', 'hex')
const wordBytes = 32
/** Recorded numbers of responses are no longer. */
const numberBytesMax = 4

/**
 * The reason that the network recorded for a system contract, as a contract would tell it: `Error(string)` with the name of the
 * response, or with the text.
 */
export function revertReason(recorded: Uint8Array): Uint8Array {
  const bytes = Buffer.from(recorded)
  if (bytes.every((byte) => byte === 0)) return new Uint8Array(0)
  if (bytes.subarray(0, errorSelector.length).equals(errorSelector)) return bytes
  const digits = bytes.subarray(bytes.findIndex((byte) => byte !== 0))
  const name = digits.length <= numberBytesMax ? responseCodeName(digits.readUIntBE(0, digits.length)) : undefined
  return errorBytes(name === undefined || /^\d*$/.test(name) ? bytes : Buffer.from(name))
}

function errorBytes(text: Buffer): Uint8Array {
  const length = Math.ceil(text.length / wordBytes) * wordBytes
  const head = Buffer.alloc(2 * wordBytes)
  head.writeUInt32BE(wordBytes, wordBytes - 4)
  head.writeUInt32BE(text.length, 2 * wordBytes - 4)
  return Buffer.concat([errorSelector, head, text, Buffer.alloc(length - text.length)])
}

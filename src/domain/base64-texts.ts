import { asBuffer } from '#src/domain/bytes.ts'

/** More bytes than a page of the longest messages has. */
const together = Buffer.allocUnsafeSlow(131_072)

/** Bytes of a group, which becomes four characters. */
const groupBytes = 3

/**
 * Base64 of several values; an empty text of null. They are made by one conversion of all of them, since one costs as much as
 * some 500 bytes in it.
 */
export function base64Texts(values: readonly (Uint8Array | null)[]): string[] {
  let end = 0
  for (const value of values) if (value !== null) end += groupsOf(value) * groupBytes
  if (end > together.length) return values.map((value) => (value === null ? '' : asBuffer(value).toString('base64')))
  end = 0
  for (const value of values) {
    if (value === null || value.length === 0) continue
    const next = end + groupsOf(value) * groupBytes
    together.set(value, end)
    together.fill(0, end + value.length, next)
    end = next
  }
  const text = together.toString('base64', 0, end)
  let at = 0
  return values.map((value) => {
    if (value === null || value.length === 0) return ''
    const groups = groupsOf(value)
    const absent = groups * groupBytes - value.length
    const from = at
    at += groups * 4
    // What the zeros of a last group became is the padding.
    return absent === 0 ? text.slice(from, at) : text.slice(from, at - absent) + '=='.slice(0, absent)
  })
}

function groupsOf({ length }: Uint8Array): number {
  return Math.ceil(length / groupBytes)
}

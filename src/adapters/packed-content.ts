import { gunzipSync, gzipSync } from 'node:zlib'
import { LedgerError } from '#src/domain/errors.ts'
import { type ContentHash, contentHashOf } from '#src/ports/content-store.ts'

/** Source texts take a quarter of their length so. */
export function packContent(text: string): Buffer {
  return gzipSync(text, { level: 6 })
}

/** Throws `decisions_damaged` where it is not the text of that hash. */
export function unpackContent(hash: ContentHash, packed: Uint8Array): string {
  let text: string | undefined
  try {
    text = gunzipSync(packed).toString('utf8')
  } catch {
    // What cannot be unpacked has no hash either.
  }
  if (text !== undefined && contentHashOf(text) === hash) return text
  const message = `The text ${hash} is not the one that was written; restore it, or verify the contract again`
  throw new LedgerError('decisions_damaged', message, { hash })
}

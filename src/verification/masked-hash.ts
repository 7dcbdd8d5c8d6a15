import { createHash } from 'node:crypto'
import type { CodeRange } from '#src/verification/outcome.ts'

/** sha256 of a code in which zeros stand for the bytes of the ranges, as hex digits: the same for all clones of a contract. */
export function maskedHash(code: Uint8Array, varying: readonly CodeRange[]): string {
  const masked = Buffer.from(code)
  for (const { start, length } of varying) masked.fill(0, start, start + length)
  return createHash('sha256').update(masked).digest('hex')
}

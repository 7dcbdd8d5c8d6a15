import { type Posting, postingBytes, postingOffset, writePosting } from '#projections/transactions/postings.ts'
import { asBuffer } from '#src/domain/bytes.ts'

/** A posting list as the fold packs it. */
export function encodePostings(postings: readonly Posting[]): Buffer {
  const target = Buffer.alloc(postings.length * postingBytes)
  for (const [index, posting] of postings.entries()) writePosting(target, index * postingBytes, posting)
  return target
}

export function decodePostings(bytes: Uint8Array): Posting[] {
  const source = asBuffer(bytes)
  return Array.from({ length: source.length / postingBytes }, (_, index) => {
    const start = index * postingBytes
    return {
      consensusTimestamp: source.readBigInt64BE(start),
      type: source.readUInt16BE(start + postingOffset.type),
      flags: source.readUInt8(start + postingOffset.flags),
      success: source.readUInt8(start + postingOffset.success) === 1,
    }
  })
}

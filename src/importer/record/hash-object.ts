import type { Fail } from '#src/domain/field-reader.ts'
import type { ByteReader } from '#src/importer/record/byte-reader.ts'
import { hashBytes } from '#src/importer/record/hash.ts'

export const sha384DigestType = 0x58ff811b

/** Reads the wrapped hash of the version 5 formats. Class id and version are not checked, as the network's own readers do. */
export function readHashObject(reader: ByteReader, what: string, fail: Fail): Buffer {
  reader.uint64(`the class id of ${what}`)
  reader.int32(`the class version of ${what}`)
  const digestType = reader.int32(`the digest type of ${what}`)
  if (digestType !== sha384DigestType) throw fail(`the digest type ${digestType} of ${what} is not SHA-384`)
  const length = reader.int32(`the length of ${what}`)
  if (length !== hashBytes) throw fail(`the length ${length} of ${what} is not ${hashBytes}`)
  return reader.slice(length, what)
}

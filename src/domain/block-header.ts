import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { type Fail, FieldReader, wireBytes } from '#src/domain/field-reader.ts'
import type { LedgerTime } from '#src/domain/ledger-time.ts'
import type { SemanticVersion } from '#src/domain/semantic-version.ts'
import { timestampOf } from '#src/domain/timestamp-message.ts'
import { readVersion } from '#src/domain/version-message.ts'

/** What a block says of itself, before anything of it is proved. */
export interface BlockHeader {
  readonly hapiVersion: SemanticVersion
  readonly softwareVersion: SemanticVersion
  readonly number: bigint
  /** ns */
  readonly time: LedgerTime
  /** The serialized Timestamp, which takes part in the block's hash as it is. */
  readonly timestamp: Buffer
}

const headerItem = 1
/** SHA2_384; the only one that there is. */
const sha384Algorithm = 0
const noVersion: SemanticVersion = { major: 0, minor: 0, patch: 0 }
const malformed = (reason: string) => new LedgerError('file_malformed', `The header of a block is malformed: ${reason}`)

/** Reads a serialized BlockHeader; throws what `fail` makes of what is wrong with it. */
export function readBlockHeader(content: Buffer, fail: Fail): BlockHeader {
  const fields = new FieldReader(content, fail)
  let [hapiVersion, softwareVersion] = [noVersion, noVersion]
  let number = 0n
  let timestamp: Buffer | undefined
  let time = 0n as LedgerTime
  while (fields.next()) {
    if (fields.field === 1) hapiVersion = readVersion(fields.message())
    else if (fields.field === 2) softwareVersion = readVersion(fields.message())
    else if (fields.field === 3) number = fields.int64()
    else if (fields.field === 4) {
      timestamp = fields.bytes()
      time = timestampOf(fields.message())
    } else if (fields.field === 5 && fields.int32() !== sha384Algorithm)
      throw fail(
        `its hashes are of the algorithm ${fields.int32()}; only SHA-384, which is ${sha384Algorithm}, is known`,
      )
  }
  if (timestamp === undefined) throw fail('its header has no time')
  if (number < 0n) throw fail(`its number ${BigInt.asUintN(64, number)} is out of range`)
  return { hapiVersion, softwareVersion, number, time, timestamp }
}

/** The header in the first item of a serialized Block, or of its first piece; undefined where there is none that can be read. */
export function findBlockHeader(block: Buffer): BlockHeader | undefined {
  try {
    const items = new FieldReader(block, malformed)
    if (!items.next() || items.wire !== wireBytes) return undefined
    const item = items.message()
    if (!item.next() || item.field !== headerItem || item.wire !== wireBytes) return undefined
    return readBlockHeader(item.bytes(), malformed)
  } catch (error) {
    if (isLedgerError(error)) return undefined
    throw error
  }
}

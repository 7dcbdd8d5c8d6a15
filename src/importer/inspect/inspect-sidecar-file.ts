import { FieldReader } from '#src/domain/field-reader.ts'
import { timestampOf } from '#src/domain/timestamp-message.ts'
import { type Counts, countsOf } from '#src/importer/inspect/transaction-counts.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import { isGzip } from '#src/importer/record/gunzip.ts'
import { sha384 } from '#src/importer/record/hash.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import { unpackSidecar } from '#src/importer/record/sidecar-file.ts'

/** What a sidecar file says. */
export interface SidecarFacts {
  readonly name: string
  /** 1 to 99; null where the name does not tell it. */
  readonly id: number | null
  readonly size: number
  readonly sizeUnpacked: number
  /** SHA-384 of the unpacked bytes as hex, by which the record file names it. */
  readonly hash: string
  /** By kind. */
  readonly records: Counts
  readonly consensusStart: bigint | null
  readonly consensusEnd: bigint | null
}

const recordsField = 1
const timeField = 1
/** Fields of TransactionSidecarRecord that say of which kind it is. */
const kinds: Readonly<Record<number, string>> = { 3: 'state_changes', 4: 'actions', 5: 'bytecode' }

/** Throws `sidecar_mismatch` or `file_malformed`. */
export function inspectSidecar(name: string, bytes: Buffer): SidecarFacts {
  const content = isGzip(bytes) ? unpackSidecar(name, bytes).content : bytes
  const records = readRecords(name, content)
  const times = records.flatMap(({ time }) => (time === undefined ? [] : [time])).sort((a, b) => (a < b ? -1 : 1))
  return {
    name,
    id: parseStreamFileName(name)?.sidecarId ?? null,
    size: bytes.length,
    sizeUnpacked: content.length,
    hash: sha384(content).toString('hex'),
    records: countsOf(records.map(({ kind }) => kind)),
    consensusStart: times[0] ?? null,
    consensusEnd: times.at(-1) ?? null,
  }
}

interface SidecarRecord {
  readonly kind: string
  readonly time: bigint | undefined
}

function readRecords(name: string, content: Buffer): SidecarRecord[] {
  const fields = new FieldReader(content, (reason) => malformed(name, reason))
  const records: SidecarRecord[] = []
  while (fields.next()) if (fields.field === recordsField) records.push(readRecord(fields.message()))
  return records
}

function readRecord(fields: FieldReader): SidecarRecord {
  let kind = 'unknown'
  let time: bigint | undefined
  while (fields.next()) {
    if (fields.field === timeField) time = timestampOf(fields.message())
    else kind = kinds[fields.field] ?? kind
  }
  return { kind, time }
}

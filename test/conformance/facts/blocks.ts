import type { BlockRecorded } from '#schemas/events/types.ts'
import { encodeEvent } from '#src/events/codec.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'

/** The blocks of a case, a record file each. */
export function blockRecords(rows: CaseRows): LogRecord[] {
  return (rows['record_file'] ?? []).map(blockRecord)
}

function blockRecord(row: CaseRow): LogRecord {
  const time = read.int64(row, 'consensus_end')
  const event: Partial<BlockRecorded> = {
    number: read.int64(row, 'index'),
    name: read.textOrNull(row, 'name') ?? '',
    hash: read.bytesOrNull(row, 'hash') ?? Buffer.alloc(0),
    previousHash: read.bytesOrNull(row, 'prev_hash') ?? Buffer.alloc(0),
    fileHash: read.bytesOrNull(row, 'file_hash'),
    version: read.int32(row, 'version'),
    digestAlgorithm: read.int32(row, 'digest_algorithm'),
    consensusStart: read.int64(row, 'consensus_start'),
    consensusEnd: time,
    count: read.int64(row, 'count'),
    size: read.int32OrNull(row, 'size'),
    gasUsed: read.int64(row, 'gas_used') === -1n ? null : read.int64OrNull(row, 'gas_used'),
    logsBloom: read.bytesOrNull(row, 'logs_bloom'),
    hapiVersionMajor: read.int32OrNull(row, 'hapi_version_major'),
    hapiVersionMinor: read.int32OrNull(row, 'hapi_version_minor'),
    hapiVersionPatch: read.int32OrNull(row, 'hapi_version_patch'),
    softwareVersionMajor: read.int32OrNull(row, 'software_version_major'),
    softwareVersionMinor: read.int32OrNull(row, 'software_version_minor'),
    softwareVersionPatch: read.int32OrNull(row, 'software_version_patch'),
    sidecarCount: read.int32(row, 'sidecar_count'),
    roundStart: read.int64OrNull(row, 'round_start'),
    roundEnd: read.int64OrNull(row, 'round_end'),
  }
  return {
    type: 'BlockRecorded',
    key: read.textOrNull(row, 'hash') ?? '',
    time,
    value: encodeEvent('BlockRecorded', event),
  }
}

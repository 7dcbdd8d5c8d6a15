import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { responseCodeName } from '#src/domain/response-codes.ts'
import { bodyTypes } from '#src/events/decode/messages.ts'
import { decodeMessage, eventMessage } from '#src/events/decode/protobuf.ts'
import { scanFields } from '#src/importer/decode/wire.ts'
import { gunzip } from '#src/importer/record/gunzip.ts'
import { readRecordFile } from '#test/support/read-record-file.ts'
import { hasSamples, type RecordFacts, readFacts, sample, samplesFolder } from '../samples.ts'
import { eventsOf } from './items.ts'

interface ContentFacts extends RecordFacts {
  readonly transactionTypes: Record<string, number>
  readonly receiptStatus: Record<string, number>
  readonly children?: number
}

describe.skipIf(!hasSamples)('recorded files', () => {
  const files = hasSamples ? (readFacts().recordFiles as readonly ContentFacts[]) : []
  const fieldNames = new Map([...bodyTypes()].map(([name, type]) => [type, name]))

  it.each(files)('$name decodes wholly, with the known types and results', (file) => {
    const { items } = readRecordFile(file.name, sample(file.paths[0]!))

    const events = eventsOf(items, { sidecarRecords: sidecarRecords(file) })

    expect(events.filter((event) => event.unparsed !== null).map((event) => event.unparsed?.reason)).toEqual([])
    expect(countBy(events, (event) => fieldNames.get(event.type) ?? 'unknown')).toEqual(
      camelCased(file.transactionTypes),
    )
    expect(countBy(events, (event) => responseCodeName(event.result))).toEqual(file.receiptStatus)
    expect(events.filter((event) => event.parentConsensusTimestamp !== null).length).toBe(file.children ?? 0)
    expect(events.at(-1)?.consensusTimestamp).toBe(BigInt(file.consensusEnd))
  })
})

function sidecarRecords(file: RecordFacts): Buffer[] {
  return (file.sidecars ?? []).flatMap(({ id }) => {
    const [folder, name] = [join(samplesFolder, file.paths[0]!, '..', 'sidecar'), file.name.replace(/\.rcd.*/, '')]
    const path = join(folder, `${name}_${String(id).padStart(2, '0')}.rcd.gz`)
    const bytes = gunzip(readFileSync(path), (reason) => new Error(reason) as never)
    expect(decodeMessage(eventMessage('proto.SidecarFile'), bytes).unknown).toBe(false)
    return scanFields(bytes)!.map((field) => field.value!)
  })
}

function countBy<T>(items: readonly T[], key: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1
  return counts
}

function camelCased(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      count,
    ]),
  )
}

import { describe, expect, it } from 'vitest'
import { readBlock } from '#src/importer/block/read-block.ts'
import { readWrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { rebuildRecordFile } from '#src/importer/block/wrapped/rebuild-record-file.ts'
import type { RecordFormat } from '#src/importer/record/record-file.ts'
import {
  blockBytes,
  blockOf,
  errorOf,
  fail,
  footer,
  header,
  reasonOf,
  sourceOf,
} from '#test/importer/block/made-blocks.ts'
import {
  contentsV6,
  firstTime,
  startHash,
  wrappedFileV6,
  wrappingBlock,
  wrappingV6,
} from '#test/importer/block/wrapped/made-files.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'
import { recordFileV5, sha384, type TestItem, testNodes, timestamp, transferItem } from '#test/support/record-writer.ts'

const nodes = testNodes(2)
const items = [0n, 1n].map((index) => transferItem(firstTime + index))

interface Contents {
  readonly version: readonly [major: number, minor: number, patch: number]
  readonly items: readonly TestItem[]
  readonly start?: Buffer
  readonly end?: Buffer
}

/** A RecordStreamFile, as blocks wrap files of the older formats. */
function contentsOf({ version: [major, minor, patch], items, start, end }: Contents): Buffer {
  const hashObject = (hash: Buffer) => Buffer.concat([varintField(1, 1), varintField(2, 48), bytesField(3, hash)])
  return Buffer.concat([
    bytesField(1, varintField(1, major), varintField(2, minor), varintField(3, patch)),
    ...(start ? [bytesField(2, hashObject(start))] : []),
    ...items.map(({ transaction, record }) => bytesField(3, bytesField(1, transaction), bytesField(2, record))),
    ...(end ? [bytesField(4, hashObject(end))] : []),
  ])
}

const v5 = recordFileV5({ time: firstTime, items, startHash })
const contentsV5 = contentsOf({ version: [0, 20, 0], items, start: startHash, end: v5.endHash })

describe('the bytes of a record file that nodes have signed', () => {
  it('of version 6 are what the block wraps, whatever that is', () => {
    const contents = Buffer.concat([contentsV6(wrappedFileV6()), bytesField(99, Buffer.from('not known'))])
    expect(rebuildRecordFile(6, contents, fail)).toEqual(Buffer.concat([Buffer.from('00000006', 'hex'), contents]))
  })

  it('of version 5 are put together of what the block wraps', () => {
    expect(rebuildRecordFile(5, contentsV5, fail)).toEqual(v5.content)
  })

  it('of version 5 before any other file have hashes of zeros', () => {
    const first = recordFileV5({ time: firstTime, items, startHash: Buffer.alloc(48) })
    const contents = contentsOf({ version: [0, 20, 0], items, end: first.endHash })
    expect(rebuildRecordFile(5, contents, fail)).toEqual(first.content)
  })

  it('of version 2 have the minor version for the only number that the format has', () => {
    const contents = contentsOf({ version: [1, 3, 7], items, start: startHash })
    const int32 = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')
    const expected = [
      int32(2),
      int32(3),
      Buffer.of(1),
      startHash,
      ...items.flatMap(({ transaction, record }) => [
        Buffer.of(2),
        int32(transaction.length),
        transaction,
        int32(record.length),
        record,
      ]),
    ]
    expect(rebuildRecordFile(2, contents, fail)).toEqual(Buffer.concat(expected))
  })

  it('are not made of other versions, of items without a part, or of hashes of another length', () => {
    expect(reasonOf(() => rebuildRecordFile(1, contentsV5, fail))).toBe(
      'it wraps a record file of version 1; 2, 5 and 6 are known',
    )
    const half = contentsOf({ version: [0, 20, 0], items: [] })
    const reason = 'an item of the wrapped file lacks its transaction or its record'
    for (const field of [1, 2])
      for (const version of [2, 5] as const)
        expect(
          reasonOf(() => rebuildRecordFile(version, Buffer.concat([half, bytesField(3, bytesField(field))]), fail)),
        ).toBe(reason)
    const short = contentsOf({ version: [0, 20, 0], items, start: Buffer.alloc(47) })
    expect(reasonOf(() => rebuildRecordFile(5, short, fail))).toBe('a running hash of the wrapped file has 47 bytes')
  })
})

describe('a block that wraps a record file', () => {
  it('is read as the file, with what came beside it', () => {
    const file = wrappedFileV6({ sidecarRecords: [bytesField(3)] })
    const amendment = transferItem(firstTime + 1n)
    const wrapped = readWrappedFile(wrappingV6(file, nodes, { sidecars: [file.sidecar!], amendments: [amendment] }))
    expect(wrapped?.file).toMatchObject({
      name: '2023-11-14T22_13_20.000000005Z.rcd.gz',
      version: 6,
      blockNumber: 7n,
      chainHash: file.endHash,
      previousHash: startHash,
      fileHash: sha384(file.content),
      consensusStart: firstTime,
      consensusEnd: firstTime + 20n,
    })
    expect(wrapped?.file.items).toHaveLength(3)
    expect(wrapped?.sidecars).toEqual([file.sidecar])
    expect(wrapped?.amendments).toEqual([amendment])
    expect(wrapped?.signatures.map(({ nodeId, signature }) => [nodeId, signature.length])).toEqual([
      [0n, 256],
      [1n, 256],
    ])
  })

  it('of an older version has the name and the chain of that', () => {
    const block = (version: RecordFormat, contents: Buffer, fileHash: Buffer) =>
      readWrappedFile(wrappingBlock({ contents, version, fileHash, nodes }))?.file
    const five = block(5, contentsV5, sha384(v5.content))
    expect([five?.name, five?.chainHash, five?.previousHash]).toEqual([v5.name, v5.endHash, startHash])
    const two = block(2, contentsOf({ version: [0, 3, 0], items, start: startHash }), Buffer.alloc(48))
    expect([two?.name, two?.chainHash, two?.previousHash]).toEqual([v5.name, two?.fileHash, startHash])
  })

  it('is not any other block', () => {
    expect(readWrappedFile(blockOf([]))).toBeUndefined()
  })
})

describe('a wrapped record file is refused', () => {
  const recordFile = (...fields: Buffer[]) => bytesField(10, ...fields)
  const signedBy = bytesField(9, bytesField(4, varintField(1, 6)))
  const read = (...fields: (Buffer | ReturnType<typeof header>)[]) =>
    reasonOf(() => readWrappedFile(readBlock(sourceOf(blockBytes([header(), ...fields])))))
  const whole = [bytesField(1, timestamp(firstTime)), bytesField(2, contentsV6(wrappedFileV6()))]

  it('without a proof by signatures of nodes, and such a proof without a file', () => {
    const otherProof = bytesField(9, bytesField(2))
    expect(read(recordFile(...whole), footer(), otherProof)).toBe(
      'it wraps a record file without the signatures of one',
    )
    expect(read(footer(), signedBy)).toBe('its proof is that of a record file, which it does not wrap')
  })

  it('without contents, or with half an amendment', () => {
    expect(read(recordFile(whole[0]!), footer(), signedBy)).toBe('its record file has no contents')
    expect(read(recordFile(...whole, bytesField(4, bytesField(1))), footer(), signedBy)).toBe(
      'an amendment lacks its transaction or its record',
    )
  })

  it('that is none of its version', () => {
    const version = (number: number) => bytesField(9, bytesField(4, varintField(1, number)))
    expect(read(recordFile(...whole), footer(), version(3))).toBe(
      'it wraps a record file of version 3; 2, 5 and 6 are known',
    )
    expect(read(recordFile(...whole), footer(), bytesField(9, bytesField(4)))).toBe(
      'it wraps a record file of version 0; 2, 5 and 6 are known',
    )
    const damaged = [whole[0]!, bytesField(2, contentsV6(wrappedFileV6()), bytesField(1, Buffer.of(0xff)))]
    const block = readBlock(sourceOf(blockBytes([header(), recordFile(...damaged), footer(), signedBy])))
    expect(errorOf(() => readWrappedFile(block))).toMatchObject({
      code: 'file_malformed',
      message: expect.stringMatching(
        /^block 7 of a source: the record file 2023.*Z\.rcd\.gz that it wraps is malformed: /,
      ),
      cause: { code: 'file_malformed' },
    })
    const noFile = [whole[0]!, bytesField(2, Buffer.of(0xff))]
    expect(read(recordFile(...noFile), footer(), signedBy)).toMatch(/ends within a number/)
  })

  it('may be proved by the ledger first and by its nodes after that', () => {
    const block = readBlock(
      sourceOf(blockBytes([header(), recordFile(...whole), footer(), bytesField(9, bytesField(2)), signedBy])),
    )
    expect(readWrappedFile(block)?.file.name).toBe('2023-11-14T22_13_20.000000005Z.rcd.gz')
  })
})

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddressBook, readAddressBook } from '#src/domain/address-book.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { runningHashHolds } from '#src/importer/record/running-hash.ts'
import { recordsOfTypes, unpackSidecar } from '#src/importer/record/sidecar-file.ts'
import { readSignatureFile } from '#src/importer/record/signature-file.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'
import { readRecordFile } from '#test/support/read-record-file.ts'
import {
  addressBookOf,
  recordFileV5,
  recordFileV6,
  signatureFile,
  testNodes,
  timestamp,
  transferItem,
} from '#test/support/record-writer.ts'

const time = 1_700_000_000_000_000_000n
const items = [transferItem(time), transferItem(time + 1n)]
const startHash = Buffer.alloc(48, 9)
const v6 = recordFileV6({ time, number: 5n, items, startHash })
const v5 = recordFileV5({ time, items, startHash })
const name = v6.name
const oldName = v5.name

function v2Of(version: 1 | 2): Buffer {
  const parts = items.flatMap(({ transaction, record }) => [
    Buffer.from([2]),
    int32(transaction.length),
    transaction,
    int32(record.length),
    record,
  ])
  return Buffer.concat([int32(version), int32(3), Buffer.from([1]), startHash, ...parts])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function changed(bytes: Buffer, at: number, values: readonly number[]): Buffer {
  const copy = Buffer.from(bytes)
  copy.set(values, at)
  return copy
}

/** One of the two fields of a signature file of version 6, which have the same length. */
function halfOf(signature: Buffer, field: 1 | 2): Buffer {
  const length = (signature.length - 1) / 2
  return signature.subarray(1 + (field - 1) * length, 1 + field * length)
}

function codeOf(read: () => unknown): string {
  try {
    read()
    return 'accepted'
  } catch (error) {
    if (isLedgerError(error)) {
      expect(error.message).toMatch(/\. \w/)
      return error.code
    }
    throw error
  }
}

const readers = {
  'record file v1': [v2Of(1), (bytes: Buffer) => readRecordFile(oldName, bytes)],
  'record file v2': [v2Of(2), (bytes: Buffer) => readRecordFile(oldName, bytes)],
  'record file v5': [v5.content, (bytes: Buffer) => runningHashHolds(readRecordFile(oldName, bytes))],
  'record file v6': [v6.content, (bytes: Buffer) => runningHashHolds(readRecordFile(name, gzipSync(bytes)))],
  'packed record file': [gzipSync(v6.content), (bytes: Buffer) => readRecordFile(name, bytes)],
  'signature v6': [signatureFile(testNodes(1)[0]!, v6), (bytes: Buffer) => readSignatureFile('s', bytes)],
  'signature v5': [signatureFile(testNodes(1)[0]!, v5), (bytes: Buffer) => readSignatureFile('s', bytes)],
  'signature v2': [
    Buffer.concat([Buffer.from([4]), startHash, Buffer.from([3]), int32(384), Buffer.alloc(384, 7)]),
    (bytes: Buffer) => readSignatureFile('s', bytes),
  ],
  sidecar: [
    Buffer.concat([bytesField(1, bytesField(1, timestamp(time)), bytesField(3, Buffer.alloc(3)))]),
    (bytes: Buffer) => recordsOfTypes(unpackSidecar('c', gzipSync(bytes)), new Set([1])),
  ],
  'address book': [addressBookOf(testNodes(2)), (bytes: Buffer) => [parseAddressBook(bytes), readAddressBook(bytes)]],
} as const satisfies Record<string, readonly [Buffer, (bytes: Buffer) => unknown]>

describe('readers of bytes from outside', () => {
  const names = Object.keys(readers) as (keyof typeof readers)[]

  it.each(names)('read a good %s', (which) => {
    const [good, read] = readers[which]
    expect(codeOf(() => read(good))).toBe('accepted')
  })

  it.each(names)('answer every %s that is cut, changed or random with a known error or a value', (which) => {
    const [good, read] = readers[which]
    const cut = fc.nat(good.length).map((length) => good.subarray(0, length))
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255))
    const altered = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
      const bytes = Buffer.from(good)
      for (const [at, value] of changes) bytes[at] = value
      return bytes
    })
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
    const tailed = random.map((bytes) => Buffer.concat([good, bytes]))
    const headed = random.map((bytes) => Buffer.concat([good.subarray(0, 6), bytes]))
    fc.assert(
      fc.property(fc.oneof(cut, altered, random, tailed, headed), (bytes) => {
        codeOf(() => read(bytes))
      }),
      { numRuns: 300 },
    )
  })

  const recordNames = names.filter((which) => which.startsWith('record file') || which.startsWith('packed'))
  it.each(recordNames)('refuse a %s with four more bytes or its last 48 missing', (which) => {
    const [good, read] = readers[which]
    expect(codeOf(() => read(Buffer.concat([good, Buffer.from([0, 1, 2, 3])])))).toBe('file_malformed')
    expect(codeOf(() => read(good.subarray(0, -48)))).toBe('file_malformed')
  })

  it.each([0, 3, 4, 7, -1])('refuse the format version %i', (version) => {
    expect(codeOf(() => readRecordFile(oldName, Buffer.concat([int32(version), Buffer.alloc(100)])))).toBe(
      'file_malformed',
    )
  })

  it('refuse a name that is none', () => {
    expect(codeOf(() => readRecordFile('x.rcd', v5.content))).toBe('file_name_invalid')
    expect(codeOf(() => readRecordFile('2022-07-13T08_46_08Z.rcd_sig', v5.content))).toBe('file_name_invalid')
  })

  it('refuse version 5 without an item, accept version 6 without one', () => {
    expect(codeOf(() => readRecordFile(oldName, recordFileV5({ time, items: [], startHash }).content))).toBe(
      'file_malformed',
    )
    const empty = readRecordFile(name, gzipSync(recordFileV6({ time, number: 1n, items: [], startHash }).content))
    expect(empty).toMatchObject({ items: [], consensusStart: time, consensusEnd: time })
  })

  it('refuse an unknown algorithm of both running hashes, accept it of one', () => {
    const hash = (algorithm: number) => Buffer.concat([varintField(1, algorithm), bytesField(3, startHash)])
    const file = (start: number, end: number) =>
      readRecordFile(name, gzipSync(Buffer.concat([int32(6), bytesField(2, hash(start)), bytesField(4, hash(end))])))
    expect(codeOf(() => file(0, 0))).toBe('file_malformed')
    expect(codeOf(() => file(0, 1))).toBe('accepted')
    expect(codeOf(() => file(1, 0))).toBe('accepted')
  })

  it('refuse a packed file that unpacks beyond all bounds', () => {
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024))
    expect(codeOf(() => readRecordFile(name, bomb))).toBe('file_malformed')
  })

  it('refuse bombs from the folders of a hundred nodes within seconds, whatever length they tell', () => {
    const honest = gzipSync(Buffer.alloc(65 * 1024 * 1024), { level: 1 })
    const lying = Buffer.from(honest)
    lying.writeUInt32LE(1_000, lying.length - 4)
    const startedMs = performance.now()
    for (let node = 0; node < 100; node++) {
      for (const bomb of [honest, lying]) expect(codeOf(() => readRecordFile(name, bomb))).toBe('file_malformed')
    }
    expect(performance.now() - startedMs).toBeLessThan(3_000)
  })

  const [v6Signature] = readers['signature v6']
  const [v5Signature] = readers['signature v5']
  const [v2Signature] = readers['signature v2']
  // Offsets in a signature file of version 5: 5 bytes of head, then a hash (12 + 8 + 48 bytes), then a signature.
  const digestType = 5 + 12
  const hashLength = digestType + 4
  const signatureType = 5 + 68 + 12
  const signatureLength = signatureType + 4
  const checksum = signatureLength + 4
  it.each([
    ['an empty one', Buffer.alloc(0)],
    ['an unknown first byte', Buffer.from([7, 1, 2])],
    ['more than 64 KiB', Buffer.concat([v6Signature, bytesField(15, Buffer.alloc(70_000))])],
    ['more than 64 KiB once unpacked', gzipSync(Buffer.concat([v6Signature, bytesField(15, Buffer.alloc(70_000))]))],
    ['v2: a wrong marker of the hash', changed(v2Signature, 0, [3])],
    ['v2: a hash that is cut', v2Signature.subarray(0, 40)],
    ['v2: a wrong marker of the signature', changed(v2Signature, 49, [4])],
    ['v2: a signature that is cut', v2Signature.subarray(0, -1)],
    ['v2: a trailing byte', Buffer.concat([v2Signature, Buffer.alloc(1)])],
    ['v5: a wrong digest type', changed(v5Signature, digestType, [0, 0, 0, 1])],
    ['v5: a hash length other than 48', changed(v5Signature, hashLength, [0, 0, 0, 47])],
    ['v5: a wrong signature type', changed(v5Signature, signatureType, [0, 0, 0, 2])],
    [
      'v5: a signature of 385 bytes, with the checksum to it',
      Buffer.concat([
        changed(v5Signature.subarray(0, checksum + 4), signatureLength, [0, 0, 1, 0x81, 0xff, 0xff, 0xfe, 0xe4]),
        Buffer.alloc(385),
        v5Signature.subarray(checksum + 4 + 256),
      ]),
    ],
    ['v5: a checksum that is not 101 less the length', changed(v5Signature, checksum + 3, [0])],
    ['v5: one that is cut', v5Signature.subarray(0, -1)],
    ['v5: a trailing byte', Buffer.concat([v5Signature, Buffer.alloc(1)])],
    ['v6: a missing file signature', Buffer.concat([Buffer.from([6]), halfOf(v6Signature, 2)])],
    ['v6: a missing metadata signature', Buffer.concat([Buffer.from([6]), halfOf(v6Signature, 1)])],
    ['v6: neither', Buffer.from([6])],
    ['v6: a signature type that is none', changed(v6Signature, v6Signature.indexOf(Buffer.from([8, 1])) + 1, [9])],
  ])('refuse a signature file: %s', (_, bytes) => {
    expect(codeOf(() => readSignatureFile('s', bytes))).toBe('signature_malformed')
  })

  it('keep of a signature file only what they need', () => {
    const bytes = Buffer.concat([v6Signature, bytesField(15, Buffer.alloc(50_000))])
    const { fileHash, fileSignature, metadataHash, metadataSignature } = readSignatureFile('s', bytes)
    for (const part of [fileHash, fileSignature, metadataHash, metadataSignature]) {
      expect(part?.buffer).not.toBe(bytes.buffer)
    }
  })

  it.each([
    ['no gzip', Buffer.from('no gzip at all, though long enough')],
    ['gzip of random bytes', gzipSync(Buffer.from('b7e151628aed2a6abf7158809cf4f3c7', 'hex'))],
  ])('refuse a sidecar: %s', (_, bytes) => {
    expect(codeOf(() => recordsOfTypes(unpackSidecar('c', bytes), new Set([1])))).toBe('sidecar_mismatch')
  })
})

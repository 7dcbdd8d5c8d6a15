import { describe, expect, it } from 'vitest'
import { checkWrappedSignatures } from '#src/importer/block/wrapped/check-signatures.ts'
import { readWrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { wrappedBlock } from '#src/importer/block/wrapped/wrapped-block.ts'
import { accountId, errorOf, hash48, nanosAt, put, stateChanges } from '#test/importer/block/made-blocks.ts'
import { firstTime, trustIn, wrappedFileV6, wrappingV6 } from '#test/importer/block/wrapped/made-files.ts'
import { bytesField } from '#test/support/protobuf-writer.ts'
import { addressBookOf, type TestFile, type TestNode, testNodes, transferItem } from '#test/support/record-writer.ts'

const nodes = testNodes(4)

describe('signatures of a wrapped record file', () => {
  const file = wrappedFileV6()
  const signedBy = (signers: readonly TestNode[], trust = trustIn(addressBookOf(nodes))) =>
    checkWrappedSignatures(readWrappedFile(wrappingV6(file, signers))!, trust, 'block 7')

  it('are enough from a third of the stake on, and name who signed', () => {
    expect(signedBy([nodes[3]!, nodes[0]!])).toEqual([0n, 3n])
    expect(errorOf(() => signedBy([nodes[3]!]))).toMatchObject({
      code: 'consensus_missing',
      details: { have: 1n, required: 2n, total: 4n, nodes: [3n] },
    })
    const stakes = [10n, 30n, 30n, 30n]
    expect(signedBy([nodes[1]!, nodes[0]!], trustIn(addressBookOf(nodes), stakes))).toEqual([0n, 1n])
    expect(errorOf(() => signedBy([nodes[1]!], trustIn(addressBookOf(nodes), stakes)))).toMatchObject({
      message: expect.stringContaining('have 30 of 100 stake (node 1), 34 needed'),
    })
  })

  it('count once for each node, and not where they are of something else or of strangers', () => {
    expect(errorOf(() => signedBy([nodes[0]!, nodes[0]!]))).toMatchObject({ details: { have: 1n } })
    expect(errorOf(() => signedBy([]))).toMatchObject({
      message: expect.stringMatching(/of its 0 signatures of .* those that hold have 0 of 4 stake, 2 needed/),
    })
    const others = trustIn(addressBookOf(nodes.slice(1)))
    expect(signedBy(nodes, others)).toEqual([1n, 2n, 3n])
    const elsewhere = wrappingV6(file, nodes, { fileHash: hash48(1) })
    expect(
      errorOf(() => checkWrappedSignatures(readWrappedFile(elsewhere)!, trustIn(addressBookOf(nodes)), 'it')),
    ).toMatchObject({
      details: { have: 0n, nodes: [] },
    })
  })
})

describe('a wrapped record file as it is published', () => {
  const published = (
    file: TestFile,
    more: Parameters<typeof wrappingV6>[2] = {},
    parts: Partial<Parameters<typeof wrappedBlock>[0]> = {},
  ) => {
    const block = wrappingV6(file, nodes, more)
    const common = {
      block,
      wrapped: readWrappedFile(block)!,
      signedBy: [0n, 1n],
      blockRoot: hash48(5),
      proof: 'RECORD_FILE',
    }
    return wrappedBlock({ ...common, sidecarTypes: new Set([1]), isFirst: false, ...parts })
  }

  it('is the file, with where it came from', () => {
    const file = wrappedFileV6()
    const { facts, number, items, opening } = published(file)
    expect(facts).toMatchObject({
      name: file.name,
      hash: file.endHash,
      previousHash: file.startHash,
      version: 6,
      size: file.content.length,
      signedBy: [0n, 1n],
      blockRoot: hash48(5),
      previousRoot: null,
      proof: 'RECORD_FILE',
      source: 'a source',
      sourceNodeId: null,
    })
    expect([number, items.length, opening]).toEqual([7n, 3, []])
  })

  it('has amendments in the place of items of the same time, and in between', () => {
    const file = wrappedFileV6()
    const wrong = transferItem(firstTime + 10n)
    const replacement = { ...wrong, transaction: Buffer.concat([wrong.transaction, bytesField(99)]) }
    const [before, between] = [transferItem(firstTime - 1n), transferItem(firstTime + 15n)]
    const { items } = published(file, { amendments: [between, replacement, before] })
    expect(items.map(({ transaction, isAmendment }) => [transaction, isAmendment])).toEqual([
      [before.transaction, true],
      [transferItem(firstTime).transaction, undefined],
      [replacement.transaction, undefined],
      [between.transaction, true],
      [transferItem(firstTime + 20n).transaction, undefined],
    ])
    const timeless = { transaction: Buffer.alloc(0), record: Buffer.alloc(0) }
    expect(() => published(file, { amendments: [timeless] })).toThrow(/a transaction record has no consensus time/)
  })

  it('has sidecar records of the wanted types, of sidecars that the file names', () => {
    const [changes, actions] = [bytesField(3), bytesField(4, bytesField(1))]
    const file = wrappedFileV6({ sidecarRecords: [changes, actions] })
    const sidecars = [bytesField(1, bytesField(3, bytesField(1))), file.sidecar!]
    expect(published(file, { sidecars }).sidecarRecords).toEqual([changes])
    expect(published(file, { sidecars }, { sidecarTypes: new Set([1, 2]) }).sidecarRecords).toEqual([changes, actions])
    expect(published(file, {}, { sidecarTypes: new Set() }).sidecarRecords).toEqual([])
    expect(errorOf(() => published(file))).toMatchObject({ code: 'sidecar_mismatch' })
    const other = [Buffer.concat([file.sidecar!, bytesField(1)])]
    expect(errorOf(() => published(file, { sidecars: other }))).toMatchObject({ code: 'sidecar_mismatch' })
  })

  it('opens the log with the state that the first block of all has besides', () => {
    const account = put(
      2,
      { accountIdKey: accountId(98) },
      { accountValue: { accountId: accountId(98), tinybarBalance: 5 } },
    )
    const items = [stateChanges(3, [account])]
    const typesOf = (number: number, isFirst: boolean) =>
      published(wrappedFileV6(), { items, headerFields: { number } }, { isFirst }).opening?.map(({ type, time }) => [
        type,
        time,
      ])
    expect(typesOf(0, true)).toEqual([
      ['EntitySnapshotted', nanosAt(3)],
      ['AccountBalanceSnapshotted', nanosAt(3)],
    ])
    expect([typesOf(0, false), typesOf(7, true)]).toEqual([[], []])
  })
})

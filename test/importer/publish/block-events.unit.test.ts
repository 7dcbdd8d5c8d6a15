import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeEvent } from '#src/events/codec.ts'
import { blockRecords } from '#src/importer/publish/block-events.ts'
import { blockOfFile } from '#src/importer/publish/verified-block.ts'
import { ImportState } from '#src/importer/state/import-state.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'
import { readRecordFile } from '#test/support/read-record-file.ts'
import { recordFileV6, type TestItem, timestamp } from '#test/support/record-writer.ts'

const time = 1_700_000_000_000_000_000n
const atomicBatch = 74
const cryptoTransfer = 14
const cryptoCreate = 11
const options = { network: 'demo', keepRawBytes: false, startBlockNumber: 0n }

interface Relation {
  readonly parent?: bigint
  readonly isInner?: boolean
  readonly nonce?: number
}

function itemOf(at: bigint, bodyField: number, { parent, isInner = false, nonce = 0 }: Relation = {}): TestItem {
  const id = Buffer.concat([bytesField(1, timestamp(at)), bytesField(2, varintField(3, 2)), varintField(4, nonce)])
  const batchKey = isInner ? bytesField(73, bytesField(2, Buffer.alloc(32, 1))) : Buffer.alloc(0)
  const body = Buffer.concat([bytesField(1, id), bytesField(bodyField, Buffer.alloc(0)), batchKey])
  const transaction = bytesField(5, bytesField(1, body))
  const record = Buffer.concat([
    bytesField(1, varintField(1, 22)),
    bytesField(2, createHash('sha384').update(transaction).digest()),
    bytesField(3, timestamp(at)),
    bytesField(4, id),
    parent === undefined ? Buffer.alloc(0) : bytesField(15, timestamp(parent)),
  ])
  return { transaction, record }
}

describe('the events of a block', () => {
  it('tell in a batch all of its inner transactions, also where a child precedes one of them', () => {
    const items = [
      itemOf(time, atomicBatch),
      itemOf(time + 1n, cryptoTransfer, { parent: time, isInner: true }),
      itemOf(time + 2n, cryptoCreate, { nonce: 1 }),
      itemOf(time + 3n, cryptoTransfer, { parent: time, isInner: true }),
    ]
    const { name, content } = recordFileV6({ time, number: 1n, items, startHash: Buffer.alloc(48) })
    const file = readRecordFile(name, gzipSync(content))
    const verified = { file, sourceNodeId: 0n, sidecarRecords: [], signedBy: [0n] }
    const { records } = blockRecords(blockOfFile(verified), new ImportState({ shard: 0n, realm: 0n }), options)
    const inner = records
      .filter(({ type }) => type === 'TransactionRecorded')
      .map(({ value }) => decodeEvent({ type: 'TransactionRecorded', value }).innerTransactions.length)
    expect(inner).toEqual([2, 0, 0, 0])
    expect(records).toHaveLength(items.length + 1)
  })

  const recordsOf = (times: readonly bigint[], state = new ImportState({ shard: 0n, realm: 0n })) => {
    const items = times.map((at, index) => itemOf(at, cryptoTransfer, { nonce: index }))
    const { name, content } = recordFileV6({ time: times[0]!, number: 1n, items, startHash: Buffer.alloc(48) })
    const file = readRecordFile(name, gzipSync(content))
    return blockRecords(blockOfFile({ file, sourceNodeId: 0n, sidecarRecords: [], signedBy: [0n] }), state, options)
  }

  it('are in the order of consensus where the file is not, and its times are the first and the last of all', () => {
    const state = new ImportState({ shard: 0n, realm: 0n })
    const { records, transactionCount } = recordsOf([time + 1n, time + 4n, time, time + 3n], state)
    expect(transactionCount).toBe(4)
    expect(records.map((record) => record.time)).toEqual([time, time + 1n, time + 3n, time + 4n, time + 4n])
    const { value } = records.at(-1)!
    expect(decodeEvent({ type: 'BlockRecorded', value })).toMatchObject({
      consensusStart: time,
      consensusEnd: time + 4n,
      count: 4n,
    })
    expect(state.lastBlock?.time).toBe(time + 4n)
    expect(() => recordsOf([time + 6n, time + 5n, time + 4n], state)).toThrow(
      `it has a transaction of ${time + 4n} ns, not after the end of the last block, ${time + 4n} ns`,
    )
  })

  it('have no two transactions of one time', () => {
    const reason = `has the consensus time ${time + 1n}, not after the one before, ${time + 1n}`
    expect(() => recordsOf([time, time + 1n, time + 1n])).toThrow(reason)
    expect(() => recordsOf([time, time + 1n, time, time + 1n])).toThrow(/not after the one before/)
  })
})

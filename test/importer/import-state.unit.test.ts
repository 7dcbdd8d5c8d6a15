import { describe, expect, it } from 'vitest'
import { emptyAddressBookSnapshotted, emptyBlockRecorded } from '#schemas/events/defaults.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { ImportState } from '#src/importer/state/import-state.ts'
import { eventOf } from '#test/importer/decode/items.ts'
import { addressBookOf, testNodes } from '#test/support/record-writer.ts'

const file = (fileNum: number) => ({ fileNum })
const books = [addressBookOf(testNodes(2)), addressBookOf(testNodes(4).slice(2))] as [Buffer, Buffer]
const half = (book: Buffer) => (book.length >> 1) + 7

function stateAfter(...bodies: readonly Record<string, unknown>[]): ImportState {
  const state = new ImportState({ shard: 0n, realm: 0n })
  bodies.forEach((body, index) => {
    state.applyTransaction(eventOf({ at: 2_000 + index, body }))
  })
  return state
}

const update = (number: number, contents: Buffer) => ({ fileUpdate: { fileID: file(number), contents } })
const append = (number: number, contents: Buffer) => ({ fileAppend: { fileID: file(number), contents } })
const stakes = (...nodeStake: { nodeId: number; stake: number }[]) => ({ nodeStakeUpdate: { nodeStake } })

describe('what the importer trusts', () => {
  it('keeps the stakes when an update names no node', () => {
    const state = stateAfter(stakes({ nodeId: 1, stake: 5 }, { nodeId: 2, stake: 7 }), stakes())
    expect([...state.stakes()]).toEqual([
      [1n, 5n],
      [2n, 7n],
    ])
    expect(state.trustVersion).toBe(1)
  })

  it('has both address books when their parts come interleaved', () => {
    const [first, second] = books
    const state = stateAfter(
      update(101, first.subarray(0, half(first))),
      update(102, second.subarray(0, half(second))),
      append(101, first.subarray(half(first))),
      append(102, second.subarray(half(second))),
    )
    expect(state.document('book/101')?.contents).toEqual(first)
    expect(state.document('book/102')?.contents).toEqual(second)
  })

  it('does not take an update of other properties of the file for the end of an upload', () => {
    const [first] = books
    const state = stateAfter(
      update(102, first.subarray(0, half(first))),
      update(102, Buffer.alloc(0)),
      append(102, first.subarray(half(first))),
    )
    expect(state.document('book/102')?.contents).toEqual(first)
  })

  it('begins an upload anew with a file that is created without contents', () => {
    const [first, second] = books
    const created: TransactionRecorded = {
      ...eventOf({ at: 2_001, body: { fileCreate: { contents: Buffer.alloc(0) } } }),
      entityId: 102n,
    }
    const state = stateAfter(update(102, first.subarray(0, half(first))))
    state.applyTransaction(created)
    state.applyTransaction(eventOf({ at: 2_002, body: append(102, second) }))
    expect(state.document('book/102')?.contents).toEqual(second)
  })

  it('trusts nothing more for an address book that was stated by its entries alone', () => {
    const state = stateAfter()
    const [contents] = books
    state.apply('AddressBookSnapshotted', { ...emptyAddressBookSnapshotted(), fileId: 102n, contents })
    const { trustVersion } = state

    state.apply('AddressBookSnapshotted', { ...emptyAddressBookSnapshotted(), fileId: 102n, asOf: 5n, entries: [] })

    expect(state.trustVersion).toBe(trustVersion)
    expect(state.document('book/102')?.contents).toEqual(contents)
  })
})

/** The rows after events of which each batch took in so many. */
function rowsAfter(batch: number, events: readonly TransactionRecorded[]): Map<string, unknown> {
  const state = new ImportState({ shard: 0n, realm: 0n })
  const rows = new Map<string, unknown>()
  const write = () => {
    const { puts, deletes } = state.takeRows()
    for (const { collection, row } of puts) rows.set(`${collection}/${row['name'] ?? row['file'] ?? ''}`, row)
    for (const { collection, key } of deletes) rows.delete(`${collection}/${key.join()}`)
  }
  events.forEach((event, index) => {
    state.apply('BlockRecorded', {
      ...emptyBlockRecorded(),
      number: BigInt(index),
      consensusEnd: event.consensusTimestamp,
    })
    state.applyTransaction(event)
    if (index % batch === batch - 1) write()
  })
  write()
  return rows
}

it('leaves the same rows however events are batched', () => {
  const files = [1n, 2n, 3n, 1n, 2n].map((entityId, index) => ({
    ...eventOf({ at: 2_000 + index, body: { fileCreate: { contents: Buffer.alloc(3, index) } } }),
    entityId,
  }))
  const gone = { ...eventOf({ at: 2_010, body: { fileDelete: { fileID: file(3) } } }), entityId: 3n }
  const events = [...files, gone, eventOf({ at: 2_011, body: stakes({ nodeId: 1, stake: 5 }) })]

  const each = rowsAfter(1, events)

  expect(each.has('files/1')).toBe(true)
  expect(each.has('files/3')).toBe(false)
  for (const batch of [2, 3, 4, 100]) expect(rowsAfter(batch, events)).toEqual(each)
})

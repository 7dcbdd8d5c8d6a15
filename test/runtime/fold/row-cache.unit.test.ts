import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CollectionSchema, DeleteRow, LoadSync, PutRow, Row } from '#src/ports/read-store.ts'
import { ByteArena } from '#src/runtime/fold/byte-arena.ts'
import { LoadFailed, RowCache } from '#src/runtime/fold/row-cache.ts'

const schema: CollectionSchema = {
  kind: 'state',
  fields: { name: 'bytes', id: 'int64', seen: 'int32', until: 'int64?', count: 'int32?', memo: 'text?', key: 'bytes?' },
  key: ['name', 'id'],
}
const name = new Uint8Array(Buffer.from('alice'))
const empty = { seen: 0, until: null, count: null, memo: null, key: null }
const full = { name, id: -(2n ** 63n), seen: 2 ** 40, until: 0n, count: 0, memo: '', key: new Uint8Array(0) }

describe('a row cache', () => {
  let cache: RowCache
  let arena: ByteArena
  const missed = vi.fn<() => void>()
  const open = (loadSync?: LoadSync) => new RowCache({ collection: 'names', schema, arena, loadSync, missed })
  beforeEach(() => {
    missed.mockClear()
    arena = new ByteArena()
    cache = open()
  })

  function changes(): (PutRow | DeleteRow)[] {
    const all: (PutRow | DeleteRow)[] = []
    cache.changes(
      (put) => all.push(put),
      (remove) => all.push(remove),
    )
    return all
  }
  const keep = (row: Row): void => {
    cache.put(row)
    cache.keep()
  }

  it('gives back every value, and tells nothing from zero and from empty', () => {
    keep(full)
    keep({ name, id: 1n, ...empty })

    expect(cache.get([name, full.id])).toEqual(full)
    expect(cache.get([name, 1n])).toEqual({ name, id: 1n, ...empty })
  })

  it('keeps a copy of bytes', () => {
    const key = Buffer.from('key')
    keep({ name, id: 1n, ...empty, key })
    key.fill('x')

    expect(cache.get([name, 1n])).toMatchObject({ key: new Uint8Array(Buffer.from('key')) })
  })

  it('gives two rows the bytes of each other', () => {
    const keys = ['one', 'two'].map((text) => new Uint8Array(Buffer.from(text)))
    for (const [id, key] of keys.entries()) keep({ name, id: BigInt(id), ...empty, key })

    const rows = [0n, 1n].map((id) => cache.get([name, id])!)
    for (const [id, row] of rows.entries()) cache.put({ ...row, key: rows[1 - id]!['key']! })
    cache.keep()
    arena.settle()

    expect([0n, 1n].map((id) => cache.get([name, id])!['key'])).toEqual(keys.toReversed())
  })

  it('loads what is not here at once where the engine can, and only once', () => {
    const loadSync = vi.fn<LoadSync>((_collection, [, id]) => (id === 1n ? { name, id: 1n, ...empty } : undefined))
    const loading = open(loadSync)
    const read = (): unknown[] => [1n, 2n].map((id) => loading.get([name, id]))

    expect([read(), read()]).toEqual(Array(2).fill([{ name, id: 1n, ...empty }, undefined]))
    expect(loadSync.mock.calls).toEqual([
      ['names', [name, 1n]],
      ['names', [name, 2n]],
    ])
  })

  it('tells a row that could not be loaded from one that is not there', () => {
    const loading = open(() => {
      throw new Error('disk I/O error')
    })

    for (let times = 0; times < 2; times++) expect(() => loading.get([name, 1n])).toThrow(LoadFailed)
  })

  it('has what was written into the bytes of a row that is put again', () => {
    keep({ name, id: 1n, ...empty, key: new Uint8Array(4) })
    const row = cache.get([name, 1n])!
    ;(row['key'] as Uint8Array)[3] = 7
    keep(row)

    expect(cache.get([name, 1n])).toMatchObject({ key: new Uint8Array([0, 0, 0, 7]) })
  })

  it('shows an event what it wrote, and forgets it when the event is given up', () => {
    keep({ name, id: 1n, ...empty, memo: 'before' })
    cache.put({ name, id: 1n, ...empty, memo: 'within' })
    cache.put({ name, id: 2n, ...empty })
    cache.remove([name, 1n])
    expect(cache.get([name, 1n])).toBeUndefined()
    cache.undo()

    expect(cache.get([name, 1n])).toMatchObject({ memo: 'before' })
    expect(cache.get([name, 2n])).toBeUndefined()
    expect(missed).toHaveBeenCalledOnce()
    expect(cache.takeMissing()).toEqual([[name, 2n]])
    expect(changes()).toHaveLength(1)
  })

  it('hands a commit what changed: rows by their newest values, removed ones by their keys', () => {
    cache.fill(
      [
        [name, 3n],
        [name, 4n],
      ],
      [{ name, id: 3n, ...empty }, undefined],
    )
    keep({ name, id: 1n, ...empty })
    keep({ name, id: 1n, ...empty, seen: 2 })
    cache.remove([name, 3n])
    cache.remove([name, 9n])
    cache.keep()

    expect(changes()).toEqual([
      { collection: 'names', row: { name, id: 1n, ...empty, seen: 2 } },
      { collection: 'names', key: [name, 3n] },
      { collection: 'names', key: [name, 9n] },
    ])
    cache.settle()
    expect(changes()).toEqual([])
    expect(cache.get([name, 4n])).toBeUndefined()
  })

  it('makes room without losing what is not written, and uses the places again', () => {
    const rows = Array.from({ length: 200 }, (_, id) => ({ name, id: BigInt(id), ...empty, memo: `row ${id}` }))
    cache.fill(
      rows.map(({ id }) => [name, id]),
      rows,
    )
    keep({ name, id: 7n, ...empty, memo: 'changed' })
    cache.makeRoom(cache.bytes)

    expect(cache.get([name, 7n])).toMatchObject({ memo: 'changed' })
    expect(cache.get([name, 8n])).toBeUndefined()
    expect(cache.takeMissing()).toEqual([[name, 8n]])
    expect(cache.bytes).toBeLessThan(1_000)
    cache.fill([[name, 8n]], [rows[8]])
    expect(cache.get([name, 8n])).toEqual(rows[8])
  })
})

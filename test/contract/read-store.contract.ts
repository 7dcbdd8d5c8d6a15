import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import type { Bound, ProjectionSchema, ProjectionWriter, ReadStore, Row, RowQuery } from '#src/ports/read-store.ts'

export interface ReadStoreFixture {
  /** Another handle on the same store. */
  open(): Promise<ReadStore>
  dispose(): Promise<void>
}

export const sampleSchema = {
  name: 'sample',
  version: 1,
  collections: {
    byTime: {
      kind: 'state',
      fields: { time: 'int64', kind: 'int32', label: 'text', data: 'bytes' },
      key: ['time'],
      indexes: [['kind', 'label']],
    },
    byBytes: {
      kind: 'state',
      fields: { time: 'int64', count: 'int32', a: 'bytes?', b: 'bytes?', c: 'bytes?', d: 'bytes?' },
      key: ['time'],
    },
    byPair: { kind: 'state', fields: { left: 'int64', right: 'text', count: 'int64' }, key: ['left', 'right'] },
  },
} as const satisfies ProjectionSchema

const int64Max = 9_223_372_036_854_775_807n

function row(time: bigint, kind = 1, label: string | null = 'a', data: Uint8Array | null = null): Row {
  return { time, kind, label, data }
}

const selectAll = ['time', 'kind', 'label', 'data'] as const

/** Every adapter of ReadStore passes this suite unchanged. */
export function describeReadStore(name: string, createFixture: () => Promise<ReadStoreFixture>): void {
  describe(`${name} as a read store`, () => {
    let fixture: ReadStoreFixture | undefined
    const start = async (): Promise<ReadStoreFixture> => {
      fixture = await createFixture()
      return fixture
    }
    afterEach(async () => {
      await fixture?.dispose()
      fixture = undefined
    })
    const filled = async (rows: readonly Row[]) => {
      const store = await (await start()).open()
      const writer = await store.openWriter(sampleSchema)
      await writer.commit({
        from: 0,
        to: { position: 10, time: 99n },
        puts: rows.map((each) => ({ collection: 'byTime', row: each })),
        deletes: [],
      })
      return { store, writer, reader: await store.openReader(sampleSchema) }
    }
    const times = (rows: readonly Row[]) => rows.map(({ time }) => time)

    it('says that a version was never built', async () => {
      const store = await (await start()).open()
      const reader = await store.openReader(sampleSchema)
      expect(await reader.checkpoint()).toBeUndefined()
      expect(await reader.find({ collection: 'byTime', index: ['time'], limit: 5, select: ['time'] })).toEqual([])
      expect(await reader.get('byTime', [[1n]], ['time'])).toEqual([undefined])
      expect(await reader.scan('byTime', undefined, 5)).toEqual([])
      expect(await reader.parkedCount()).toBe(0)
      expect(await reader.parked(0, 5)).toEqual([])
      expect((await store.openWriter(sampleSchema)).checkpoint).toBeUndefined()
    })

    it('gives back every kind of value exactly', async () => {
      const rows = [
        row(-int64Max - 1n, -2_147_483_648, '', new Uint8Array()),
        row(0n, 0, null, null),
        row(int64Max, 2_147_483_647, 'é 漢字 \u0000 end', Uint8Array.from([0, 255, 1])),
      ]
      const { reader, writer } = await filled(rows)
      const found = await reader.find({ collection: 'byTime', index: ['time'], limit: 9, select: [...selectAll] })
      expect(
        found.map((each) => ({ ...each, data: each['data'] && Uint8Array.from(each['data'] as Uint8Array) })),
      ).toEqual(rows)
      const [loaded] = await writer.load('byTime', [[int64Max]])
      expect({ ...loaded, data: Uint8Array.from(loaded?.['data'] as Uint8Array) }).toEqual(rows[2])
    })

    it('gives back several values of bytes in one row exactly, empty and absent ones among them', async () => {
      const { store, writer } = await filled([])
      const reader = await store.openReader(sampleSchema)
      const [empty, zeros, long] = [new Uint8Array(), new Uint8Array(3), new Uint8Array(300).fill(255)]
      const rows = [
        { time: 1n, count: 1, a: zeros, b: empty, c: long, d: Uint8Array.from([1]) },
        { time: 2n, count: -1, a: null, b: null, c: null, d: null },
        { time: 3n, count: 0, a: empty, b: null, c: zeros, d: empty },
      ]
      await writer.commit({
        from: 10,
        to: { position: 11, time: 100n },
        puts: rows.map((row) => ({ collection: 'byBytes', row })),
        deletes: [],
      })
      const select = ['d', 'count', 'a', 'time', 'c', 'b']
      expect(plain(await reader.find({ collection: 'byBytes', index: ['time'], limit: 5, select }))).toEqual(rows)
      expect(plain(await reader.get('byBytes', [[3n], [1n], [4n], [2n]], select))).toEqual([
        rows[2],
        rows[0],
        undefined,
        rows[1],
      ])
      expect(plain(await reader.get('byBytes', [[1n]], ['c', 'b', 'a']))).toEqual([{ a: zeros, b: empty, c: long }])
      expect(plain(await reader.scan('byBytes', undefined, 5))).toEqual(rows)
      await writer.close()
    })

    it('returns only the fields asked for, in the order of the keys asked for', async () => {
      const { reader } = await filled([row(1n, 7), row(2n, 8)])
      const found = await reader.get('byTime', [[2n], [5n], [1n]], ['kind'])
      expect(found.map((each) => each && { ...each })).toEqual([{ kind: 8 }, undefined, { kind: 7 }])
    })

    it('replaces a row of the same key and removes deleted ones', async () => {
      const { reader, writer } = await filled([row(1n), row(2n)])
      await writer.commit({
        from: 10,
        to: { position: 11, time: 100n },
        puts: [{ collection: 'byTime', row: row(1n, 5, 'new') }],
        deletes: [{ collection: 'byTime', key: [2n] }],
      })
      const found = await reader.find({ collection: 'byTime', index: ['time'], limit: 9, select: ['time', 'label'] })
      expect(found.map((each) => ({ ...each }))).toEqual([{ time: 1n, label: 'new' }])
      const moved = await reader.find({
        collection: 'byTime',
        index: ['kind', 'label'],
        prefix: [1],
        limit: 9,
        select: ['time'],
      })
      expect(moved).toEqual([])
    })

    it('reads ranges in both directions with inclusive and exclusive bounds', async () => {
      const { reader } = await filled([1n, 2n, 3n, 4n].map((time) => row(time)))
      const range = async (lower?: Bound, upper?: Bound, descending = false, limit = 9) =>
        times(
          await reader.find({
            collection: 'byTime',
            index: ['time'],
            ...(lower && { lower }),
            ...(upper && { upper }),
            descending,
            limit,
            select: ['time'],
          }),
        )
      expect(await range()).toEqual([1n, 2n, 3n, 4n])
      expect(await range({ value: 2n, inclusive: true }, { value: 4n, inclusive: false })).toEqual([2n, 3n])
      expect(await range({ value: 2n, inclusive: false }, { value: 4n, inclusive: true }, true)).toEqual([4n, 3n])
      expect(await range(undefined, { value: 3n, inclusive: true }, true, 2)).toEqual([3n, 2n])
      expect(await range({ value: 3n, inclusive: true }, { value: 2n, inclusive: true })).toEqual([])
    })

    it('orders an index by all its fields, ties by the key', async () => {
      const { reader } = await filled([row(4n, 1, 'b'), row(3n, 1, 'a'), row(2n, 2, 'a'), row(1n, 1, 'a')])
      const find = async (query: Partial<RowQuery>) =>
        times(
          await reader.find({ collection: 'byTime', index: ['kind', 'label'], limit: 9, select: ['time'], ...query }),
        )
      expect(await find({})).toEqual([1n, 3n, 4n, 2n])
      expect(await find({ descending: true })).toEqual([2n, 4n, 3n, 1n])
      expect(await find({ prefix: [1] })).toEqual([1n, 3n, 4n])
      expect(await find({ prefix: [1, 'a'], descending: true })).toEqual([3n, 1n])
      expect(await find({ prefix: [1], lower: { value: 'a', inclusive: false } })).toEqual([4n])
    })

    it('filters rows by equality, inequality and sets', async () => {
      const { reader } = await filled([row(1n, 1, 'a'), row(2n, 2, null), row(3n, 3, 'c')])
      const find = async (filters: RowQuery['filters']) =>
        times(
          await reader.find({
            collection: 'byTime',
            index: ['time'],
            limit: 9,
            select: ['time'],
            ...(filters && { filters }),
          }),
        )
      expect(await find([{ field: 'kind', op: 'eq', value: 2 }])).toEqual([2n])
      expect(await find([{ field: 'kind', op: 'in', value: [1, 3] }])).toEqual([1n, 3n])
      expect(await find([{ field: 'label', op: 'ne', value: 'a' }])).toEqual([2n, 3n])
      expect(await find([{ field: 'label', op: 'eq', value: null }])).toEqual([2n])
    })

    it('keys of several fields identify and order rows', async () => {
      const store = await (await start()).open()
      const writer = await store.openWriter(sampleSchema)
      const pairs = [
        { left: 2n, right: 'a', count: 1n },
        { left: 1n, right: 'b', count: 2n },
        { left: 1n, right: 'a', count: 3n },
      ]
      await writer.commit({
        from: 0,
        to: { position: 1, time: 1n },
        puts: pairs.map((each) => ({ collection: 'byPair', row: each })),
        deletes: [],
      })
      const reader = await store.openReader(sampleSchema)
      const found = await reader.find({ collection: 'byPair', index: ['left', 'right'], limit: 9, select: ['count'] })
      expect(found.map(({ count }) => count)).toEqual([3n, 2n, 1n])
      expect((await reader.get('byPair', [[1n, 'b']], ['count'])).map((each) => each?.['count'])).toEqual([2n])
      expect((await writer.load('byPair', [[2n, 'a']])).map((each) => each?.['count'])).toEqual([1n])
    })

    it('scans whole rows in key order after any key', async () => {
      const store = await (await start()).open()
      const writer = await store.openWriter(sampleSchema)
      const pairs = [1n, 2n].flatMap((left) => ['a', 'b', 'c'].map((right) => ({ left, right, count: left })))
      await writer.commit({
        from: 0,
        to: { position: 1, time: 1n },
        puts: pairs.toReversed().map((each) => ({ collection: 'byPair', row: each })),
        deletes: [],
      })
      const reader = await store.openReader(sampleSchema)
      const page = async (after: Row | undefined) =>
        (await reader.scan('byPair', after && [after['left'] ?? null, after['right'] ?? null], 2)).map((each) => ({
          ...each,
        }))
      expect(await page(undefined)).toEqual(pairs.slice(0, 2))
      expect(await page(pairs[1])).toEqual(pairs.slice(2, 4))
      expect(await page(pairs[4])).toEqual(pairs.slice(5))
      expect(await page(pairs[5])).toEqual([])
    })

    it('moves checkpoint and rows together, also for another handle', async () => {
      const fixture = await start()
      const writer = await (await fixture.open()).openWriter(sampleSchema)
      await writer.commit({
        from: 0,
        to: { position: 3, time: int64Max },
        puts: [{ collection: 'byTime', row: row(1n) }],
        deletes: [],
      })
      const reader = await (await fixture.open()).openReader(sampleSchema)
      expect(await reader.checkpoint()).toEqual({ position: 3, time: int64Max })
      expect(times(await reader.find({ collection: 'byTime', index: ['time'], limit: 9, select: ['time'] }))).toEqual([
        1n,
      ])
    })

    it('says with the checkpoint where the newest whole block ends, and that no block is whole yet', async () => {
      const { store, writer, reader } = await filled([row(1n)])
      const whole = { position: 9, time: 98n }
      const to = (position: number, end?: typeof whole) => ({ position, time: 99n, ...(end && { whole: end }) })
      await writer.commit({ from: 10, to: to(11, whole), puts: [], deletes: [] })
      expect(await reader.checkpoint()).toEqual(to(11, whole))
      await writer.commit({ from: 11, to: to(12, whole), puts: [{ collection: 'byTime', row: row(2n) }], deletes: [] })
      expect(await reader.checkpoint()).toEqual(to(12, whole))
      await writer.commit({
        from: 12,
        to: to(13),
        puts: [],
        deletes: [[2n]].map((key) => ({ collection: 'byTime', key })),
      })
      expect(await reader.checkpoint()).toEqual(to(13))
      await writer.commit({ from: 13, to: to(14, whole), puts: [], deletes: [] })
      await writer.close()
      expect((await store.openWriter(sampleSchema)).checkpoint).toEqual(to(14, whole))
    })

    it('shows a reader that reads by turns one state in each turn, and in the next what was committed meanwhile', async () => {
      const { store, writer } = await filled([row(1n)])
      const reader = await store.openReader(sampleSchema, { byTurns: true })
      const read = async () => {
        const found = await reader.find({ collection: 'byTime', index: ['time'], limit: 9, select: ['time'] })
        const [, got] = await reader.get('byTime', [[1n], [2n], [3n]], ['time'])
        return { position: (await reader.checkpoint())?.position, times: times(found), got: got?.['time'] }
      }
      await nextTurn()
      expect(await read()).toEqual({ position: 10, times: [1n], got: undefined })
      await commitRow(writer, 10, 11, row(2n))
      await nextTurn()
      expect(await read()).toEqual({ position: 11, times: [1n, 2n], got: 2n })
      await commitRow(writer, 11, 12, row(3n))
      await reader.close()
    })

    it('knows the newest time of what is read in a turn at most until that ends, and of others never', async () => {
      const { store, writer } = await filled([row(1n)])
      const [byTurns, other] = [
        await store.openReader(sampleSchema, { byTurns: true }),
        await store.openReader(sampleSchema),
      ]
      await nextTurn()
      expect(byTurns.newestTime?.()).toBeUndefined()
      const { time } = (await byTurns.checkpoint())!
      await commitRow(writer, 10, 11, row(time + 5n))
      const known = byTurns.newestTime?.()
      const found = await byTurns.find({ collection: 'byTime', index: ['time'], limit: 9, select: ['time'] })
      if (known !== undefined) expect(times(found).every((each) => (each as bigint) <= known)).toBe(true)
      await nextTurn()
      expect(byTurns.newestTime?.()).toBeUndefined()
      await other.checkpoint()
      expect(other.newestTime?.()).toBeUndefined()
      await Promise.all([byTurns.close(), other.close()])
    })

    it('refuses a commit that starts elsewhere, and writes nothing of it', async () => {
      const { reader, writer } = await filled([row(1n)])
      const commit = writer.commit({
        from: 9,
        to: { position: 11, time: 1n },
        puts: [{ collection: 'byTime', row: row(5n) }],
        deletes: [],
      })
      await expect(commit).rejects.toSatisfy((error) => isLedgerError(error, 'checkpoint_moved'))
      expect((await reader.checkpoint())?.position).toBe(10)
      expect(times(await reader.find({ collection: 'byTime', index: ['time'], limit: 9, select: ['time'] }))).toEqual([
        1n,
      ])
    })

    it('lets only one of two owners write: the second is refused, or shuts the first out', async () => {
      const { store, writer, reader } = await filled([row(1n)])
      const all = async () =>
        times(await reader.find({ collection: 'byTime', index: ['time'], limit: 9, select: ['time'] }))
      const commit = (owner: ProjectionWriter, time: bigint) =>
        owner.commit({
          from: 10,
          to: { position: 11, time },
          puts: [{ collection: 'byTime', row: row(time) }],
          deletes: [],
        })
      const newer = await store.openWriter(sampleSchema).catch((error: unknown) => error)
      if (newer instanceof Error) {
        expect(isLedgerError(newer, 'owner_busy')).toBe(true)
        await commit(writer, 7n)
      } else {
        await expect(commit(writer, 6n)).rejects.toSatisfy((error) => isLedgerError(error, 'owner_fenced'))
        await commit(newer as ProjectionWriter, 7n)
      }
      expect(await all()).toEqual([1n, 7n])
    })

    it('lets the next owner in when the first has closed', async () => {
      const { store, writer } = await filled([row(1n)])
      await writer.close()
      const next = await store.openWriter(sampleSchema)
      expect(next.checkpoint).toEqual({ position: 10, time: 99n })
    })

    it('shows nothing of a commit put together in pieces before it is whole, and nothing of an abandoned one', async () => {
      const { reader, writer } = await filled([row(1n)])
      const all = async () =>
        times(await reader.find({ collection: 'byTime', index: ['time'], limit: 9, select: ['time'] }))
      const abandoned = writer.begin(10)
      abandoned.put('byTime', row(2n))
      abandoned.remove('byTime', [1n])
      await abandoned.abandon()
      expect(await all()).toEqual([1n])
      const open = writer.begin(10)
      open.put('byTime', row(3n))
      open.remove('byTime', [1n])
      open.park({ sequence: 11, error: 'refused' })
      await open.commit({ position: 11, time: 100n })
      expect(await all()).toEqual([3n])
      expect(await reader.parkedCount()).toBe(1)
      expect(await reader.checkpoint()).toEqual({ position: 11, time: 100n })
    })

    it('writes the bytes that a row had when it was put', async () => {
      const { reader, writer } = await filled([])
      const data = Uint8Array.of(1, 2, 3)
      const open = writer.begin(10)
      open.put('byTime', row(1n, 1, 'a', data))
      data.fill(9)
      await open.commit({ position: 11, time: 100n })
      expect(plain(await reader.get('byTime', [[1n]], ['data']))).toEqual([{ data: Uint8Array.of(1, 2, 3) }])
    })

    it('keeps versions of one projection apart', async () => {
      const { store } = await filled([row(1n)])
      const other: ProjectionSchema = { ...sampleSchema, version: 2 }
      const writer = await store.openWriter(other)
      expect(writer.checkpoint).toBeUndefined()
      await writer.commit({
        from: 0,
        to: { position: 1, time: 1n },
        puts: [{ collection: 'byTime', row: row(9n) }],
        deletes: [],
      })
      const rowsOf = async (schema: ProjectionSchema) =>
        times(
          await (await store.openReader(schema)).find({
            collection: 'byTime',
            index: ['time'],
            limit: 9,
            select: ['time'],
          }),
        )
      expect(await rowsOf(sampleSchema)).toEqual([1n])
      expect(await rowsOf(other)).toEqual([9n])
    })

    it('records parked events with the commit', async () => {
      const { reader, writer } = await filled([])
      expect(await reader.parkedCount()).toBe(0)
      await writer.commit({
        from: 10,
        to: { position: 11, time: 1n },
        puts: [],
        deletes: [],
        parked: [{ sequence: 11, error: 'no such type' }],
      })
      expect(await reader.parkedCount()).toBe(1)
    })

    it('finds everything again after closing and opening', async () => {
      const fixture = await start()
      const writer = await (await fixture.open()).openWriter(sampleSchema)
      await writer.commit({
        from: 0,
        to: { position: 2, time: 5n },
        puts: [{ collection: 'byTime', row: row(1n) }],
        deletes: [],
      })
      await writer.close()
      const again = await (await fixture.open()).openWriter(sampleSchema)
      expect(again.checkpoint).toEqual({ position: 2, time: 5n })
      expect(times((await again.load('byTime', [[1n]])).filter((each) => each !== undefined))).toEqual([1n])
    })

    const everyTime = async (store: ReadStore, schema: ProjectionSchema) => {
      const reader = await store.openReader(schema)
      return times(await reader.find({ collection: 'byTime', index: ['time'], limit: 99, select: ['time'] }))
    }
    const commitRow = (writer: ProjectionWriter, from: number, to: number, each: Row) =>
      writer.commit({
        from,
        to: { position: to, time: BigInt(to) },
        puts: [{ collection: 'byTime', row: each }],
        deletes: [],
      })
    const parkedOf = async (store: ReadStore, after = 0, limit = 99) =>
      (await (await store.openReader(sampleSchema)).parked(after, limit)).map((each) => ({ ...each }))

    it('numbers owners so that the newest has the greatest epoch', async () => {
      const { store, writer } = await filled([row(1n)])
      const first = writer.epoch
      await commitRow(writer, 10, 11, row(2n))
      expect(writer.epoch).toBe(first)
      await writer.close()
      const next = await store.openWriter(sampleSchema)
      expect(next.epoch).toBeGreaterThan(first)
    })

    it('writes rows again at the position where it stands', async () => {
      const { store, writer, reader } = await filled([row(1n)])
      await commitRow(writer, 10, 10, row(1n, 2, 'again'))
      await commitRow(writer, 10, 10, row(1n, 3, 'once more'))
      expect((await writer.load('byTime', [[1n]])).map((each) => each?.['label'])).toEqual(['once more'])
      expect((await reader.checkpoint())?.position).toBe(10)
      expect(await everyTime(store, sampleSchema)).toEqual([1n])
    })

    it('puts back a row that an earlier commit removed', async () => {
      const { store, writer } = await filled([row(1n), row(2n)])
      await writer.commit({
        from: 10,
        to: { position: 11, time: 100n },
        puts: [],
        deletes: [
          { collection: 'byTime', key: [1n] },
          { collection: 'byTime', key: [77n] },
        ],
      })
      expect(await everyTime(store, sampleSchema)).toEqual([2n])
      expect(await writer.load('byTime', [[1n], [77n]])).toEqual([undefined, undefined])
      const reader = await store.openReader(sampleSchema)
      expect(await reader.get('byTime', [[1n]], ['time'])).toEqual([undefined])
      expect(times(await reader.scan('byTime', undefined, 9))).toEqual([2n])
      await commitRow(writer, 11, 12, row(1n, 4))
      expect(await everyTime(store, sampleSchema)).toEqual([1n, 2n])
    })

    it('orders integers by value from the least to the greatest, in keys and indexes', async () => {
      const values = [-int64Max - 1n, -4_294_967_297n, -1n, 0n, 1n, 255n, 256n, 4_294_967_296n, int64Max]
      const kinds = [-2_147_483_648, -256, -1, 0, 1, 255, 256, 65_536, 2_147_483_647]
      const { store } = await filled(values.map((time, index) => row(time, kinds.at(-1 - index) ?? 0)).toReversed())
      expect(await everyTime(store, sampleSchema)).toEqual(values)
      const reader = await store.openReader(sampleSchema)
      const byKind = async (query: Partial<RowQuery>) =>
        times(
          await reader.find({ collection: 'byTime', index: ['kind', 'label'], limit: 99, select: ['time'], ...query }),
        )
      expect(await byKind({})).toEqual(values.toReversed())
      expect(await byKind({ upper: { value: -1, inclusive: false } })).toEqual(values.slice(-2).toReversed())
      expect(await byKind({ lower: { value: 65_536, inclusive: true } })).toEqual(values.slice(0, 2).toReversed())
    })

    it('orders text by its UTF-8 bytes, in keys and indexes', async () => {
      const texts = [
        '',
        '\u0000',
        '\u0000\u0000',
        '\u0000a',
        '\u0001',
        ' ',
        '!',
        '"',
        '0',
        'A',
        'a',
        'a\u0000',
        'a ',
        'aa',
        'b',
        '}',
        '~',
        '\u007f',
        '\u0080',
        'é',
        '漢',
        '\uff5e',
        '😀',
      ]
      const shuffled = texts.map((_, index) => texts[(index * 7) % texts.length] ?? '')
      const store = await (await start()).open()
      const writer = await store.openWriter(sampleSchema)
      await writer.commit({
        from: 0,
        to: { position: 1, time: 1n },
        puts: shuffled.flatMap((text, index) => [
          { collection: 'byPair', row: { left: 1n, right: text, count: 0n } },
          { collection: 'byTime', row: row(BigInt(index), 1, text) },
        ]),
        deletes: [],
      })
      const reader = await store.openReader(sampleSchema)
      const find = async (
        collection: string,
        index: string[],
        prefix: number | bigint,
        query: Partial<RowQuery> = {},
      ) => reader.find({ collection, index, prefix: [prefix], limit: 99, select: [index[1] ?? ''], ...query })
      const ofKey = async (query?: Partial<RowQuery>) =>
        (await find('byPair', ['left', 'right'], 1n, query)).map((each) => each['right'])
      const ofIndex = async (query?: Partial<RowQuery>) =>
        (await find('byTime', ['kind', 'label'], 1, query)).map((each) => each['label'])
      expect(await ofKey()).toEqual(texts)
      expect(await ofIndex()).toEqual(texts)
      for (const [place, value] of texts.entries()) {
        expect(await ofKey({ lower: { value, inclusive: false } })).toEqual(texts.slice(place + 1))
        expect(await ofIndex({ upper: { value, inclusive: true } })).toEqual(texts.slice(0, place + 1))
      }
    })

    it('puts rows without a value first in an index, and outside of every range', async () => {
      const { reader } = await filled([row(1n, 1, 'a'), row(2n, 1, null), row(3n, 1, '')])
      const find = async (query: Partial<RowQuery>) =>
        times(
          await reader.find({
            collection: 'byTime',
            index: ['kind', 'label'],
            prefix: [1],
            limit: 9,
            select: ['time'],
            ...query,
          }),
        )
      expect(await find({})).toEqual([2n, 3n, 1n])
      expect(await find({ descending: true })).toEqual([1n, 3n, 2n])
      expect(await find({ upper: { value: 'a', inclusive: false } })).toEqual([3n])
      expect(await find({ lower: { value: '', inclusive: true } })).toEqual([3n, 1n])
    })

    it('lists parked events after a sequence in order, and forgets those that are done with', async () => {
      const { store, reader, writer } = await filled([])
      expect(await reader.parked(0, 9)).toEqual([])
      const parked = [300, 12, 70_000, 11].map((sequence) => ({ sequence, error: `cannot fold ${sequence}` }))
      await writer.commit({ from: 10, to: { position: 70_000, time: 1n }, puts: [], deletes: [], parked })
      const inOrder = parked.toSorted((left, right) => left.sequence - right.sequence)
      expect(await parkedOf(store)).toEqual(inOrder)
      expect(await parkedOf(store, 11)).toEqual(inOrder.slice(1))
      expect(await parkedOf(store, 11, 1)).toEqual(inOrder.slice(1, 2))
      await writer.unpark([12, 70_000, 5])
      expect((await parkedOf(store)).map(({ sequence }) => sequence)).toEqual([11, 300])
      expect(await reader.parkedCount()).toBe(2)
      expect((await reader.checkpoint())?.position).toBe(70_000)
    })

    it('keeps builds of one version apart', async () => {
      const { store } = await filled([row(1n)])
      const second: ProjectionSchema = { ...sampleSchema, build: 2 }
      const writer = await store.openWriter(second)
      expect(writer.checkpoint).toBeUndefined()
      await commitRow(writer, 0, 1, row(9n))
      expect(await everyTime(store, sampleSchema)).toEqual([1n])
      expect(await everyTime(store, { ...sampleSchema, build: 1 })).toEqual([1n])
      expect(await everyTime(store, second)).toEqual([9n])
    })

    it('removes one build with all that belongs to it, and builds it anew from nothing', async () => {
      const { store, writer } = await filled([row(1n)])
      const second: ProjectionSchema = { ...sampleSchema, build: 2 }
      const other = await store.openWriter(second)
      await commitRow(other, 0, 1, row(9n))
      await writer.commit({
        from: 10,
        to: { position: 11, time: 1n },
        puts: [],
        deletes: [],
        parked: [{ sequence: 11, error: 'refused' }],
      })
      await writer.close()
      expect(await store.remove(sampleSchema)).toBe(true)
      const reader = await store.openReader(sampleSchema)
      expect(await reader.checkpoint()).toBeUndefined()
      expect(await everyTime(store, sampleSchema)).toEqual([])
      expect(await reader.parkedCount()).toBe(0)
      expect(await everyTime(store, second)).toEqual([9n])
      const anew = await store.openWriter(sampleSchema)
      expect(anew.checkpoint).toBeUndefined()
      await commitRow(anew, 0, 1, row(5n))
      expect(await everyTime(store, sampleSchema)).toEqual([5n])
      expect(await parkedOf(store)).toEqual([])
    })

    it('marks rows for as long as they are there, and keeps which log they are of', async () => {
      const { store, writer, reader } = await filled([row(1n)])
      const first = await reader.origin?.()
      expect(first).toEqual({ mark: expect.stringMatching(/^[\w-]{8}$/), log: undefined })
      expect(writer.origin).toEqual(first)
      await writer.claim?.('a log')
      await commitRow(writer, 10, 11, row(2n))
      await writer.close()
      const next = await store.openWriter(sampleSchema)
      expect(next.origin).toEqual({ mark: first?.mark, log: 'a log' })
      expect(await reader.origin?.()).toEqual(next.origin)
      await next.close()
      expect(await store.remove(sampleSchema)).toBe(true)
      expect(await (await store.openReader(sampleSchema)).origin?.()).toBeUndefined()
      const anew = await store.openWriter(sampleSchema)
      expect(anew.origin?.log).toBeUndefined()
      expect(anew.origin?.mark).not.toBe(first?.mark)
      const second = await store.openWriter({ ...sampleSchema, build: 2 })
      expect(second.origin?.mark).not.toBe(anew.origin?.mark)
    })

    it('removes nothing where nothing was built', async () => {
      const store = await (await start()).open()
      expect(await store.remove(sampleSchema)).toBe(false)
      expect((await store.openWriter(sampleSchema)).checkpoint).toBeUndefined()
    })

    it('does not take the rows away under a living owner: removing is refused, or shuts the owner out', async () => {
      const { store, writer } = await filled([row(1n)])
      const refusal = await store.remove(sampleSchema).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (refusal !== undefined) {
        expect(isLedgerError(refusal, 'owner_busy')).toBe(true)
        await commitRow(writer, 10, 11, row(2n))
        expect(await everyTime(store, sampleSchema)).toEqual([1n, 2n])
      } else {
        await expect(commitRow(writer, 10, 11, row(2n))).rejects.toSatisfy((error) =>
          isLedgerError(error, 'owner_fenced'),
        )
        expect(await everyTime(store, sampleSchema)).toEqual([])
      }
    })

    it('keeps an append-only read model like any other', async () => {
      const collections = Object.fromEntries(
        Object.entries(sampleSchema.collections).map(([name, each]) => [
          name,
          { ...each, kind: 'facts', untimed: 'sample' } as const,
        ]),
      )
      const schema: ProjectionSchema = { ...sampleSchema, name: 'appended', collections }
      const store = await (await start()).open()
      const writer = await store.openWriter(schema)
      await commitRow(writer, 0, 1, row(1n, 1, 'first'))
      await commitRow(writer, 1, 3, row(1n, 1, 'second'))
      await expect(commitRow(writer, 1, 4, row(2n))).rejects.toSatisfy((error) =>
        isLedgerError(error, 'checkpoint_moved'),
      )
      await writer.close()
      const next = await store.openWriter(schema)
      expect(next.checkpoint).toEqual({ position: 3, time: 3n })
      await commitRow(next, 3, 4, row(2n))
      expect((await next.load('byTime', [[2n], [1n]])).map((each) => each?.['label'])).toEqual(['a', 'second'])
      expect(await everyTime(store, schema)).toEqual([1n, 2n])
    })
  })
}

/** Byte arrays may be of a class of the engine's client. */
function plain(rows: readonly (Row | undefined)[]): (Row | undefined)[] {
  return rows.map(
    (row) =>
      row &&
      Object.fromEntries(
        Object.entries(row).map(([field, value]) => [
          field,
          value instanceof Uint8Array ? Uint8Array.from(value) : value,
        ]),
      ),
  )
}

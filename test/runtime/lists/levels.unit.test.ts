import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketOf, listShape, liveRuns, mergesDue, placeOf, runEvents } from '#src/runtime/lists/levels.ts'

const shape = listShape({ payloadBytes: 4, buckets: 1_024 })

describe('the runs of a list', () => {
  it('cover every event once, whatever the position', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000_000_000 }), (position) => {
        let to = Math.ceil(position / runEvents(shape, 0)) * runEvents(shape, 0)
        for (const live of liveRuns(shape, position)) {
          expect(live.to * runEvents(shape, live.level)).toBe(to)
          to = live.from * runEvents(shape, live.level)
        }
        expect(to).toBe(0)
      }),
    )
  })

  it('are few enough for one read of their keys, at any size', () => {
    const keysAt = (position: number) => liveRuns(shape, position).reduce((sum, { from, to }) => sum + to - from, 0)
    const most = (around: number) =>
      Math.max(...Array.from({ length: 5_000 }, (_, index) => keysAt(around + index * shape.windowEvents * 8)))
    expect(keysAt(1_000_000_000)).toBeLessThanOrEqual(40)
    expect(most(1_000_000_000)).toBeLessThanOrEqual(64)
    expect(most(8_000_000_000) - most(1_000_000_000)).toBeLessThanOrEqual(12)
  })

  it('are merged whole before they are read, bucket by bucket', () => {
    const small = listShape({ payloadBytes: 0, buckets: 16, windowEvents: 4 })
    const merged = new Map<string, number>()
    for (let position = 4; position < 40_000; position += 4) {
      for (const { level, run, from, to } of mergesDue(small, position)) {
        const key = `${level} ${run}`
        expect(merged.get(key) ?? 0).toBe(from)
        merged.set(key, to)
      }
      for (const { level, from, to } of liveRuns(small, position)) {
        if (level === 0) continue
        expect(merged.get(`${level} ${from}`)).toBe(16 * 8 ** (level - 1))
        expect(merged.get(`${level} ${to - 1}`)).toBe(16 * 8 ** (level - 1))
      }
    }
  })

  it('keep a term in a known bucket of each level, at a place of its own', () => {
    const places = new Set<number>()
    for (let level = 0; level <= shape.levelMax; level++) {
      const bucket = bucketOf(shape, level, 0xdeadbeef)
      expect(bucket >>> (3 * level)).toBe(bucketOf(shape, 0, 0xdeadbeef))
      for (let run = 0; run < 16; run++) places.add(placeOf(level, run, bucket))
    }
    expect(places.size).toBe(16 * (shape.levelMax + 1))
    expect(Number.isSafeInteger(placeOf(9, 31, 2 ** 31 - 1))).toBe(true)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arenaBytes, ByteArena, type Place } from '#src/runtime/fold/byte-arena.ts'

interface Kept {
  readonly place: Place
  readonly bytes: Uint8Array
}

describe('an arena of bytes', () => {
  it('keeps each array as it is, whatever comes and goes', () => {
    const length = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 401, max: 40_000 }))
    const step = fc.record({ length, goes: fc.boolean(), which: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
        const arena = new ByteArena()
        const kept: Kept[] = []
        for (const [index, { length, goes, which }] of steps.entries()) {
          const bytes = new Uint8Array(length).fill(index)
          kept.push({ place: arena.write(bytes), bytes })
          if (!goes) continue
          const [gone] = kept.splice(which % kept.length, 1)
          arena.free(gone!.place)
          arena.settle()
        }
        for (const { place, bytes } of kept) expect(Buffer.compare(arena.read(place, bytes.length), bytes)).toBe(0)
      }),
      { numRuns: 30 },
    )
  })

  it('leaves what was freed as it is until it is settled', () => {
    const arena = new ByteArena()
    const place = arena.write(Buffer.from('before'))
    const view = arena.read(place, 6)
    arena.free(place)
    arena.write(Buffer.from('behind'))
    expect(Buffer.from(view).toString()).toBe('before')

    arena.settle()
    expect(arena.write(Buffer.from('beside'))).toBe(place)
  })

  it('tells the array that lies at a place from one that equals it', () => {
    const arena = new ByteArena()
    const place = arena.write(Buffer.from('here'))

    const other = arena.write(Buffer.from('here'))

    expect(arena.holds(place, arena.read(place, 4))).toBe(true)
    expect(arena.holds(other, arena.read(place, 4))).toBe(false)
    expect(arena.holds(place, new Uint8Array(Buffer.from('here')))).toBe(false)
  })

  it('wastes a fifth of a block at most, but for the shortest', () => {
    for (let length = 1; length <= 5_000; length++) {
      expect(arenaBytes(length)).toBeGreaterThanOrEqual(length)
      expect(arenaBytes(length)).toBeLessThanOrEqual(Math.max(length + 15, length * 1.25))
    }
  })
})

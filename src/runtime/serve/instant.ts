import type { BlockEnd } from '#src/ports/read-store.ts'

/** A block's end in the log of a generation: sequences of two generations do not compare, times do. */
export interface GenerationEnd extends BlockEnd {
  readonly generation: number
}

/** Cells: how often was written, whether somebody wanted to know, and two places of which the first says which is read. */
const cellOf = { writes: 0, asked: 1, places: 2 } as const
const cellsPerPlace = 3
const cellCount = cellOf.places + 2 * cellsPerPlace

/**
 * What all answers of a process are as of: the newest whole block that every read model has which is not left out. It is in memory
 * that the threads of the process share, and never goes back.
 */
export class Instant {
  readonly #cells: BigInt64Array

  constructor(cells: BigInt64Array = Instant.cells()) {
    this.#cells = cells
  }

  /** Memory for one. */
  static cells(): BigInt64Array {
    return new BigInt64Array(new SharedArrayBuffer(cellCount * BigInt64Array.BYTES_PER_ELEMENT))
  }

  /** undefined before it was known for the first time. */
  get newest(): GenerationEnd | undefined {
    const cells = this.#cells
    for (;;) {
      const writes = Atomics.load(cells, cellOf.writes)
      if (writes === 0n) return undefined
      const at = placeOf(writes)
      const [generation, position, time] = [0, 1, 2].map((offset) => Atomics.load(cells, at + offset))
      if (Atomics.load(cells, cellOf.writes) === writes)
        return { generation: Number(generation), position: Number(position), time: time! }
    }
  }

  /** A request goes by it: until a moment from now it is to be up to date. */
  noteAsked(): void {
    if (Atomics.load(this.#cells, cellOf.asked) === 0n) Atomics.store(this.#cells, cellOf.asked, 1n)
  }

  /** Whether any has since this was called before. */
  takeAsked(): boolean {
    return Atomics.exchange(this.#cells, cellOf.asked, 0n) !== 0n
  }

  /**
   * Where this one is newer, or as new in the log that serves now, it is what answers are as of from now on. For one thread only:
   * a lock between several would stay with one that ends while it has it.
   */
  advance(to: GenerationEnd): void {
    const { newest } = this
    const isNext = newest === undefined || to.time > newest.time
    if (!isNext && (to.time < newest.time || to.generation === newest.generation)) return
    const cells = this.#cells
    const writes = Atomics.load(cells, cellOf.writes) + 1n
    const at = placeOf(writes)
    Atomics.store(cells, at, BigInt(to.generation))
    Atomics.store(cells, at + 1, BigInt(to.position))
    Atomics.store(cells, at + 2, to.time)
    Atomics.store(cells, cellOf.writes, writes)
  }
}

function placeOf(writes: bigint): number {
  return cellOf.places + Number(writes % 2n) * cellsPerPlace
}

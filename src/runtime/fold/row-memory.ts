/** Something that keeps rows in memory to be fast, and can do with fewer. */
export interface RowKeeper {
  readonly bytes: number
  /** Forgets about as many bytes, where it can. */
  makeRoom(bytes: number): void
}

/** Room is made for a little more than is missing, so that it is not made after every batch. */
const marginRatio = 0.1

/** The memory that the rows of all folds of a thread share, however many there are: who has more gives more. */
export class RowMemory {
  readonly bytesMax: number
  readonly #keepers = new Set<RowKeeper>()

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  get bytes(): number {
    let bytes = 0
    for (const keeper of this.#keepers) bytes += keeper.bytes
    return bytes
  }

  /** Counts a keeper's bytes until what is returned is called. */
  add(keeper: RowKeeper): () => void {
    this.#keepers.add(keeper)
    return () => void this.#keepers.delete(keeper)
  }

  /** Called between batches, when no fold relies on what it loaded. */
  makeRoom(): void {
    const { bytes, bytesMax } = this
    if (bytes <= bytesMax) return
    const missing = bytes - bytesMax * (1 - marginRatio)
    for (const keeper of this.#keepers) keeper.makeRoom((keeper.bytes / bytes) * missing)
  }
}

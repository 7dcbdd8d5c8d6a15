/** Grows by doubling. */
const firstCapacity = 256
const columns = 4

/**
 * Items of a block by number and place. A block may have hundreds of thousands, so that an object for each would take more
 * memory than the block.
 */
export class ItemList {
  readonly #pieces: readonly Buffer[]
  /** Number, piece, start and end of the content of each. */
  #cells = new Int32Array(firstCapacity * columns)
  #length = 0

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = pieces
  }

  get length(): number {
    return this.#length
  }

  add(number: number, piece: number, start: number, end: number): void {
    let at = this.#length * columns
    if (at === this.#cells.length) {
      const larger = new Int32Array(2 * at)
      larger.set(this.#cells)
      this.#cells = larger
    }
    this.#cells[at++] = number
    this.#cells[at++] = piece
    this.#cells[at++] = start
    this.#cells[at] = end
    this.#length += 1
  }

  /** The number that tells which item it is. */
  numberAt(index: number): number {
    return this.#cells[index * columns]!
  }

  /** The content of an item, without tag and length. */
  contentAt(index: number): Buffer {
    const at = index * columns
    return this.#pieces[this.#cells[at + 1]!]!.subarray(this.#cells[at + 2]!, this.#cells[at + 3]!)
  }
}

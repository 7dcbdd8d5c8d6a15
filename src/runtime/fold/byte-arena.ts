/** Where a byte array lies: its page, and the offset within it. Never 0. */
export type Place = number

const pageBits = 14
const pageBytes = 1 << pageBits
const offsetMask = pageBytes - 1

/** A power of two. */
const viewsMax = 64
const viewMask = viewsMax - 1

/** What is longer has a page of its own size. */
const blockBytesMax = pageBytes / 4

/** Lengths of blocks: four to each doubling, so that a fifth is wasted at most, and multiples of 16. */
const blockSizes = sizesUpTo(blockBytesMax)

/** The size class of a length, by sixteenths. */
const classes = Uint8Array.from({ length: blockBytesMax / 16 + 1 }, (_, sixteens) =>
  blockSizes.findIndex((size) => size >= sixteens * 16),
)

interface Page {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of `bytes`, which takes its time to tell. */
  readonly memory: ArrayBuffer
  readonly blockBytes: number
  /** Pages of blocks of one size that have room; undefined for what has a page of its own. */
  readonly open: Page[] | undefined
  readonly first: Place
  /** Offsets that were given back. */
  readonly free: number[]
  /** Behind the last block that was ever used. */
  end: number
  used: number
}

/**
 * Byte arrays of many rows in few large ones. On the heap each would be three objects and an allocation outside of it, which the
 * collector visits for as long as the row is kept.
 *
 * What is read is a view: it is good until `settle` is called after the array was freed.
 */
export class ByteArena {
  /** By number; the first is 1. */
  readonly #pages: (Page | undefined)[] = [undefined]
  readonly #numbers: number[] = []
  readonly #open: readonly Page[][] = blockSizes.map(() => [])
  readonly #freed: Place[] = []
  /** Some that were read last, by their place: to ask an array for its memory is dearer than to remember it. */
  readonly #views: (Uint8Array | undefined)[] = new Array<undefined>(viewsMax).fill(undefined)
  readonly #viewPlaces = new Float64Array(viewsMax)

  read(place: Place, length: number): Uint8Array {
    const { memory } = this.#pages[place >>> pageBits]!
    const view = new Uint8Array(memory, place & offsetMask, length)
    this.#views[(place >>> 4) & viewMask] = view
    this.#viewPlaces[(place >>> 4) & viewMask] = place
    return view
  }

  /** Copies bytes, at least one. */
  write(value: Uint8Array): Place {
    const page = this.#pageFor(value.length)
    const offset = page.free.pop() ?? page.end
    if (offset === page.end) page.end += page.blockBytes
    page.used += 1
    if (isFull(page)) page.open?.pop()
    page.bytes.set(value, offset)
    return page.first + offset
  }

  /** Whether a value is known to be the very array that lies here: it was read not long ago. */
  holds(place: Place, value: Uint8Array): boolean {
    const index = (place >>> 4) & viewMask
    return this.#views[index] === value && this.#viewPlaces[index] === place
  }

  /** Gives a place back with the next `settle`. */
  free(place: Place): void {
    this.#freed.push(place)
  }

  /** Nobody looks any more at what was freed. */
  settle(): void {
    if (this.#freed.length === 0) return
    for (const place of this.#freed) this.#giveBack(place)
    this.#freed.length = 0
  }

  #giveBack(place: Place): void {
    const page = this.#pages[place >>> pageBits]!
    if (page.open && isFull(page)) page.open.push(page)
    page.used -= 1
    page.free.push(place & offsetMask)
    this.#forgetView(place)
    // The last one with room stays, since the next row may want a block like it.
    if (page.used > 0 || page.open?.length === 1) return
    page.open?.splice(page.open.indexOf(page), 1)
    this.#pages[page.first >>> pageBits] = undefined
    this.#numbers.push(page.first >>> pageBits)
  }

  #forgetView(place: Place): void {
    const index = (place >>> 4) & viewMask
    if (this.#viewPlaces[index] === place) this.#views[index] = undefined
  }

  #pageFor(length: number): Page {
    if (length > blockBytesMax) return this.#added(length, length, undefined)
    const sizeClass = classes[(length + 15) >>> 4]!
    const open = this.#open[sizeClass]!
    return open.at(-1) ?? this.#added(pageBytes, blockSizes[sizeClass]!, open)
  }

  #added(size: number, blockBytes: number, open: Page[] | undefined): Page {
    const number = this.#numbers.pop() ?? this.#pages.length
    const first = number * pageBytes
    const bytes = new Uint8Array(size)
    const page = { bytes, memory: bytes.buffer, blockBytes, open, first, free: [], end: 0, used: 0 }
    this.#pages[number] = page
    open?.push(page)
    return page
  }
}

/** Bytes that a byte array takes here. */
export function arenaBytes(length: number): number {
  return length > blockBytesMax ? length : blockSizes[classes[(length + 15) >>> 4]!]!
}

function isFull({ free, end, blockBytes, bytes }: Page): boolean {
  return free.length === 0 && end + blockBytes > bytes.length
}

function sizesUpTo(max: number): number[] {
  const sizes: number[] = []
  for (let size = 16; size <= max; size += Math.max(16, 2 ** Math.floor(Math.log2(size)) / 4)) sizes.push(size)
  return sizes
}

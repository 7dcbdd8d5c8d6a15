import { max, min } from '#queries/common/bigints.ts'
import { type Chunk, firstTime, lastTime, union, within } from '#queries/common/lists/entry-chunks.ts'
import { type ListContext, type ListSource, type ListTerm, readRuns } from '#queries/common/lists/list-runs.ts'
import type { Row } from '#src/ports/read-store.ts'
import { type LiveRuns, liveRuns } from '#src/runtime/lists/levels.ts'
import { entryBytes } from '#src/runtime/lists/records.ts'

const firstPage = 2
/** A time so many blocks ahead is looked for by itself; what lies before it is not read. */
const farBlocks = 4n
const pageGrowth = 4
/** Most blocks held; one takes some 3 KB. */
const pageMax = 32

export interface ListCursorOptions {
  readonly context: Pick<ListContext, 'rows' | 'checkpoint'>
  readonly list: ListSource
  readonly term: ListTerm
  /** Inclusive times. */
  readonly lower: bigint
  readonly upper: bigint
  readonly descending: boolean
}

/**
 * Walks the entries of one term in the order of time. The newest runs are one read, all older ones another; blocks are read
 * only where a run says that there are any, a page at a time. While a merge is on its way an entry may be in a run and in
 * a block already: it comes once.
 */
export class ListCursor {
  readonly #options: ListCursorOptions
  readonly #width: number
  /** Runs still to be read, together with what is read at once. */
  readonly #stages: LiveRuns[][]
  /** From runs, in the order of the walk. */
  #fromRuns: Chunk[] = []
  #blocks: Chunk[] = []
  #hasBlocks = false
  /** Of events that were folded after their turn; between the others by their times. */
  #late: Chunk = new Uint8Array()
  #page = firstPage
  /** `from` of the last block read; undefined before the first. */
  #lastBlock: bigint | undefined
  /** Time that a block takes up, by the last one read. */
  #blockSpan = 0n
  #blocksEnded = false
  /** What is still to come, inclusive. */
  #lower: bigint
  #upper: bigint

  constructor(options: ListCursorOptions) {
    const { context, list, lower, upper, descending } = options
    this.#options = options
    this.#width = entryBytes(list.shape)
    this.#lower = lower
    this.#upper = min(upper, context.checkpoint.time)
    const [newest, ...older] = liveRuns(list.shape, context.checkpoint.position)
    const stages = [newest === undefined ? [] : [newest], older].filter(({ length }) => length > 0)
    this.#stages = descending ? stages : stages.reverse()
  }

  /** Entries of the term, ascending within the chunk; undefined when there are no more. Never an empty chunk. */
  async next(): Promise<Chunk | undefined> {
    for (;;) {
      if (this.#lower > this.#upper) return undefined
      const ofRun = this.#cut(this.#fromRuns)
      if (ofRun === undefined && this.#stages.length > 0) {
        await this.#readStage(this.#stages.shift()!)
        continue
      }
      const block = this.#cut(this.#blocks)
      if (block === undefined && this.#hasBlocks && !this.#blocksEnded) {
        await this.#readBlocks()
        continue
      }
      if (ofRun === undefined) return block ? this.#take(this.#blocks) : this.#takeLate()
      if (block === undefined || this.#isBefore(ofRun, block)) return this.#take(this.#fromRuns)
      if (this.#isBefore(block, ofRun)) return this.#take(this.#blocks)
      this.#blocks[0] = union(ofRun, block, this.#width)
      this.#fromRuns.shift()
    }
  }

  /** Passes over what lies before a time, in the order of the walk: a list of many entries costs one of few no more than one read an entry. */
  skipTo(time: bigint): void {
    if (this.#options.descending) this.#upper = min(this.#upper, time)
    else this.#lower = max(this.#lower, time)
  }

  /** The first chunk without what has passed; empty ones are dropped. */
  #cut(chunks: Chunk[]): Chunk | undefined {
    for (;;) {
      const [first] = chunks
      if (first === undefined) return undefined
      const rest = within(first, this.#width, this.#lower, this.#upper)
      if (rest.length > 0) {
        chunks[0] = rest
        return rest
      }
      chunks.shift()
    }
  }

  #isBefore(one: Chunk, other: Chunk): boolean {
    return this.#options.descending
      ? firstTime(one) > lastTime(other, this.#width)
      : lastTime(one, this.#width) < firstTime(other)
  }

  /** The first chunk, with what late entries there are up to its end. */
  #take(chunks: Chunk[]): Chunk {
    const chunk = chunks.shift()!
    const { descending } = this.#options
    const [first, last] = [firstTime(chunk), lastTime(chunk, this.#width)]
    const late = within(this.#late, this.#width, descending ? first : this.#lower, descending ? this.#upper : last)
    if (descending) this.#upper = first - 1n
    else this.#lower = last + 1n
    return late.length === 0 ? chunk : union(chunk, late, this.#width)
  }

  #takeLate(): Chunk | undefined {
    const late = within(this.#late, this.#width, this.#lower, this.#upper)
    this.#late = new Uint8Array()
    return late.length === 0 ? undefined : late
  }

  async #readStage(stage: readonly LiveRuns[]): Promise<void> {
    const { context, list, term, descending } = this.#options
    const { runs, late, since } = await readRuns(context, list, term, stage)
    this.#late = late
    if (descending && since !== undefined && since < this.#lower) this.#stages.length = 0
    this.#hasBlocks ||= runs.some(({ hasBlocks }) => hasBlocks)
    const chunks = runs.map(({ entries }) => entries).filter(({ length }) => length > 0)
    this.#fromRuns = descending ? chunks : chunks.reverse()
  }

  async #readBlocks(): Promise<void> {
    const { context, list, term, descending } = this.#options
    const isFar = this.#lastBlock !== undefined && this.#isFarFrom(this.#lastBlock)
    if (isFar) this.#page = 1
    if (!descending && (isFar || this.#lastBlock === undefined)) {
      await this.#findBlockBefore()
      if (this.#cut(this.#blocks) !== undefined) return
    }
    const after = descending && isFar ? undefined : this.#lastBlock
    const edge = { value: after ?? (descending ? this.#upper : this.#lower), inclusive: after === undefined }
    const found = await context.rows.find({
      collection: `${list.name}Blocks`,
      index: ['kind', 'term', 'from'],
      prefix: [term.kind, term.term],
      ...(descending ? { upper: edge } : { lower: edge, upper: { value: this.#upper, inclusive: true } }),
      descending,
      limit: this.#page,
      select: ['from', 'entries'],
    })
    for (const row of found) this.#addBlock(row)
    this.#blocksEnded = found.length < this.#page || (descending && this.#lastBlock! < this.#lower)
    this.#page = Math.min(this.#page * pageGrowth, pageMax)
  }

  /** Whether what is still to come begins several blocks beyond one. */
  #isFarFrom(block: bigint): boolean {
    const ahead = this.#options.descending ? block - this.#upper : this.#lower - block
    return ahead > this.#blockSpan * farBlocks
  }

  #addBlock(row: Row): void {
    const entries = row['entries'] as Uint8Array
    this.#lastBlock = row['from'] as bigint
    this.#blockSpan = lastTime(entries, this.#width) - this.#lastBlock
    this.#blocks.push(entries)
  }

  /** The block that begins before the range may reach into it. */
  async #findBlockBefore(): Promise<void> {
    const { context, list, term } = this.#options
    const [row] = await context.rows.find({
      collection: `${list.name}Blocks`,
      index: ['kind', 'term', 'from'],
      prefix: [term.kind, term.term],
      upper: { value: this.#lower, inclusive: true },
      descending: true,
      limit: 1,
      select: ['from', 'entries'],
    })
    if (row !== undefined) this.#addBlock(row)
  }
}

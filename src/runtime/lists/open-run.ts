import type { GrowingBytes } from '#src/runtime/lists/growing-bytes.ts'
import { bucketOf, type ListShape } from '#src/runtime/lists/levels.ts'
import { type Block, type NewEntry, OpenBucket } from '#src/runtime/lists/open-bucket.ts'
import { hashTerm, recordBytes, recordOffset, type TermWords, viewOf } from '#src/runtime/lists/records.ts'

/** A bucket whose row has to be written. */
export interface ChangedBucket {
  readonly bucket: number
  readonly records: Uint8Array
}

export interface UnfilledBlock extends TermWords {
  readonly from: bigint
  readonly entries: GrowingBytes
}

/** The run of level 0 in the making. */
export class OpenRun {
  readonly run: number
  readonly #shape: ListShape
  readonly #buckets: (OpenBucket | undefined)[]

  constructor(shape: ListShape, run: number) {
    this.run = run
    this.#shape = shape
    this.#buckets = new Array<OpenBucket | undefined>(shape.buckets).fill(undefined)
  }

  add(entry: NewEntry): void {
    this.#bucket(bucketOf(this.#shape, 0, hashTerm(entry.kind, entry.high, entry.low))).add(entry)
  }

  /** What changed since the last call. */
  takeChanges(): { readonly buckets: ChangedBucket[]; readonly blocks: Block[] } {
    const buckets: ChangedBucket[] = []
    const blocks: Block[] = []
    for (const [index, bucket] of this.#buckets.entries()) {
      if (!bucket?.changed) continue
      bucket.changed = false
      buckets.push({ bucket: index, records: bucket.records.copy() })
      blocks.push(...bucket.takeBlocks())
    }
    return { buckets, blocks }
  }

  /** Takes a stored row up again, without what is later than a time. Returns the blocks that have to be filled. */
  restore(index: number, records: Uint8Array, through: bigint): UnfilledBlock[] {
    const bucket = this.#bucket(index)
    const view = viewOf(records)
    const size = recordBytes(this.#shape)
    for (let offset = 0; offset < records.length; offset += size) {
      if (view.getBigInt64(offset + recordOffset.time) > through) break
      bucket.restore(records, view, offset)
    }
    return bucket.unfilledBlocks()
  }

  #bucket(index: number): OpenBucket {
    this.#buckets[index] ??= new OpenBucket(this.#shape)
    return this.#buckets[index]
  }
}

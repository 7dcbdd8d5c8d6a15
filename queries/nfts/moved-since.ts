import type { Lot } from '#projections/nfts/packing.ts'
import { lotsMoved, type NftRow } from '#projections/nfts/schema.ts'
import { type NftContext, nftFields } from '#queries/nfts/reads.ts'
import { holderOfLot } from '#queries/nfts/show-nfts.ts'

/** A lot that was handed over, with who had it before. */
export interface MovedLot extends Lot {
  readonly token: bigint
  /** null: its NFTs were gone. */
  readonly holder: bigint | null
}

interface Change {
  readonly time: bigint
  readonly token: bigint
  readonly serial: bigint
}

/** Most changes that are read at once. */
const stepRows = 1_000

/**
 * What has changed since the request's instant, as it was then: it may be found in another place by now. Nearly always that is
 * nothing, or what a block or two did.
 */
export class MovedSince {
  /** In no order. */
  readonly nfts: NftRow[] = []
  readonly lots: MovedLot[] = []
  readonly #context: NftContext
  /** Changes until then are known. */
  #time: bigint
  readonly #known = new Set<string>()

  constructor(context: NftContext) {
    this.#context = context
    this.#time = context.checkpoint.time
  }

  /** Reads what has come since it was called before. What was read of other rows until now is told by them, or by this. */
  async read(): Promise<void> {
    if (this.#context.rows.nfts.isNewest) return
    let limit = stepRows
    for (let isAll = false; !isAll; ) {
      const found = await this.#context.rows.nfts.newest.find({
        collection: 'changes',
        index: ['time', 'token', 'serial'],
        lower: { value: this.#time, inclusive: false },
        limit,
        select: ['time', 'token', 'serial'],
      })
      isAll = found.length < limit
      const last = found.at(-1)
      if (last === undefined) return
      const ofLast = found.findIndex(({ time }) => time === last.time)
      // Of the last time there may be more behind the step.
      const read = isAll ? found : found.slice(0, ofLast)
      if (read.length === 0) limit *= 2
      else this.#time = read.at(-1)!.time
      await this.#add(read)
      if (!isAll) await this.#context.pause()
    }
  }

  async #add(changes: readonly Change[]): Promise<void> {
    const keys: (readonly [bigint, bigint])[] = []
    for (const { token, serial, time } of changes) {
      if (serial === lotsMoved) await this.#addLots(token, time)
      else if (this.#isNew(`${token}/${serial}`)) keys.push([token, serial])
    }
    if (keys.length === 0) return
    for (const row of await this.#context.rows.nfts.get('nfts', keys, nftFields))
      if (row !== undefined) this.nfts.push(row)
  }

  async #addLots(token: bigint, time: bigint): Promise<void> {
    for (const { receiver, lot } of await this.#lotsMovedAt(token, time)) {
      if (!this.#isNew(`${token}/${receiver}/${lot}`)) continue
      this.lots.push({ token, receiver, lot, holder: await holderOfLot([token, receiver, lot], this.#context) })
    }
  }

  async #lotsMovedAt(token: bigint, time: bigint): Promise<readonly Lot[]> {
    const { newest } = this.#context.rows.nfts
    const query = { collection: 'lotMoves', index: ['time', 'token'], prefix: [time, token] } as const
    for (let limit = stepRows; ; limit *= 2) {
      const moves = await newest.find({ ...query, limit, select: ['receiver', 'lot'] })
      if (moves.length < limit) return moves
    }
  }

  #isNew(key: string): boolean {
    const { size } = this.#known
    return this.#known.add(key).size > size
  }
}

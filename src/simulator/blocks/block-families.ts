import { bookSystemTransfers, type SystemBalances } from '#src/simulator/blocks/account-values.ts'
import type { BlockItemBytes } from '#src/simulator/blocks/block-item.ts'
import { familyState } from '#src/simulator/blocks/family-state.ts'
import { familyItems } from '#src/simulator/blocks/transaction-items.ts'
import { WrittenSlots } from '#src/simulator/blocks/written-slots.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { Emitted, TransactionSink } from '#src/simulator/emitted.ts'
import type { Instant } from '#src/simulator/time.ts'
import type { World } from '#src/simulator/world.ts'

/** A transaction with all that belongs to it, as items of a block. */
export interface BlockFamily {
  /** Consensus time of the first and of the last of them. */
  readonly first: Instant
  readonly last: Instant
  /** Account of the node that it came through; 0: the network made it itself. */
  readonly node: number
  readonly items: readonly BlockItemBytes[]
}

/** What reaches consensus as the items of a block. */
export class BlockFamilies implements TransactionSink {
  readonly families: BlockFamily[] = []
  readonly #world: World
  readonly #balances: SystemBalances
  #open: Emitted[] = []

  /** Keeps the balances up to date. */
  constructor(world: World, balances: SystemBalances) {
    this.#world = world
    this.#balances = balances
  }

  add(transaction: Emitted): void {
    this.#open.push(transaction)
    bookSystemTransfers(this.#balances, transaction.record['transferList'] as Message)
  }

  endFamily(): void {
    const family = this.#open
    const [first, last] = [family[0], family.at(-1)]
    if (!first || !last) return
    this.#open = []
    const slots = new WrittenSlots(family)
    const state = familyState(this.#world, this.#balances, family, slots)
    const { sidecars: detailed } = this.#world.options
    const node = Math.max(...family.map((transaction) => transaction.node))
    const items = familyItems({ family, slots, state, detailed })
    this.families.push({ first: first.time, last: last.time, node, items })
  }
}

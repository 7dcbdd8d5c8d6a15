import type { BlockStore } from '#src/simulator/block-node/block-store.ts'

/** What is wrong with how a block is served. */
export type BlockFault =
  /** Half of it is sent, then nothing more; the call stays open. */
  | { readonly kind: 'stall' }
  /** Half of it is sent, then the connection is reset. */
  | { readonly kind: 'cut' }
  /** Half of it is sent, then the node is dead (see `BlockFaults.dead`). */
  | { readonly kind: 'die' }
  /** A byte of an item is another. */
  | { readonly kind: 'lie' }
  | { readonly kind: 'skip_block' }
  | { readonly kind: 'skip_item' }
  /** It is sent twice. */
  | { readonly kind: 'repeat' }
  /** It comes with an item of so many bytes, in a message of its own. */
  | { readonly kind: 'large_message'; readonly bytes: number }
  /** It comes with items of together so many bytes, in messages of the usual size. */
  | { readonly kind: 'large_block'; readonly bytes: number }
  /** The block of that number in another chain. */
  | { readonly kind: 'other_chain'; readonly store: BlockStore }
  /** It is sent so much later. */
  | { readonly kind: 'slow'; readonly milliseconds: number }
  /** Its end names the number after it. */
  | { readonly kind: 'wrong_end' }
  /** So many sets without an item come before it. */
  | { readonly kind: 'empty_sets'; readonly count: number }
  /** Instead of it comes a status (SubscribeStreamResponse.Code, or BlockResponse.Code), which ends the call. */
  | { readonly kind: 'status'; readonly code: number }
  /** Instead of it the call fails with a status of gRPC and a text. */
  | { readonly kind: 'fail'; readonly code: number; readonly text: string }

/** The faults of a simulated block node, to be set and mended while it runs. They hold for every stream alike. */
export class BlockFaults {
  readonly #byNumber = new Map<bigint, BlockFault>()
  readonly #listeners = new Set<() => void>()
  #always: BlockFault | undefined
  #dead = false
  #statusDelayMs = 0

  /** A fault of one block, whenever it is sent; undefined mends it. */
  at(number: bigint, fault: BlockFault | undefined): void {
    if (fault) this.#byNumber.set(number, fault)
    else this.#byNumber.delete(number)
    this.#changed()
  }

  /** A fault of all blocks that have none of their own, from now on; undefined mends them. */
  always(fault: BlockFault | undefined): void {
    this.#always = fault
    this.#changed()
  }

  of(number: bigint): BlockFault | undefined {
    return this.#byNumber.get(number) ?? this.#always
  }

  get dead(): boolean {
    return this.#dead
  }

  /** Dead: connections are reset, and new ones are taken and never answered. */
  set dead(dead: boolean) {
    if (dead === this.#dead) return
    this.#dead = dead
    this.#changed()
  }

  get statusDelayMs(): number {
    return this.#statusDelayMs
  }

  /** How long an answer about the status takes, milliseconds. */
  set statusDelayMs(milliseconds: number) {
    this.#statusDelayMs = milliseconds
  }

  clear(): void {
    this.#byNumber.clear()
    this.#always = undefined
    this.#dead = false
    this.#statusDelayMs = 0
    this.#changed()
  }

  /** Calls back at each change; returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

import type { Emitter } from '#src/simulator/emitter.ts'
import { genesis } from '#src/simulator/genesis.ts'
import { accounts } from '#src/simulator/ids.ts'
import { accountCreation } from '#src/simulator/kinds/account.ts'
import { plainTransfer } from '#src/simulator/kinds/hbar.ts'
import { type KindName, kindNames, kinds } from '#src/simulator/kinds/index.ts'
import {
  nodeStakeUpdate,
  openingFiles,
  publicationOf,
  systemFileCreate,
  systemFileUpdate,
} from '#src/simulator/kinds/network.ts'
import { createAccount } from '#src/simulator/kinds/new-account.ts'
import { kindPicker } from '#src/simulator/mix.ts'
import type { Prng } from '#src/simulator/prng.ts'
import type { Submission } from '#src/simulator/submission.ts'
import { addNanos, type Instant } from '#src/simulator/time.ts'
import type { World } from '#src/simulator/world.ts'

export interface TrafficState {
  /** Kinds that have not been shown yet. */
  readonly unseen: readonly KindName[]
  /** Staking period of the newest node stake update. */
  readonly stakePeriod: number
  /** Fraction of a transaction left over from the blocks before. */
  readonly carry: number
}

const initialBalance = 1_000_000_000_000
const accountsPerBlock = 4_000
/** What must exist before anything can be done with it, made in the first block. */
const setup: readonly KindName[] = [
  ...Array.from({ length: 8 }, (): KindName => 'tokenCreate'),
  ...Array.from({ length: 4 }, (): KindName => 'nftCreate'),
  ...Array.from({ length: 6 }, (): KindName => 'nftMint'),
  ...Array.from({ length: 8 }, (): KindName => 'topicCreate'),
  ...Array.from({ length: 4 }, (): KindName => 'contractCreate'),
  ...Array.from({ length: 3 }, (): KindName => 'fileCreate'),
]

/** Decides what happens in a block: what is due, and what the users feel like. */
export class Traffic {
  readonly #world: World
  readonly #addressBook: (edition: number) => Uint8Array
  readonly #pick: (prng: Prng) => KindName
  #unseen: KindName[]
  #stakePeriod: number
  #carry: number

  constructor(world: World, addressBook: (edition: number) => Uint8Array, saved?: TrafficState) {
    const { mix } = world.options
    this.#world = world
    this.#addressBook = addressBook
    this.#pick = kindPicker(mix)
    this.#unseen = saved
      ? [...saved.unseen]
      : mix.showEachKind
        ? kindNames.filter((name) => (mix.weights[name] ?? 0) > 0)
        : []
    this.#stakePeriod = saved?.stakePeriod ?? -1
    this.#carry = saved?.carry ?? 0
  }

  get state(): TrafficState {
    return { unseen: [...this.#unseen], stakePeriod: this.#stakePeriod, carry: this.#carry }
  }

  /** Emits the transactions of the block that begins at `start`; `index` counts blocks from 0. */
  async fill(emitter: Emitter, start: Instant, index: number): Promise<void> {
    this.#emitDue(emitter, index)
    this.#createUsers(emitter)
    if (index === 0) await this.#setUp(emitter)
    await this.#emitWishes(emitter, start, index)
    // Last, so that the times of all others are the same with a ledger as without one.
    const { publication } = this.#world
    if (index === 0 && publication) emitter.emit(publicationOf(publication))
  }

  #emitDue(emitter: Emitter, index: number): void {
    const { stakingPeriod, options } = this.#world
    if (index === 0) for (const submission of genesis(this.#world)) emitter.emit(submission)
    if (stakingPeriod !== this.#stakePeriod) {
      this.#stakePeriod = stakingPeriod
      emitter.emit(nodeStakeUpdate(this.#world))
    }
    const interval = options.addressBookUpdateBlocks
    if (index === 0) this.#emitSystemFiles(emitter)
    else if (interval > 0 && index % interval === 0) this.#emitAddressBook(emitter, index / interval)
  }

  #emitSystemFiles(emitter: Emitter): void {
    const book = this.#addressBook(0)
    for (const file of [101, 102]) for (const part of systemFileCreate(file, book)) emitter.emit(part)
    for (const part of openingFiles(this.#world)) emitter.emit(part)
  }

  /** Those who verify streams get a new book every time, clients every other. */
  #emitAddressBook(emitter: Emitter, edition: number): void {
    const book = this.#addressBook(edition)
    for (const file of edition % 2 === 0 ? [102] : [101, 102])
      for (const part of systemFileUpdate(file, book, accounts.addressBookAdmin)) emitter.emit(part)
  }

  #createUsers(emitter: Emitter): void {
    const { options, prng, state } = this.#world
    const missing = Math.min(accountsPerBlock, options.accounts - state.users.length)
    for (let created = 0; created < missing; created++) {
      const ecdsa = prng.chance(0.1)
      const account = createAccount(this.#world, { ecdsa, alias: ecdsa ? 'address' : 'none', user: true })
      emitter.emit(accountCreation(this.#world, account, accounts.treasury, initialBalance))
    }
  }

  async #setUp(emitter: Emitter): Promise<void> {
    const { weights } = this.#world.options.mix
    this.#world.failureShare = 0
    for (const name of setup) if ((weights[name] ?? 0) > 0) await this.#emitKind(emitter, name)
  }

  /** Spreads what the users submit over the rest of the block. */
  async #emitWishes(emitter: Emitter, start: Instant, index: number): Promise<void> {
    const { options, prng } = this.#world
    const blockNanos = options.blockSeconds * 1e9
    const wanted = options.transactionsPerSecond * options.blockSeconds * (0.9 + 0.2 * prng.unit()) + this.#carry
    const count = Math.max(Math.floor(wanted), emitter.count === 0 ? 1 : 0)
    this.#carry = Math.max(0, wanted - Math.floor(wanted))
    const used = nanosBetween(start, this.#world.now)
    const slot = (blockNanos - used) / (count + 1)
    for (let turn = 0; turn < count; turn++) {
      const planned = addNanos(start, Math.floor(used + slot * (turn + prng.unit() * 0.5)))
      if (nanosBetween(this.#world.now, planned) > 0) this.#world.now = planned
      await this.#emitNext(emitter, index > 0 && turn % 2 === 0)
    }
  }

  /** Every other transaction shows a kind that has not been seen, as long as there are such. */
  async #emitNext(emitter: Emitter, showing: boolean): Promise<void> {
    const { mix } = this.#world.options
    const shown = showing ? this.#unseen.shift() : undefined
    this.#world.failureShare = shown ? 0 : mix.failureShare
    const done = await this.#emitKind(emitter, shown ?? this.#pick(this.#world.prng))
    if (shown && !done) this.#unseen.push(shown)
  }

  /** Falls back to a payment where the ledger holds nothing to do the kind with. */
  async #emitKind(emitter: Emitter, name: KindName): Promise<boolean> {
    const planned = await kinds[name](this.#world)
    const submissions: readonly Submission[] = planned === undefined ? [plainTransfer(this.#world)] : [planned].flat()
    for (const submission of submissions) emitter.emit(submission)
    return planned !== undefined
  }
}

function nanosBetween(from: Instant, to: Instant): number {
  return (to.seconds - from.seconds) * 1e9 + to.nanos - from.nanos
}

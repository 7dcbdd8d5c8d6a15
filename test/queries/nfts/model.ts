import type { LogRecord } from '#src/ports/message-log.ts'
import type { Prng } from '#src/simulator/prng.ts'
import { approved, burned, described, minted, transferred, treasuryChanged } from '#test/projections/nfts/story.ts'

export interface ModelNft {
  readonly token: bigint
  readonly serial: bigint
  owner: bigint | null
  modified: bigint
  spender: bigint | null
  deleted: boolean
  /** Times that it changed. */
  readonly changes: bigint[]
}

/** NFTs one by one, as a change of treasury touches each of them: what the lots are held against. */
export class NftModel {
  readonly nfts: ModelNft[] = []
  readonly records: LogRecord[] = []
  readonly #prng: Prng
  readonly #tokens: readonly bigint[]
  readonly #accounts: readonly bigint[]
  #time = 0n

  constructor(prng: Prng, tokens: readonly bigint[], accounts: readonly bigint[]) {
    this.#prng = prng
    this.#tokens = tokens
    this.#accounts = accounts
  }

  step(): void {
    this.#time += 10n
    const { below } = this.#prng
    const kind = below.call(this.#prng, 10)
    const id = this.#pick(this.#tokens)
    const living = this.nfts.filter(({ token, deleted }) => token === id && !deleted)
    const nft = living.length > 0 ? this.#pick(living) : undefined
    if (nft === undefined || kind < 2) this.#mint(id)
    else if (kind < 5) this.#transfer(nft)
    else if (kind < 7) this.#handOver(nft, living)
    else if (kind < 8 && nft.token === this.#tokens[0]) this.#burn(nft)
    else if (kind < 9) this.#approve(nft)
    else if (nft.token === this.#tokens[0]) this.#describe(nft)
    else this.#transfer(nft)
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#prng.below(all.length)]!
  }

  #change(nft: ModelNft, change: Partial<ModelNft>): void {
    Object.assign(nft, { modified: this.#time, ...change })
    nft.changes.push(this.#time)
  }

  #mint(token: bigint): void {
    const owner = this.#pick(this.#accounts)
    const first = BigInt(this.nfts.filter((nft) => nft.token === token).length) + 1n
    const serials = [first, first + 1n]
    for (const serial of serials) {
      const nft = { token, serial, owner, modified: 0n, spender: null, deleted: false, changes: [] }
      this.nfts.push(nft)
      this.#change(nft, {})
    }
    this.records.push(minted(this.#time, serials, token, owner))
  }

  #transfer(nft: ModelNft): void {
    const receiver = this.#pick(this.#accounts)
    this.records.push(transferred(this.#time, [[nft.serial, nft.owner, receiver]], nft.token))
    this.#change(nft, { owner: receiver, spender: null })
  }

  #handOver({ token, owner: sender }: ModelNft, living: readonly ModelNft[]): void {
    const receiver = this.#pick(this.#accounts)
    this.records.push(treasuryChanged(this.#time, sender!, receiver, token))
    for (const nft of living.filter(({ owner }) => owner === sender))
      this.#change(nft, { owner: receiver, spender: null })
  }

  #burn(nft: ModelNft): void {
    this.records.push(burned(this.#time, [nft.serial], nft.owner!))
    this.#change(nft, { owner: null, spender: null, deleted: true })
  }

  #approve(nft: ModelNft): void {
    const spender = this.#pick(this.#accounts)
    this.records.push(approved(this.#time, { owner: nft.owner!, spender, serials: [nft.serial], id: nft.token }))
    this.#change(nft, { spender })
  }

  #describe(nft: ModelNft): void {
    this.records.push(described(this.#time, [nft.serial], `at ${this.#time}`))
    this.#change(nft, {})
  }
}

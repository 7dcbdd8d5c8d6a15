import type {
  ExecutedItem,
  LedgerChange,
  LedgerObserver,
  LedgerTables,
  NftFacts,
  TableName,
} from '#src/simulator/ledger-change.ts'
import { type LedgerPast, LedgerView, type RewardPaid, type VersionedTables } from '#src/simulator/ledger-view.ts'
import type { TokenMovement } from '#src/simulator/movement.ts'
import { emptyRows } from '#src/simulator/rows.ts'
import { nanosSinceEpoch } from '#src/simulator/time.ts'
import { Versions } from '#src/simulator/versions.ts'

/** A transfer takes the right to another one away. */
const unapproved: Partial<NftFacts> = { spender: null, delegatingSpender: null }

/**
 * Everything that ever held on a simulated ledger, told by the network as it executes: what tests hold answers about any
 * instant against. Its memory grows with the ledger, so only tests keep one. It has to watch from the first block on.
 */
export class LedgerHistory implements LedgerObserver, LedgerPast {
  readonly tables: VersionedTables
  /** Tinybars by account number. */
  readonly balances = new Map<number, Versions<bigint>>()
  readonly rewards: RewardPaid[] = []
  #newest = 0n
  #items = 0
  #balancesChanged = new Versions<null>()
  readonly #nftsByToken = new Map<number, Map<string, number>>()
  /** Keys of several parts by table and first part: most questions are about one account, token or topic. */
  readonly #keysByOwner = new Map<string, string[]>()

  constructor() {
    const tables = Object.keys(emptyRows).map((name) => [name, new Map()])
    this.tables = Object.fromEntries(tables) as VersionedTables
  }

  /** Consensus time of the newest item. */
  get newest(): bigint {
    return this.#newest
  }

  get items(): number {
    return this.#items
  }

  /** The state after everything up to and including the time. */
  at(time: bigint): LedgerView {
    return new LedgerView(this, time)
  }

  now(): LedgerView {
    return this.at(this.#newest)
  }

  /** When any balance, of hbar or a token, changed last, at or before the time. */
  balancesChangedAt(time: bigint): bigint | undefined {
    return this.#balancesChanged.at(time)?.since
  }

  /** Keys of a table that may begin so: those with the same first part, or all where the prefix names none whole. */
  keysOf(table: TableName, prefix: string): Iterable<string> {
    const end = prefix.indexOf('/')
    return end < 0 ? this.tables[table].keys() : (this.#keysByOwner.get(`${table}/${prefix.slice(0, end)}`) ?? [])
  }

  executed({ time, hbar, tokens, rewards, changes }: ExecutedItem): void {
    this.#newest = nanosSinceEpoch(time)
    this.#items += 1
    for (const change of changes) this.#apply(change)
    for (const [num, amount] of hbar) this.#book(num, BigInt(amount))
    for (const movement of tokens) this.#move(movement)
    const isRelated = changes.some(({ table }) => table === 'relations')
    if (hbar.length + tokens.length > 0 || isRelated) this.#balancesChanged.set(this.#newest, null)
    for (const [account, amount] of rewards) this.rewards.push({ account, amount, time: this.#newest })
  }

  #apply(change: LedgerChange): void {
    this.#set(change.table, change.key, change.set as Partial<LedgerTables[TableName]>, change.fresh ?? false)
  }

  #set<T extends TableName>(table: T, key: string, set: Partial<LedgerTables[T]>, fresh = false): void {
    const rows: Map<string, Versions<LedgerTables[T]>> = this.tables[table]
    const known = rows.get(key)
    if (known === undefined) this.#group(table, key)
    const versions = known ?? new Versions<LedgerTables[T]>()
    rows.set(key, versions)
    const empty: LedgerTables[T] = emptyRows[table]
    const born = fresh && 'createdAt' in empty ? { createdAt: this.#newest } : {}
    const before = fresh ? empty : (versions.newest ?? empty)
    versions.set(this.#newest, { ...before, ...born, ...set })
  }

  #group(table: TableName, key: string): void {
    const end = key.indexOf('/')
    if (end < 0) return
    const place = `${table}/${key.slice(0, end)}`
    const keys = this.#keysByOwner.get(place)
    if (keys === undefined) this.#keysByOwner.set(place, [key])
    else keys.push(key)
  }

  #book(num: number, amount: bigint): void {
    const versions = this.balances.get(num) ?? new Versions<bigint>()
    this.balances.set(num, versions)
    versions.set(this.#newest, (versions.newest ?? 0n) + amount)
  }

  #move({ token, transfers = [], nfts = [] }: TokenMovement): void {
    const collection = this.tables.tokens.get(String(token))?.newest?.nft ?? false
    for (const [num, amount] of transfers) {
      if (collection) this.#dropNfts(token, num)
      else this.#hold(num, token, BigInt(amount))
    }
    for (const { serial, sender, receiver } of nfts) {
      if (serial < 0) this.#moveAll(token, sender, receiver)
      else this.#give(token, String(serial), sender, receiver)
    }
  }

  #hold(num: number, token: number, amount: bigint): void {
    const key = `${num}/${token}`
    const before = this.tables.relations.get(key)?.at(this.#newest)
    const balance = (before?.value.balance ?? 0n) + amount
    // What a dissociation takes away does not associate again.
    const isLeaving = before?.since === this.#newest && !before.value.associated
    this.#set('relations', key, { balance, associated: !isLeaving })
  }

  #give(token: number, serial: string, sender: number, receiver: number): void {
    const owners = this.#nftsByToken.get(token) ?? new Map<string, number>()
    this.#nftsByToken.set(token, owners)
    this.#set('nfts', `${token}/${serial}`, { ...unapproved, owner: receiver === 0 ? null : receiver })
    if (sender !== 0) this.#hold(sender, token, -1n)
    if (receiver === 0) owners.delete(serial)
    else {
      this.#hold(receiver, token, 1n)
      owners.set(serial, receiver)
    }
  }

  #serialsOf(token: number, owner: number): string[] {
    return [...(this.#nftsByToken.get(token) ?? [])].filter(([, holder]) => holder === owner).map(([serial]) => serial)
  }

  /** A new treasury takes over all that the former one held. */
  #moveAll(token: number, sender: number, receiver: number): void {
    for (const serial of this.#serialsOf(token, sender)) this.#give(token, serial, sender, receiver)
  }

  /** A fungible-style entry for a collection: the account leaves a deleted collection with all its NFTs. */
  #dropNfts(token: number, owner: number): void {
    for (const serial of this.#serialsOf(token, owner)) {
      this.#set('nfts', `${token}/${serial}`, { ...unapproved, owner: null })
      this.#nftsByToken.get(token)?.delete(serial)
    }
    this.#set('relations', `${owner}/${token}`, { balance: 0n })
  }
}

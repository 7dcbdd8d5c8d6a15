import type { StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address, bytesToHex, KECCAK256_NULL } from '@ethereumjs/util'
import { LedgerError } from '#src/domain/errors.ts'
import { keccak256 } from '#src/domain/keccak.ts'
import { type HexAddress, isSystemAccount, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import type { EntityFacts, EntityKind, LedgerState } from '#src/evm/ledger-state.ts'
import { proxyCode } from '#src/evm/proxy-code.ts'
import { ScheduleWorld } from '#src/evm/schedule-world.ts'
import { TokenWorld } from '#src/evm/token-world.ts'
import { UndoLog } from '#src/evm/undo-log.ts'

/** What may be spent by who has less: enough for any call. */
const pretendedBalance = 100_000_000_000_000_000n
const none = new Uint8Array(0)
const lastDummy = 999n

/** What is said of an account; undefined leaves it as the ledger has it. */
export interface AccountFields {
  /** tinybar. */
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
}

interface WorldOptions {
  readonly state: LedgerState
  /** All accounts but contracts count as rich, except where their balance is looked at. */
  readonly allAreRich: boolean
}

/**
 * What a simulated transaction sees and changes: the ledger at one instant, and beside it what was written since, which frames that
 * fail take back. Addresses are 0x and 40 lower-case hex digits; each entity has one under which it can be seen.
 */
export class World implements StateManagerInterface {
  /** As of the block that is run now. */
  state: LedgerState
  readonly changes = new UndoLog()
  readonly tokens: TokenWorld
  readonly schedules: ScheduleWorld
  readonly #allAreRich: boolean
  /** What accounts have only for show, by address. */
  readonly #pretended = new Map<string, bigint>()
  /** Balances that are shown whatever is spent. */
  readonly #forShow = new Map<HexAddress, { readonly balance: bigint; readonly more: bigint }>()
  readonly #unknown = new Set<string>()
  readonly #entities = new Map<string, Promise<EntityFacts | undefined>>()
  readonly #originals = new Map<string, Uint8Array>()
  #lastEntity: Promise<bigint> | undefined

  readonly originalStorageCache: StateManagerInterface['originalStorageCache'] = {
    get: async (address, key) => this.#originals.get(slotKey(address, key)) ?? (await this.getStorage(address, key)),
    clear: () => this.#originals.clear(),
  }

  constructor({ state, allAreRich }: WorldOptions) {
    this.state = state
    this.tokens = new TokenWorld(state, this.changes)
    this.schedules = new ScheduleWorld(state, this.changes)
    this.#allAreRich = allAreRich
  }

  /** What is seen at an address: of an entity that has one of its own, nothing at its number's. */
  entityAt(address: HexAddress): Promise<EntityFacts | undefined> {
    const added = this.changes.get<EntityFacts>(`e${address}`)
    if (added !== undefined) return Promise.resolve(added)
    let found = this.#entities.get(address)
    if (found === undefined) {
      found = this.#find(address)
      this.#entities.set(address, found)
    }
    return found
  }

  /** An entity by its number, wherever it is seen. */
  async entityOf(id: bigint): Promise<EntityFacts | undefined> {
    return this.changes.get<EntityFacts>(`i${id}`) ?? (await this.state.entity(id))
  }

  /** Adds what the transaction makes: it has the next number, and is seen at it where it has no address of its own. */
  async addEntity(kind: EntityKind, evmAddress: HexAddress | null, number?: bigint): Promise<bigint> {
    const id = number ?? (await this.newEntity())
    const facts: EntityFacts = { id, kind, evmAddress, balance: 0n, nonce: 0n, key: null }
    const address = addressOf(facts)
    this.changes.set(`e${address}`, facts)
    this.changes.set(`i${id}`, facts)
    if (await this.exists(address)) return id
    const code = await this.#codeOf(address, facts)
    this.changes.set(`c${address}`, code)
    this.changes.set(`a${address}`, await this.#accountOf(address, facts))
    return id
  }

  /** Says what an account has in the place of what the ledger says, also where nothing is. Returns where it is seen. */
  async replaceAccount(address: HexAddress, { balance, nonce, code }: AccountFields): Promise<HexAddress> {
    const found = await this.resolve(address)
    const number = numberOf(address)
    if (found === undefined) await this.addEntity('account', number === undefined ? address : null, number)
    const place = found === undefined ? address : addressOf(found)
    if (code !== undefined) await this.#replaceCode(place, code)
    const account = (await this.#account(place)) ?? new Account()
    if (balance !== undefined) {
      this.#unknown.delete(`balance ${place}`)
      this.#pretended.delete(place)
      account.balance = balance
    }
    if (nonce !== undefined) {
      this.#unknown.delete(`nonce ${place}`)
      account.nonce = nonce
    }
    this.changes.set(`a${place}`, account)
    return place
  }

  /** What has code is a contract, which pays for its calls as the account that it was. */
  async #replaceCode(place: HexAddress, code: Uint8Array): Promise<void> {
    this.changes.set(`c${place}`, code)
    const known = await this.entityAt(place)
    const account = await this.#account(place)
    if (known === undefined || account === undefined) return
    const facts: EntityFacts = { ...known, kind: 'contract', pays: known.pays ?? known.kind === 'account' }
    this.changes.set(`e${place}`, facts)
    this.changes.set(`i${facts.id}`, facts)
    account.codeHash = hashOfCode(code)
    this.changes.set(`a${place}`, account)
  }

  /** Says what slots hold, and of the others that they hold nothing where that is wanted. */
  replaceStorage(place: HexAddress, slots: ReadonlyMap<string, Uint8Array>, isWhole: boolean): void {
    if (isWhole) {
      this.changes.set(`n${place}`, true)
      this.changes.forget(`s${place}`)
    }
    for (const [slot, value] of slots) this.changes.set(`s${place}${slot}`, value)
  }

  /** Ends a transaction: the next one finds what it left, and nothing to spend that was only for show. */
  async endTransaction(): Promise<void> {
    this.#originals.clear()
    for (const [address, { more }] of this.#forShow) {
      const account = await this.#account(address)
      if (account === undefined) continue
      account.balance = account.balance > more ? account.balance - more : 0n
      this.changes.set(`a${address}`, account)
    }
    this.#forShow.clear()
  }

  /** Gives a number to a contract that the transaction created: services know accounts by it. */
  async adopt(address: HexAddress): Promise<bigint> {
    const number = numberOf(address)
    if (number === undefined) return this.addEntity('contract', address)
    const facts: EntityFacts = { id: number, kind: 'contract', evmAddress: null, balance: 0n, nonce: 0n, key: null }
    this.changes.set(`e${address}`, facts)
    this.changes.set(`i${number}`, facts)
    return number
  }

  /** An entity by number, also where it is seen elsewhere; or by its address. */
  async resolve(address: HexAddress): Promise<EntityFacts | undefined> {
    const number = numberOf(address)
    if (number === undefined) return this.entityAt(address)
    return (await this.entityAt(address)) ?? (await this.state.entity(number))
  }

  async #find(address: HexAddress): Promise<EntityFacts | undefined> {
    const number = numberOf(address)
    if (number === undefined) return this.state.entityAt(address)
    const entity = await this.state.entity(number)
    if (entity !== undefined) return entity.evmAddress === null ? entity : undefined
    return number <= lastDummy ? { ...dummy, id: number } : undefined
  }

  /** The next number for a new entity. */
  async newEntity(): Promise<bigint> {
    this.#lastEntity ??= this.state.lastEntity()
    const next = (this.changes.get<bigint>('last') ?? (await this.#lastEntity) + numbersApart) + 1n
    this.changes.set('last', next)
    return next
  }

  /** Says that an account can spend so much more than it has, which is not seen in its balance: neither when it is spent. */
  async pretend(address: HexAddress, amount: bigint): Promise<void> {
    const account = await this.#account(address)
    if (account === undefined) return
    this.#forShow.set(address, { balance: await this.shownBalance(address), more: amount })
    account.balance += amount
    this.changes.set(`a${address}`, account)
  }

  /** What an account really has, as far as is known. */
  async heldBalance(address: HexAddress): Promise<bigint> {
    const account = await this.#account(address)
    return (account?.balance ?? 0n) - (this.#pretended.get(address) ?? 0n)
  }

  /** The balance as it is looked at. */
  async shownBalance(address: HexAddress): Promise<bigint> {
    const forShow = this.#forShow.get(address)
    if (forShow !== undefined) return forShow.balance
    const account = await this.#account(address)
    if (account === undefined) return 0n
    this.assertKnown('balance', address)
    const shown = account.balance - (this.#pretended.get(address) ?? 0n)
    return shown < 0n ? 0n : shown
  }

  async exists(address: HexAddress): Promise<boolean> {
    return (await this.#account(address)) !== undefined
  }

  async #account(address: HexAddress): Promise<Account | undefined> {
    const key = `a${address}`
    if (this.changes.has(key)) return copyOf(this.changes.get<Account>(key))
    const entity = await this.entityAt(address)
    const account = entity && (await this.#accountOf(address, entity))
    this.changes.set(key, account)
    return copyOf(account)
  }

  async #accountOf(address: HexAddress, { kind, balance, nonce }: EntityFacts): Promise<Account> {
    const code = await this.#code(address)
    const hash = hashOfCode(code)
    // What is not known counts for nothing until it is asked for, and then the call ends.
    if (balance === null) this.#unknown.add(`balance ${address}`)
    if (nonce === null) this.#unknown.add(`nonce ${address}`)
    const held = balance ?? 0n
    const isShort = this.#allAreRich && kind === 'account' && !isSystemAccount(address) && held < pretendedBalance
    if (isShort) this.#pretended.set(address, pretendedBalance - held)
    return new Account(nonce ?? 0n, isShort ? pretendedBalance : held, undefined, hash)
  }

  /** Throws `fact_unknown` where the log does not say what an account has, or how many contracts it created. */
  assertKnown(fact: 'balance' | 'nonce', address: HexAddress): void {
    if (!this.#unknown.has(`${fact} ${address}`)) return
    throw new LedgerError('fact_unknown', `The call needs the ${fact} of ${address}, which the log does not say`)
  }

  async #code(address: HexAddress): Promise<Uint8Array> {
    const key = `c${address}`
    const known = this.changes.get<Uint8Array>(key)
    if (known !== undefined) return known
    const entity = await this.entityAt(address)
    const code = entity === undefined ? none : await this.#codeOf(address, entity)
    this.changes.set(key, code)
    return code
  }

  async #codeOf(address: HexAddress, { id, kind }: EntityFacts): Promise<Uint8Array> {
    if (kind === 'contract') return this.changes.has(`i${id}`) ? none : this.state.code(id)
    return kind === 'account' ? none : proxyCode(kind, address)
  }

  getAccount(address: Address): Promise<Account | undefined> {
    return this.#account(address.toString())
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    await this.#account(address.toString())
    this.changes.set(`a${address.toString()}`, copyOf(account))
  }

  async deleteAccount(address: Address): Promise<void> {
    this.changes.set(`a${address.toString()}`, undefined)
    this.changes.set(`c${address.toString()}`, none)
  }

  async modifyAccountFields(address: Address, fields: Partial<Account>): Promise<void> {
    const account = (await this.#account(address.toString())) ?? new Account()
    await this.putAccount(address, Object.assign(account, fields))
  }

  async putCode(address: Address, value: Uint8Array): Promise<void> {
    this.changes.set(`c${address.toString()}`, value)
    await this.modifyAccountFields(address, { codeHash: keccak256(value) } as Partial<Account>)
  }

  getCode(address: Address): Promise<Uint8Array> {
    return this.#code(address.toString())
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    const key = slotKey(address, slot)
    const known = this.changes.get<Uint8Array>(key)
    if (known !== undefined) return known
    const entity = await this.entityAt(address.toString())
    const isKept = entity?.kind === 'contract' && !this.changes.has(`n${address.toString()}`)
    const value = isKept ? await this.state.slot(entity.id, slot) : none
    this.#originals.set(key, value)
    return value
  }

  async putStorage(address: Address, slot: Uint8Array, value: Uint8Array): Promise<void> {
    const key = slotKey(address, slot)
    if (!this.#originals.has(key)) this.#originals.set(key, await this.getStorage(address, slot))
    this.changes.set(key, value)
  }

  /** Of an account that becomes a contract: it has none but what it writes. */
  async clearStorage(address: Address): Promise<void> {
    this.changes.set(`n${address.toString()}`, true)
  }

  async checkpoint(): Promise<void> {
    this.changes.checkpoint()
  }

  async commit(): Promise<void> {
    this.changes.commit()
  }

  async revert(): Promise<void> {
    this.changes.revert()
  }

  // Nothing of a simulation is hashed, copied or forgotten on the way.
  async getStateRoot(): Promise<Uint8Array> {
    return none
  }

  async setStateRoot(): Promise<void> {}

  async hasStateRoot(): Promise<boolean> {
    return true
  }

  clearCaches(): void {}

  shallowCopy(): StateManagerInterface {
    return this
  }
}

/** Numbers of a simulation begin so far above the ledger's, which goes on meanwhile. */
const numbersApart = 1_001n

/** An account of the system that nothing is known of. */
const dummy: EntityFacts = { id: 0n, kind: 'account', evmAddress: null, balance: 0n, nonce: 0n, key: null }

/** Threads keep code for many calls, and hashing it takes as long as running much of it. */
const codeHashes = new WeakMap<Uint8Array, Uint8Array>()

function hashOfCode(code: Uint8Array): Uint8Array {
  if (code.length === 0) return KECCAK256_NULL
  const hash = codeHashes.get(code) ?? keccak256(code)
  codeHashes.set(code, hash)
  return hash
}

function slotKey(address: Address, slot: Uint8Array): string {
  return `s${address.toString()}${bytesToHex(slot)}`
}

function copyOf(account: Account | undefined): Account | undefined {
  return account && new Account(account.nonce, account.balance, account.storageRoot, account.codeHash)
}

/** The address under which an entity is seen. */
export function addressOf({ id, evmAddress }: Pick<EntityFacts, 'id' | 'evmAddress'>): HexAddress {
  return evmAddress ?? longZeroOf(id)
}

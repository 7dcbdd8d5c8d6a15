import type { ContractCode } from '#src/simulator/evm/code.ts'
import { accounts, firstUserEntity } from '#src/simulator/ids.ts'
import { KeyRing } from '#src/simulator/keys.ts'
import type { LedgerObserver } from '#src/simulator/ledger-change.ts'
import {
  type Account,
  type Contract,
  emptyLedger,
  forget,
  type Holder,
  type LedgerState,
  type Token,
} from '#src/simulator/ledger-state.ts'
import type { Prng } from '#src/simulator/prng.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'
import type { ResponseName } from '#src/simulator/response-codes.ts'
import { epochDay, type Instant } from '#src/simulator/time.ts'

const poorTinybars = 2_000_000_000
const guestsMost = 1_000
const contractsMost = 50
/** Everyone who stakes has to be remembered, so newcomers stop staking beyond the users and so many more. */
const otherStakersMost = 300

/** What a world may begin with. */
export interface WorldFacts {
  readonly state?: LedgerState | undefined
  readonly observer?: LedgerObserver | undefined
  readonly publication?: Uint8Array | undefined
}

/** The ledger as the kinds of transactions see it: its state, its chance, its clock, and how to pick from it. */
export class World {
  readonly options: ResolvedOptions
  readonly prng: Prng
  readonly state: LedgerState
  readonly keys: KeyRing
  /** Consensus time that the next transaction gets. */
  now: Instant = { seconds: 0, nanos: 0 }
  /** The block that is being made, and when its first transaction reached consensus; undefined before that. */
  block: { readonly number: number; first: Instant | undefined } = { number: 0, first: undefined }
  /** Share of transactions that fail; 0 while each kind is shown for the first time. */
  failureShare = 0
  /** Undefined in normal runs: then nothing but the bounded state is kept. */
  readonly observer: LedgerObserver | undefined
  /** What the nodes publish of the ledger that signs their blocks, where they have one. */
  readonly publication: Uint8Array | undefined
  readonly #byNum: Map<number, Account>
  readonly #contracts: Map<number, Contract>
  readonly #numsByAddress = new Map<string, number>()
  readonly #stakers: Set<Holder>
  #removed: Account[] = []
  readonly #formerContracts = new Map<number, Contract>()

  constructor(options: ResolvedOptions, prng: Prng, known: WorldFacts = {}) {
    const { state, observer, publication } = known
    this.options = options
    this.prng = prng
    this.observer = observer
    this.publication = publication
    this.keys = new KeyRing(options.seed)
    // What a state does not know that an earlier release saved begins with nothing.
    this.state = { ...emptyLedger(options.nodes, firstUserEntity), ...state }
    this.#byNum = new Map([...this.state.users, ...this.state.guests].map((account) => [account.num, account]))
    for (const account of this.#byNum.values()) this.#noteAddress(account)
    this.#contracts = new Map(this.state.contracts.map((contract) => [contract.num, contract]))
    const holders: Holder[] = [...this.#byNum.values(), ...this.#contracts.values()]
    this.#stakers = new Set(holders.filter(({ staking }) => staking !== null))
  }

  /** UTC day since the epoch. */
  get today(): number {
    return epochDay(this.now)
  }

  get stakingPeriod(): number {
    return Math.floor(this.now.seconds / this.options.stakeUpdateSeconds)
  }

  newEntity(): number {
    return this.state.nextEntity++
  }

  account(num: number): Account | undefined {
    return this.#byNum.get(num)
  }

  addUser(account: Account): void {
    this.state.users.push(account)
    this.#remember(account)
  }

  addGuest(account: Account): void {
    this.state.guests.push(account)
    this.#remember(account)
    const oldest = spared(this.state.guests, guestsMost)
    if (oldest) this.#forget(oldest)
  }

  #remember(account: Account): void {
    this.#byNum.set(account.num, account)
    this.#noteAddress(account)
  }

  #noteAddress({ num, evmAddress }: Account): void {
    if (evmAddress !== null) this.#numsByAddress.set(evmAddress, num)
  }

  /** Another account may have its address by now. */
  #forget({ num, evmAddress }: Account): void {
    this.#byNum.delete(num)
    if (evmAddress !== null && this.#numsByAddress.get(evmAddress) === num) this.#numsByAddress.delete(evmAddress)
  }

  addContract(contract: Contract): void {
    this.state.contracts.push(contract)
    this.#contracts.set(contract.num, contract)
  }

  /** Between blocks: what a contract that was just made has in its storage is not known at once. */
  #spareContracts(): void {
    for (;;) {
      const oldest = spared(this.state.contracts, contractsMost, (each) => !this.#isNamed(each))
      if (oldest === undefined) return
      this.#contracts.delete(oldest.num)
    }
  }

  /** Whether another one has its address in its storage: as of a proxy, its code runs there as long as the proxy is called. */
  #isNamed({ evmAddress }: Contract): boolean {
    const name = evmAddress.replace(/^0+/, '')
    return this.state.contracts.some(({ slots = {} }) => Object.values(slots).includes(name))
  }

  contract(num: number): Contract | undefined {
    return this.#contracts.get(num)
  }

  /** Contracts whose storage is known, so that they can be called. */
  get callable(): Contract[] {
    return this.state.contracts.filter(({ slots }) => slots !== undefined)
  }

  /** Some contract that runs the code. */
  contractOf(code: ContractCode): Contract | undefined {
    return this.some(this.callable.filter((contract) => contract.code === code))
  }

  /** Number of the account or contract that is seen at an address of its own, 40 hex digits. */
  numAt(address: string): number | undefined {
    const isThere = ({ evmAddress }: Contract) => evmAddress === address
    const contract = this.state.contracts.find(isThere) ?? [...this.#formerContracts.values()].find(isThere)
    return contract?.num ?? this.#numsByAddress.get(address)
  }

  removeContract(contract: Contract): void {
    forget(this.state.contracts, contract)
    this.#leaveOut(contract)
    this.#stakers.delete(contract)
  }

  /** It stays known until the next block to those who write down what happened. */
  #leaveOut(contract: Contract): void {
    this.#contracts.delete(contract.num)
    this.#formerContracts.set(contract.num, contract)
  }

  /** Also of one that nobody will do anything with any more, but that the block may still tell something of. */
  recentContract(num: number): Contract | undefined {
    return this.#contracts.get(num) ?? this.#formerContracts.get(num)
  }

  /** An account or contract whose hbar the network keeps count of; of system accounts it does not. */
  holder(num: number): Holder | undefined {
    return this.#byNum.get(num) ?? this.#contracts.get(num)
  }

  /** Everyone who ever chose to stake and was not deleted. */
  get stakers(): Iterable<Holder> {
    return this.#stakers
  }

  mayStake(holder: Holder): boolean {
    return holder.staking !== null || this.#stakers.size < this.state.users.length + otherStakersMost
  }

  /** To be called once the holder has made a choice. */
  noteStaker(holder: Holder): void {
    this.#stakers.add(holder)
  }

  /** A removed account stays known until the next block: it still signs its own removal. */
  removeGuest(account: Account): void {
    forget(this.state.guests, account)
    this.#stakers.delete(account)
    this.#removed.push(account)
  }

  beginBlock(number: number, start: Instant): void {
    this.now = start
    this.block = { number, first: undefined }
    for (const account of this.#removed) this.#forget(account)
    this.#removed = []
    this.#formerContracts.clear()
    this.#spareContracts()
  }

  /** Some user. The cube of the chance gives a heavy head: the busiest 1 % take part in a fifth of what happens. */
  user(): Account {
    const chance = this.prng.unit()
    const user = this.state.users[Math.floor(this.state.users.length * chance * chance * chance)]
    if (!user) throw new RangeError('the simulated ledger has no users yet')
    return user
  }

  userOtherThan(...nums: readonly number[]): Account {
    for (;;) {
      const user = this.user()
      if (!nums.includes(user.num)) return user
    }
  }

  /** Number of a user who can pay fees, or of the treasury when the ones tried are poor. */
  payer(): number {
    for (let attempt = 0; attempt < 4; attempt++) {
      const user = this.user()
      if (user.balance > poorTinybars) return user.num
    }
    return accounts.treasury
  }

  spendable(num: number): number {
    return num === accounts.treasury
      ? 1_000_000_000_000
      : Math.max(0, (this.account(num)?.balance ?? 0) - poorTinybars / 2)
  }

  /** A random amount, mostly small, at most a hundredth of what the account can spend and at least 1. */
  amountFrom(num: number): number {
    const chance = this.prng.unit()
    return 1 + Math.floor((this.spendable(num) / 100) * chance * chance)
  }

  token(fits: (token: Token) => boolean): Token | undefined {
    return pickFrom(this.prng, this.state.tokens.filter(fits))
  }

  some<T>(list: readonly T[]): T | undefined {
    return pickFrom(this.prng, list)
  }

  publicKeyOf(num: number): Buffer {
    const account = this.account(num)
    return this.keys.publicKey(account?.keyNum ?? num, account?.ecdsa ?? false)
  }

  keyOf(num: number): { [field: string]: unknown } {
    const account = this.account(num)
    return account ? this.keys.key(account.keyNum, account.ecdsa) : this.keys.key(num, false)
  }

  /** One of the reasons when this transaction shall fail, else nothing. */
  failure<T extends ResponseName>(...reasons: readonly T[]): T | undefined {
    return this.prng.chance(this.failureShare) ? this.prng.pick(reasons) : undefined
  }
}

function pickFrom<T>(prng: Prng, list: readonly T[]): T | undefined {
  return list.length === 0 ? undefined : list[prng.below(list.length)]
}

/** Takes the oldest that nobody has to remember off a list that got too long. */
function spared<T extends Holder>(list: T[], most: number, maySpare = (_each: T) => true): T | undefined {
  if (list.length <= most) return undefined
  const index = list.findIndex((each) => each.staking === null && maySpare(each))
  return index < 0 ? undefined : list.splice(index, 1)[0]
}

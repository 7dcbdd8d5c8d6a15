import type { Entity, LedgerTables, Relation, TableName } from '#src/simulator/ledger-change.ts'
import type { Versions } from '#src/simulator/versions.ts'

/** A row and the consensus time since which it holds, in nanoseconds. */
export type Held<T> = T & { readonly since: bigint }

export interface RewardPaid {
  readonly account: number
  readonly amount: number
  readonly time: bigint
}

export type VersionedTables = { readonly [T in TableName]: Map<string, Versions<LedgerTables[T]>> }

/** Everything that ever held. */
export interface LedgerPast {
  readonly tables: VersionedTables
  /** Tinybars by account number. */
  readonly balances: ReadonlyMap<number, Versions<bigint>>
  readonly rewards: readonly RewardPaid[]
  /** Keys of a table that may begin so. */
  keysOf(table: TableName, prefix: string): Iterable<string>
  /** When any balance changed last, at or before the time. */
  balancesChangedAt(time: bigint): bigint | undefined
}

/** The state of a simulated ledger at one instant. */
export class LedgerView {
  readonly time: bigint
  readonly #history: LedgerPast

  constructor(history: LedgerPast, time: bigint) {
    this.#history = history
    this.time = time
  }

  /** A row of any table; undefined when there was none yet. */
  row<T extends TableName>(table: T, key: string | number): Held<LedgerTables[T]> | undefined {
    const found = this.#history.tables[table].get(String(key))?.at(this.time)
    return found && ({ ...found.value, since: found.since } as Held<LedgerTables[T]>)
  }

  /** All rows of a table whose key begins so. */
  rows<T extends TableName>(table: T, prefix = ''): Map<string, Held<LedgerTables[T]>> {
    const found = new Map<string, Held<LedgerTables[T]>>()
    for (const key of this.#history.keysOf(table, prefix)) {
      const row = key.startsWith(prefix) ? this.row(table, key) : undefined
      if (row) found.set(key, row)
    }
    return found
  }

  entity(num: number): Held<Entity> | undefined {
    return this.row('entities', num)
  }

  /** Who answers to an alias or EVM address, hex, now: an alias may be used again after a deletion. */
  numOf(alias: string): number | undefined {
    return this.row('aliases', alias)?.num ?? undefined
  }

  /** Tinybars; undefined when no hbar ever moved here. */
  balance(num: number): bigint | undefined {
    return this.#history.balances.get(num)?.at(this.time)?.value
  }

  /** When the balance last changed. */
  balanceSince(num: number): bigint | undefined {
    return this.#history.balances.get(num)?.at(this.time)?.since
  }

  /** Tinybars of everyone who ever held some, by account number. */
  balances(): Map<number, bigint> {
    const found = new Map<number, bigint>()
    for (const num of this.#history.balances.keys()) {
      const balance = this.balance(num)
      if (balance !== undefined) found.set(num, balance)
    }
    return found
  }

  /** The newest change of any balance at or before the instant. */
  get balancesChangedAt(): bigint | undefined {
    return this.#history.balancesChangedAt(this.time)
  }

  /** Tokens of an account by token number, dissociated ones included. */
  tokensOf(num: number): Map<number, Held<Relation>> {
    const entries = [...this.rows('relations', `${num}/`)]
    return new Map(entries.map(([key, row]) => [Number(key.split('/')[1]), row]))
  }

  /** The reward that the next transaction of an account would bring it, in tinybars. */
  pendingReward(num: number): bigint {
    const [entity, stake] = [this.entity(num), this.row('stakes', num)]
    if (!entity || !stake || entity.declineReward) return 0n
    if (entity.stakedNode === null || entity.stakedNode < 0) return 0n
    return (entity.stakePeriodStart ?? -1) >= stake.endPeriod ? 0n : stake.pendingReward
  }

  rewardsPaidTo(num: number): RewardPaid[] {
    return this.#history.rewards.filter(({ account, time }) => account === num && time <= this.time)
  }

  /** Tinybars of the given accounts together. */
  sumOf(nums: Iterable<number>): bigint {
    let sum = 0n
    for (const num of nums) sum += this.balance(num) ?? 0n
    return sum
  }
}

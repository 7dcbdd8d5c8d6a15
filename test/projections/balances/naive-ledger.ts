import type { EventOf } from '#schemas/events/types.ts'
import { transactionRecorded } from '#test/support/events.ts'

/** Numbers from 0 up to a limit, the same for the same seed. */
export function randomOf(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

export interface Moved {
  readonly time: bigint
  readonly created: readonly bigint[]
  readonly hbar: readonly (readonly [account: bigint, amount: bigint])[]
  readonly associated: readonly (readonly [account: bigint, token: bigint])[]
  readonly tokens: readonly (readonly [account: bigint, token: bigint, amount: bigint])[]
  readonly dissociated: readonly (readonly [account: bigint, token: bigint])[]
}

const nothing = { created: [], hbar: [], associated: [], tokens: [], dissociated: [] }

/** A ledger of one line each: maps from keys to amounts, replayed from the beginning for every question. */
export class NaiveLedger {
  readonly #steps: Moved[] = []

  add(step: Moved): void {
    this.#steps.push(step)
  }

  /** Newest time at or before a time at which hbar or a token moved, or somebody began or ceased to hold one. */
  newestChange(time: bigint): bigint | undefined {
    const changes = ({ hbar, tokens, associated, dissociated }: Moved) => [hbar, tokens, associated, dissociated].flat()
    return this.#steps.findLast((step) => step.time <= time && changes(step).length > 0)?.time
  }

  /** Accounts of these that exist, that hold hbar, and that hold so much as one unit of each token. */
  counts(accounts: readonly bigint[], tokens: readonly bigint[], time: bigint): bigint[] {
    const existing = accounts.filter((account) => this.hbar(account, time) !== null)
    const holders = existing.filter((account) => this.hbar(account, time)! > 0n)
    const held = accounts.flatMap((account) => this.tokens(account, time).filter(({ balance }) => balance > 0n))
    const ofTokens = tokens.map((token) => held.filter((holding) => holding.token === token))
    return [existing, holders, ...ofTokens].map(({ length }) => BigInt(length))
  }

  hbar(account: bigint, time: bigint): bigint | null {
    let sum: bigint | null = null
    for (const step of this.#steps) {
      if (step.time > time) break
      if (step.created.includes(account)) sum ??= 0n
      for (const [moved, amount] of step.hbar) if (moved === account) sum = (sum ?? 0n) + amount
    }
    return sum
  }

  tokens(account: bigint, time: bigint): { token: bigint; balance: bigint }[] {
    const held = new Map<bigint, bigint>()
    const listed = new Set<bigint>()
    for (const step of this.#steps) {
      if (step.time > time) break
      for (const [owner, token] of step.associated) if (owner === account) listed.add(token) && held.set(token, 0n)
      // Of what nobody saw begin, nobody knows what there was before.
      for (const [owner, token, amount] of step.tokens)
        if (owner === account && held.has(token)) listed.add(token) && held.set(token, held.get(token)! + amount)
      for (const [owner, token] of step.dissociated) if (owner === account) listed.delete(token)
    }
    return [...listed].sort((a, b) => (a < b ? -1 : 1)).map((token) => ({ token, balance: held.get(token) ?? 0n }))
  }
}

const idOf = (number: bigint) => ({ shardNum: 0n, realmNum: 0n, accountNum: number, alias: null })
const tokenIdOf = (number: bigint) => ({ shardNum: 0n, realmNum: 0n, tokenNum: number })

/** The step as the ledger records it. */
export function eventOfStep(step: Moved): EventOf<'TransactionRecorded'> {
  const { time, created, hbar, associated, tokens, dissociated } = step
  const common = {
    consensusTimestamp: time,
    successful: true,
    transfers: hbar,
    tokenTransfers: tokens.map(([accountId, tokenId, amount]) => ({ accountId, tokenId, amount, isApproval: false })),
  }
  const [account] = created
  const [relation] = associated
  const [end] = dissociated
  if (account !== undefined) {
    const cryptoCreateAccount = {} as EventOf<'TransactionRecorded'>['cryptoCreateAccount']
    return transactionRecorded({ ...common, type: 11, entityId: account, cryptoCreateAccount })
  }
  if (relation !== undefined) {
    const tokenAssociate = { account: idOf(relation[0]), tokens: [tokenIdOf(relation[1])] }
    return transactionRecorded({ ...common, type: 40, entityId: relation[0], tokenAssociate })
  }
  if (end !== undefined) {
    const tokenDissociate = { account: idOf(end[0]), tokens: [tokenIdOf(end[1])] }
    return transactionRecorded({ ...common, type: 41, entityId: end[0], tokenDissociate })
  }
  return transactionRecorded(common)
}

/** Random transactions among a few accounts, so that each has a long history, and every kind of change happens. */
export function randomSteps(seed: number, count: number): Moved[] {
  const random = randomOf(seed)
  const account = () => BigInt(1_000 + random(8))
  const token = () => BigInt(9_000 + random(5))
  return Array.from({ length: count }, (_, index) => {
    const step: Moved = { ...nothing, time: BigInt(1_000 + index * 10 + random(9)) }
    if (index < 8) return { ...step, created: [BigInt(1_000 + index)], hbar: [[BigInt(1_000 + index), 1_000n]] }
    const amount = BigInt(random(50) + 1)
    const [from, to] = [account(), account()]
    const hbar: Moved['hbar'] =
      from === to
        ? []
        : [
            [from, -amount],
            [to, amount],
          ]
    const kind = random(10)
    if (kind === 0) return { ...step, hbar, associated: [[from, token()]] }
    if (kind === 1) return { ...step, hbar, dissociated: [[from, token()]] }
    if (kind > 4 || from === to) return { ...step, hbar }
    const moved = token()
    return {
      ...step,
      hbar,
      tokens: [
        [from, moved, -amount],
        [to, moved, amount],
      ],
    }
  })
}

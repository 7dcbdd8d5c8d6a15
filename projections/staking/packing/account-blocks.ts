import type { stakingSchema } from '#projections/staking/schema.ts'
import { lowWordOf } from '#src/domain/int64-words.ts'
import type { RowOf } from '#src/ports/read-store.ts'

/** Balances of 4 accounts: neighbours in number are often used together, and a commit writes a block once. */
export type AccountBlock = RowOf<typeof stakingSchema, 'accountBlocks'>

const blockBits = 2n

export function blockOf(account: bigint): bigint {
  return account >> blockBits
}

/** Where an account is in its block; ids of shards above 511 are negative. */
function placeOf(account: bigint): number {
  return lowWordOf(account) & 3
}

/** tinybar; what was moved where nothing else is known. */
export function balanceIn(block: Omit<AccountBlock, 'block'> | undefined, account: bigint): bigint {
  if (block === undefined) return 0n
  const place = placeOf(account)
  return place === 0 ? block.balance0 : place === 1 ? block.balance1 : place === 2 ? block.balance2 : block.balance3
}

/** Whether there is a row of the account as a staker. */
export function isStakerIn(block: Pick<AccountBlock, 'stakers'> | undefined, account: bigint): boolean {
  return block !== undefined && (block.stakers & (1 << placeOf(account))) !== 0
}

const noBalances = { balance0: 0n, balance1: 0n, balance2: 0n, balance3: 0n }

export function withBalance(before: AccountBlock | undefined, account: bigint, balance: bigint): AccountBlock {
  const { block, stakers, balance0, balance1, balance2, balance3 } = before ?? {
    block: blockOf(account),
    stakers: 0,
    ...noBalances,
  }
  const place = placeOf(account)
  return {
    block,
    stakers,
    balance0: place === 0 ? balance : balance0,
    balance1: place === 1 ? balance : balance1,
    balance2: place === 2 ? balance : balance2,
    balance3: place === 3 ? balance : balance3,
  }
}

export function withStaker(before: AccountBlock | undefined, account: bigint): AccountBlock {
  const { stakers, ...balances } = before ?? { block: blockOf(account), stakers: 0, ...noBalances }
  return { ...balances, stakers: stakers | (1 << placeOf(account)) }
}

import { associated } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, tokenId } from '#src/simulator/ids.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Token } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

const holdersMost = 100
const attemptsMost = 5

/** Someone other than the sender who holds the token, or who has an automatic association left for it. */
export function receiverOf(world: World, token: Token, ...others: readonly number[]): number | undefined {
  const holders = Object.keys(token.holders)
  for (let attempt = 0; attempt < attemptsMost; attempt++) {
    const open = holders.length < holdersMost
    const num = open ? world.user().num : Number(world.prng.pick(holders))
    if (!others.includes(num) && (num in token.holders || hasSlot(world, num))) return num
  }
  const holder = holders.find((num) => !others.includes(Number(num)))
  return holder === undefined ? undefined : Number(holder)
}

function hasSlot(world: World, num: number): boolean {
  return (world.account(num)?.autoSlots ?? 0) !== 0
}

export interface Association {
  readonly record: Message
  readonly changes: readonly LedgerChange[]
}

/** The automatic association of a receiver who does not hold the token yet; nothing for one who does. */
export function associationOf(world: World, token: Token, receiver: number): Association {
  if (receiver in token.holders) return { record: {}, changes: [] }
  token.holders[receiver] = 0
  const account = world.account(receiver)
  if (account && account.autoSlots > 0) account.autoSlots -= 1
  const association = { tokenId: tokenId(token.num), accountId: accountId(receiver) }
  return {
    record: { automaticTokenAssociations: [association] },
    changes: [associated(receiver, token.num, { automatic: true, frozen: false, kycGranted: false })],
  }
}

/** Books units or NFTs from one holder to another; 0 stands for nobody. */
export function handOver({ holders }: Token, sender: number, receiver: number, amount: number): void {
  if (sender !== 0) holders[sender] = (holders[sender] ?? 0) - amount
  if (receiver !== 0) holders[receiver] = (holders[receiver] ?? 0) + amount
}

export function supplied({ num, supply }: Token): LedgerChange {
  return { table: 'tokens', key: String(num), set: { supply: BigInt(supply) } }
}

import type { Message } from '#src/simulator/codec.ts'
import { tokenId } from '#src/simulator/ids.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import { type Association, associationOf, receiverOf } from '#src/simulator/kinds/holding.ts'
import type { Token } from '#src/simulator/ledger-state.ts'
import type { Movement } from '#src/simulator/movement.ts'
import type { Kind } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** Of each side, so that one list has up to twenty parties. */
const partiesMost = 10

interface Exchange {
  readonly token: Token
  readonly movements: readonly Movement[]
  readonly associations: readonly Association[]
}

/** Units of one or two tokens from several holders to several others: nobody says who pays whom. */
export const multiPartyTokenTransfer: Kind = (world) => {
  const first = world.token(isShared)
  if (!first) return undefined
  const second = world.prng.chance(0.3) ? world.token((token) => isShared(token) && token !== first) : undefined
  const payer = world.payer()
  const exchanges = [first, ...(second ? [second] : [])]
    .map((token) => exchangeOf(world, token))
    .filter(({ movements }) => movements.length > 0)
  if (exchanges.length === 0) return undefined
  const lists = exchanges.map(({ token, movements }) => ({
    token: tokenId(token.num),
    transfers: movements.map((movement) => amountEntry(movement)),
  }))
  const associations = exchanges.flatMap((exchange) => exchange.associations)
  const record = associations.flatMap((each) => (each.record['automaticTokenAssociations'] ?? []) as Message[])
  return {
    body: { cryptoTransfer: { tokenTransfers: lists } },
    payer,
    signers: exchanges.flatMap(({ movements }) => movements.filter(([, amount]) => amount < 0).map(([num]) => num)),
    tokenMovements: exchanges.map(({ token, movements }) => ({ token: token.num, transfers: movements })),
    ...(record.length > 0 ? { record: { automaticTokenAssociations: record } } : {}),
    changes: associations.flatMap(({ changes }) => changes),
  }
}

function isShared({ nft, paused, fee, holders }: Token): boolean {
  return !nft && !paused && fee === null && Object.keys(holders).length > 2
}

function exchangeOf(world: World, token: Token): Exchange {
  const senders = sendersOf(world, token)
  const total = senders.reduce((sum, [, amount]) => sum - amount, 0)
  const receivers: Movement[] = []
  const associations: Association[] = []
  let left = total
  for (let count = world.prng.between(1, partiesMost); left > 0 && count > 0; count--) {
    const others = [...senders, ...receivers].map(([num]) => num)
    const receiver = receiverOf(world, token, ...others)
    if (receiver === undefined) break
    associations.push(associationOf(world, token, receiver))
    const amount = count === 1 ? left : 1 + world.prng.below(left)
    receivers.push([receiver, amount])
    left -= amount
  }
  const movements = left === total ? [] : [...withdrawn(senders, total - left), ...receivers]
  for (const [num, amount] of movements) token.holders[num] = (token.holders[num] ?? 0) + amount
  return { token, movements, associations }
}

function sendersOf({ prng }: World, { holders }: Token): Movement[] {
  const wealthy = Object.keys(holders).filter((num) => (holders[num] ?? 0) > partiesMost)
  const count = Math.min(prng.between(1, partiesMost), wealthy.length)
  const first = prng.below(wealthy.length)
  return Array.from({ length: count }, (_, index): Movement => {
    const num = Number(wealthy[(first + index) % wealthy.length])
    return [num, -(1 + prng.below(Math.ceil((holders[num] ?? 0) / 10)))]
  })
}

/** What the receivers did not take stays with those who come last. */
function withdrawn(senders: readonly Movement[], amount: number): Movement[] {
  let left = amount
  return senders.flatMap(([num, most]): Movement[] => {
    const taken = Math.min(left, -most)
    left -= taken
    return taken === 0 ? [] : [[num, -taken]]
  })
}

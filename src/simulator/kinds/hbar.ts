import type { Message } from '#src/simulator/codec.ts'
import { accountId, accounts, aliasId, hexBytes } from '#src/simulator/ids.ts'
import { createAccount, creationOf } from '#src/simulator/kinds/new-account.ts'
import type { Movement } from '#src/simulator/movement.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const memos = ['', '', '', 'invoice 4711', 'thanks', 'rent', 'payout', 'Grüße aus Zürich']

/** One payer, one receiver: what most of a ledger consists of. Poor users are topped up by the treasury. */
export const hbarTransfer: Kind = (world) => plainTransfer(world)

export function plainTransfer(world: World): Submission {
  const poor = world.prng.chance(0.02)
  const sender = poor ? accounts.treasury : world.payer()
  const receiver = world.userOtherThan(sender).num
  const amount = poor ? 100_000_000_000 : world.amountFrom(sender)
  return transfer(world, sender, [
    [sender, -amount],
    [receiver, amount],
  ])
}

/** Up to ten parties in one transaction. */
export const multiPartyTransfer: Kind = (world) => {
  const payer = world.payer()
  const parties = new Map<number, number>()
  for (let pair = world.prng.between(2, 5); pair > 0; pair--) {
    const sender = world.payer()
    const receiver = world.userOtherThan(sender).num
    const amount = world.amountFrom(sender)
    parties.set(sender, (parties.get(sender) ?? 0) - amount)
    parties.set(receiver, (parties.get(receiver) ?? 0) + amount)
  }
  return transfer(
    world,
    payer,
    [...parties].filter(([, amount]) => amount !== 0),
  )
}

/** Pays to an alias that nobody has yet: the network first creates the account, as a preceding child. */
export const autoCreateTransfer: Kind = (world) => {
  const sender = world.payer()
  const hollow = world.prng.chance(0.5)
  const ecdsa = hollow || world.prng.chance(0.6)
  const created = createAccount(world, { ecdsa, alias: hollow ? 'address' : 'key', hollow, reuse: true })
  const alias = hexBytes(created.alias ?? '')
  const amount = 500_000_000 + world.amountFrom(sender)
  const entries = [amountEntry([sender, -amount]), { accountID: aliasId(alias), amount }]
  const memo = hollow ? 'lazy-created account' : 'auto-created account'
  const child: Submission = {
    ...creationOf(world, created, { memo, aliasInRecord: !hollow }),
    payer: sender,
    memo,
  }
  return {
    body: { cryptoTransfer: { transfers: { accountAmounts: entries } } },
    payer: sender,
    fee: 41_750_000,
    movements: [
      [sender, -amount],
      [created.num, amount],
    ],
    preceding: [child],
  }
}

/** Pays to an account by its alias or address in place of its number. */
export const aliasTransfer: Kind = (world) => {
  const receiver = world.some(world.state.guests.filter(({ alias }) => alias !== null))
  const sender = world.payer()
  if (!receiver || sender === receiver.num) return undefined
  const address = world.prng.chance(0.5) ? receiver.evmAddress : null
  const alias = hexBytes(address ?? receiver.alias ?? '')
  const amount = world.amountFrom(sender)
  const entries = [amountEntry([sender, -amount]), { accountID: aliasId(alias), amount }]
  return {
    body: { cryptoTransfer: { transfers: { accountAmounts: entries } } },
    payer: sender,
    movements: [
      [sender, -amount],
      [receiver.num, amount],
    ],
  }
}

function transfer(world: World, payer: number, movements: readonly Movement[]): Submission {
  const body = { cryptoTransfer: { transfers: { accountAmounts: movements.map((movement) => amountEntry(movement)) } } }
  const result = world.failure(
    'INSUFFICIENT_ACCOUNT_BALANCE',
    'INVALID_SIGNATURE',
    'INSUFFICIENT_PAYER_BALANCE',
    'INSUFFICIENT_TX_FEE',
  )
  const memo = world.prng.pick(memos)
  const signers = movements.filter(([num, amount]) => amount < 0 && num !== payer).map(([num]) => num)
  return { body, payer, movements, signers, memo, ...(result ? { result } : {}) }
}

export function amountEntry([num, amount]: Movement, more: Message = {}): Message {
  return { accountID: accountId(num), amount, ...more }
}

import { grant, spend } from '#src/simulator/allowances.ts'
import type { Message } from '#src/simulator/codec.ts'
import { type Party, partyOf } from '#src/simulator/evm/frame.ts'
import { moveAllowed, payAllowed } from '#src/simulator/evm/teller.ts'
import { accountId, tokenId } from '#src/simulator/ids.ts'
import { callOf } from '#src/simulator/kinds/contract.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import { handOver } from '#src/simulator/kinds/holding.ts'
import type { Allowance, Contract, Token } from '#src/simulator/ledger-state.ts'
import type { Movement } from '#src/simulator/movement.ts'
import type { RunningKind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

interface Parties {
  readonly from: number
  readonly to: number
  readonly amount: number
}

const grantedTinybars = 1_000_000_000

/** Spends of an allowance of hbar or a token, or grants one first where nobody has any to spend of. */
export const approvedTransfer: RunningKind = async (world) => {
  const known = world.some(world.state.allowances.filter((allowance) => mostOf(world, allowance) > 0))
  if (known) return spending(world, known)
  const owner = world.payer()
  const granted = { owner, spender: world.userOtherThan(owner).num, token: 0, left: grantedTinybars }
  const entry = { spender: accountId(granted.spender), amount: granted.left }
  const approval: Submission = {
    body: { cryptoApproveAllowance: { cryptoAllowances: [entry] } },
    payer: owner,
    changes: [grant(world, granted)],
  }
  return mostOf(world, granted) > 0 ? [approval, await spending(world, granted)] : approval
}

/** What the spender can take at once: what is left, as far as the owner has it. */
function mostOf(world: World, { owner, spender, token, left }: Allowance): number {
  if (world.contract(spender) === undefined && world.spendable(spender) === 0) return 0
  if (token === 0) return Math.min(left, Math.floor(world.spendable(owner) / 100))
  const held = tokenOf(world, token)
  if (!held || held.paused || held.fee !== null || otherHolder(held, owner) === owner) return 0
  return Math.min(left, held.holders[owner] ?? 0)
}

function tokenOf({ state }: World, num: number): Token | undefined {
  return state.tokens.find((token) => token.num === num)
}

/** The sender's entry carries the approval flag. A spender that is a contract is called, and the transfer is its child. */
async function spending(world: World, allowance: Allowance): Promise<Submission> {
  const { owner, spender } = allowance
  const most = mostOf(world, allowance)
  const amount = world.prng.chance(0.2) ? most : 1 + world.prng.below(Math.ceil(most / 3))
  const token = tokenOf(world, allowance.token)
  const receiver = token ? otherHolder(token, owner) : world.userOtherThan(owner, spender).num
  const movements: Movement[] = [
    [owner, -amount],
    [receiver, amount],
  ]
  const entries = [amountEntry([owner, -amount], { isApproval: true }), amountEntry([receiver, amount])]
  const contract = world.contract(spender)
  const payer = contract ? world.payer() : spender
  const transfer = { body: bodyOf(entries, token), payer }
  const result = contract ? undefined : world.failure('SPENDER_DOES_NOT_HAVE_ALLOWANCE')
  if (result) return { ...transfer, result }
  if (token) handOver(token, owner, receiver, amount)
  const done: Submission = {
    ...transfer,
    ...(token ? { tokenMovements: [{ token: token.num, transfers: movements }] } : { movements }),
    changes: [spend(world, allowance, amount)],
  }
  if (!contract) return done
  return calling(world, contract, done, token, { from: owner, to: receiver, amount })
}

/** The treasury takes tokens back; what it allows of its own goes to who came first after it. */
function otherHolder({ treasury, holders }: Token, owner: number): number {
  if (treasury !== owner) return treasury
  const other = Object.keys(holders).find((num) => Number(num) !== owner)
  return other === undefined ? owner : Number(other)
}

function bodyOf(entries: readonly Message[], token: Token | undefined): Message {
  return token
    ? { cryptoTransfer: { tokenTransfers: [{ token: tokenId(token.num), transfers: entries }] } }
    : { cryptoTransfer: { transfers: { accountAmounts: entries } } }
}

/** The call of a contract that makes the transfer by the network's own contract. */
function calling(
  world: World,
  contract: Contract,
  child: Submission,
  token: Token | undefined,
  parties: Parties,
): Promise<Submission> {
  const [caller, teller, from, to] = [child.payer, contract.num, parties.from, parties.to].map((num) =>
    partyOf(world, num),
  ) as [Party, Party, Party, Party]
  const moving = { caller, teller, from, to, amount: parties.amount, child }
  return callOf(world, token ? moveAllowed(token.num, moving) : payAllowed(moving))
}

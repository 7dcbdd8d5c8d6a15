import { grant, spend } from '#src/simulator/allowances.ts'
import type { Message } from '#src/simulator/codec.ts'
import { callResult, type Log, word } from '#src/simulator/evm.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import { accountId, contractId, systemContracts, tokenId } from '#src/simulator/ids.ts'
import { callOutcome, tokenLog, transferInput } from '#src/simulator/kinds/contract.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import { handOver } from '#src/simulator/kinds/holding.ts'
import type { Allowance, Contract, Token } from '#src/simulator/ledger-state.ts'
import type { Kind, Movement, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const grantedTinybars = 1_000_000_000

/** Spends of an allowance of hbar or a token, or grants one first where nobody has any to spend of. */
export const approvedTransfer: Kind = (world) => {
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
  return mostOf(world, granted) > 0 ? [approval, spending(world, granted)] : approval
}

/** What the spender can take at once: what is left, as far as the owner has it. */
function mostOf(world: World, { owner, spender, token, left }: Allowance): number {
  if (contractOf(world, spender) === undefined && world.spendable(spender) === 0) return 0
  if (token === 0) return Math.min(left, Math.floor(world.spendable(owner) / 100))
  const held = tokenOf(world, token)
  return held && !held.paused && held.fee === null ? Math.min(left, held.holders[owner] ?? 0) : 0
}

function contractOf({ state }: World, num: number): Contract | undefined {
  return state.contracts.find((contract) => contract.num === num)
}

function tokenOf({ state }: World, num: number): Token | undefined {
  return state.tokens.find((token) => token.num === num)
}

/** The sender's entry carries the approval flag. A spender that is a contract is called, and the transfer is its child. */
function spending(world: World, allowance: Allowance): Submission {
  const { owner, spender } = allowance
  const most = mostOf(world, allowance)
  const amount = world.prng.chance(0.2) ? most : 1 + world.prng.below(Math.ceil(most / 3))
  const token = tokenOf(world, allowance.token)
  const receiver = token ? token.treasury : world.userOtherThan(owner, spender).num
  const movements: Movement[] = [
    [owner, -amount],
    [receiver, amount],
  ]
  const entries = [amountEntry([owner, -amount], { isApproval: true }), amountEntry([receiver, amount])]
  const contract = contractOf(world, spender)
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
  return calling(world, contract, done, token ? [tokenLog(token.num, [owner, receiver], amount)] : [])
}

function bodyOf(entries: readonly Message[], token: Token | undefined): Message {
  return token
    ? { cryptoTransfer: { tokenTransfers: [{ token: tokenId(token.num), transfers: entries }] } }
    : { cryptoTransfer: { transfers: { accountAmounts: entries } } }
}

/** The call of a contract that makes the transfer by the system's contract. */
function calling(world: World, contract: Contract, transfer: Submission, tokenLogs: readonly Log[]): Submission {
  const { payer } = transfer
  const gas = 300_000
  const input = transferInput(world)
  const call = { contract: systemContracts.tokenService, sender: contract.num, gas: 40_000, gasUsed: 30_000 }
  return {
    body: { contractCall: { contractID: contractId(contract.num), gas, functionParameters: input } },
    payer,
    fee: gas * gasPrice,
    ...callOutcome(world, contract, { sender: payer, gas, amount: 0, input, failed: false, tokenLogs }),
    following: [{ ...transfer, record: { contractCallResult: callResult({ ...call, input, output: word(22) }) } }],
  }
}

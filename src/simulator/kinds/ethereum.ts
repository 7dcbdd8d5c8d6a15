import { keccak256 } from '#src/domain/keccak.ts'
import { touched, updated } from '#src/simulator/changes.ts'
import { rlp, rlpNumber } from '#src/simulator/evm.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import { accountId, hexBytes, wrapped } from '#src/simulator/ids.ts'
import { callOutcome, contractCall, transferInput } from '#src/simulator/kinds/contract.ts'
import { creationOutcome, newContract } from '#src/simulator/kinds/new-contract.ts'
import type { Account } from '#src/simulator/ledger-state.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const chainId = 298
const weibarsPerTinybar = 10_000_000_000n
const maxGasAllowance = 100_000_000

interface EthereumPlan {
  readonly nonce: number
  readonly gas: number
  readonly to: Uint8Array
  readonly tinybars: number
  readonly data: Uint8Array
}

/** A transaction in Ethereum's own format, submitted by a relay: legacy, EIP-2930 or EIP-1559. */
export const ethereumCall: Kind = (world) => ethereumTransaction(world, plainFormats)

/**
 * EIP-7702: the sender lets its own account run the code of a contract, or stops that with the zero address. The network
 * writes the authorization down as an update of the account; it counts as a second transaction of the sender.
 */
export const ethereumDelegation: Kind = (world) => {
  const target = world.prng.chance(0.25) ? Buffer.alloc(20) : world.prng.bytes(20)
  return ethereumTransaction(world, [(_, plan) => delegationTransaction(world, plan, target)], target)
}

type Format = (world: World, plan: EthereumPlan) => Buffer

function ethereumTransaction(world: World, formats: readonly Format[], delegate?: Buffer): Submission | undefined {
  const contract = world.some(world.state.contracts)
  const signer = signerOf(world)
  if (!contract || !signer) return undefined
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'WRONG_NONCE')
  const gas = world.prng.between(10, 30) * 10_000
  const input = transferInput(world)
  const wrong = failure === 'WRONG_NONCE'
  const nonce = signer.ethereumNonce + (wrong ? 5 : 0)
  const plan = { nonce, gas, to: hexBytes(contract.evmAddress), tinybars: 0, data: input }
  const submission = submissionOf(world, plan, formats)
  if (wrong) return { ...submission, result: failure }
  const delegates = delegate !== undefined && !failure
  signer.ethereumNonce += delegates ? 2 : 1
  const failed = failure !== undefined
  const outcome = callOutcome(world, contract, { sender: signer.num, gas, amount: 0, input, failed })
  const called = withSignerNonce(
    { ...submission, ...outcome, ...(failure ? { result: failure } : {}) },
    submission,
    signer,
  )
  return delegates ? { ...called, following: [delegation(signer, submission.payer, delegate)] } : called
}

function delegation({ num }: Account, payer: number, target: Buffer): Submission {
  return {
    body: { cryptoUpdateAccount: { accountIDToUpdate: accountId(num), delegationAddress: target } },
    payer,
    receipt: { accountID: accountId(num) },
    changes: [updated(num, { delegationAddress: target.toString('hex') })],
  }
}

/** Without recipient and with initcode as data: a new contract, reported as a child creation as well. */
export const ethereumCreate: Kind = (world) => {
  const signer = signerOf(world)
  if (!signer) return contractCall(world)
  const plan = {
    nonce: signer.ethereumNonce,
    gas: 500_000,
    to: Buffer.alloc(0),
    tinybars: 0,
    data: world.prng.bytes(120),
  }
  const submission = submissionOf(world, plan, plainFormats)
  signer.ethereumNonce += 1
  const creation = newContract(world)
  const { changes = [], ...outcome } = creationOutcome(creation, signer.num, plan.gas)
  const child: Submission = {
    body: { contractCreateInstance: { gas: plan.gas, initcode: plan.data, ...creation.fields } },
    payer: submission.payer,
    ...(outcome.receipt ? { receipt: outcome.receipt } : {}),
    ...(outcome.record ? { record: outcome.record } : {}),
    changes,
  }
  return { ...withSignerNonce({ ...submission, ...outcome }, submission, signer), following: [child] }
}

/** Adds the sender's new nonce to the function result and keeps the Ethereum hash of the submission. */
function withSignerNonce(outcome: Submission, { record }: Submission, signer: Account): Submission {
  const field =
    outcome.record && 'contractCreateResult' in outcome.record ? 'contractCreateResult' : 'contractCallResult'
  const result = { ...(outcome.record?.[field] as object), signerNonce: wrapped(signer.ethereumNonce) }
  const nonce = touched(signer.num, { ethereumNonce: signer.ethereumNonce })
  return { ...outcome, record: { ...record, ...outcome.record, [field]: result }, lasting: [nonce] }
}

function submissionOf(world: World, plan: EthereumPlan, formats: readonly Format[]): Submission {
  const raw = world.prng.pick(formats)(world, plan)
  return {
    body: { ethereumTransaction: { ethereumData: raw, maxGasAllowance } },
    payer: world.payer(),
    fee: plan.gas * gasPrice,
    record: { ethereumHash: keccak256(raw) },
  }
}

const price = (tinybars: number) => rlpNumber(BigInt(tinybars) * weibarsPerTinybar)

function tail(plan: EthereumPlan): Buffer[] {
  return [rlpNumber(plan.gas), Buffer.from(plan.to), price(plan.tinybars), Buffer.from(plan.data)]
}

/** The values r and s; random, because consumers of the stream do not recover the sender from them. */
function signature(world: World): Buffer[] {
  return [world.prng.bytes(32), world.prng.bytes(32)].map((part) => {
    part[0] = (part[0] ?? 0) | 1
    return part
  })
}

function legacy(world: World, plan: EthereumPlan): Buffer {
  const v = rlpNumber(chainId * 2 + 35 + world.prng.below(2))
  return rlp([rlpNumber(plan.nonce), price(gasPrice), ...tail(plan), v, ...signature(world)])
}

function accessListTransaction(world: World, plan: EthereumPlan): Buffer {
  const accessList = [[Buffer.from(plan.to.length > 0 ? plan.to : world.prng.bytes(20)), [Buffer.alloc(32)]]]
  const fields = [rlpNumber(chainId), rlpNumber(plan.nonce), price(gasPrice), ...tail(plan), accessList]
  return Buffer.concat([Buffer.of(1), rlp([...fields, rlpNumber(world.prng.below(2)), ...signature(world)])])
}

function feeMarketTransaction(world: World, plan: EthereumPlan): Buffer {
  const fields = [rlpNumber(chainId), rlpNumber(plan.nonce), price(1), price(gasPrice * 2), ...tail(plan), []]
  return Buffer.concat([Buffer.of(2), rlp([...fields, rlpNumber(world.prng.below(2)), ...signature(world)])])
}

const plainFormats: readonly Format[] = [legacy, accessListTransaction, feeMarketTransaction]

function delegationTransaction(world: World, plan: EthereumPlan, target: Buffer): Buffer {
  const nonce = rlpNumber(plan.nonce + 1)
  const authorization = [rlpNumber(chainId), target, nonce, rlpNumber(1), ...signature(world)]
  const fields = [
    rlpNumber(chainId),
    rlpNumber(plan.nonce),
    price(1),
    price(gasPrice * 2),
    ...tail(plan),
    [],
    [authorization],
  ]
  return Buffer.concat([Buffer.of(4), rlp([...fields, rlpNumber(world.prng.below(2)), ...signature(world)])])
}

function signerOf(world: World): Account | undefined {
  return world.some(world.state.users.slice(0, 500).filter(({ evmAddress }) => evmAddress !== null))
}

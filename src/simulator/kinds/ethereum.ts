import { rlp, rlpNumber } from '#src/simulator/evm.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import { hexBytes, wrapped } from '#src/simulator/ids.ts'
import { keccak256 } from '#src/simulator/keccak.ts'
import {
  callOutcome,
  contractCall,
  creationOutcome,
  newContract,
  transferInput,
} from '#src/simulator/kinds/contract.ts'
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

/** A transaction in Ethereum's own format, submitted by a relay: legacy, EIP-2930, EIP-1559 or EIP-7702. */
export const ethereumCall: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  const signer = signerOf(world)
  if (!contract || !signer) return undefined
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'WRONG_NONCE')
  const gas = world.prng.between(10, 30) * 10_000
  const data = transferInput(world)
  const wrong = failure === 'WRONG_NONCE'
  const plan = {
    nonce: signer.ethereumNonce + (wrong ? 5 : 0),
    gas,
    to: hexBytes(contract.evmAddress),
    tinybars: 0,
    data,
  }
  const submission = submissionOf(world, plan)
  if (wrong) return { ...submission, result: failure }
  signer.ethereumNonce += 1
  const outcome = callOutcome(world, contract, {
    sender: signer.num,
    gas,
    amount: 0,
    input: data,
    failed: failure !== undefined,
  })
  return withSignerNonce({ ...submission, ...outcome, ...(failure ? { result: failure } : {}) }, submission, signer)
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
  const submission = submissionOf(world, plan)
  signer.ethereumNonce += 1
  const contract = newContract(world)
  const outcome = creationOutcome(contract, signer.num, plan.gas)
  const child: Submission = {
    body: { contractCreateInstance: { gas: plan.gas, initcode: plan.data, autoRenewPeriod: { seconds: 7_776_000 } } },
    payer: submission.payer,
    ...(outcome.receipt ? { receipt: outcome.receipt } : {}),
    ...(outcome.record ? { record: outcome.record } : {}),
  }
  return { ...withSignerNonce({ ...submission, ...outcome }, submission, signer), following: [child] }
}

/** Adds the sender's new nonce to the function result and keeps the Ethereum hash of the submission. */
function withSignerNonce(outcome: Submission, { record }: Submission, signer: Account): Submission {
  const field =
    outcome.record && 'contractCreateResult' in outcome.record ? 'contractCreateResult' : 'contractCallResult'
  const result = { ...(outcome.record?.[field] as object), signerNonce: wrapped(signer.ethereumNonce) }
  return { ...outcome, record: { ...record, ...outcome.record, [field]: result } }
}

function submissionOf(world: World, plan: EthereumPlan): Submission {
  // A delegation always has a recipient, so a creation can't be one.
  const formats = [
    legacy,
    accessListTransaction,
    feeMarketTransaction,
    ...(plan.to.length > 0 ? [delegationTransaction] : []),
  ]
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

function delegationTransaction(world: World, plan: EthereumPlan): Buffer {
  const authorization = [
    rlpNumber(chainId),
    world.prng.bytes(20),
    rlpNumber(plan.nonce),
    rlpNumber(1),
    ...signature(world),
  ]
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

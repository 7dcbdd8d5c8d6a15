import { keccak256 } from '#src/domain/keccak.ts'
import { touched, updated } from '#src/simulator/changes.ts'
import { createAddress } from '#src/simulator/evm/addresses.ts'
import { creationFrame } from '#src/simulator/evm/creation.ts'
import { type Frame, hasFailed, partyOf } from '#src/simulator/evm/frame.ts'
import { askedMessage } from '#src/simulator/evm/function-result.ts'
import { creationRecord, type Execution, outcomeOf, withGas } from '#src/simulator/evm/outcome.ts'
import {
  type Authorization,
  chainId,
  type EthereumPlan,
  type Format,
  type RawTransaction,
  signedTransaction,
} from '#src/simulator/evm/raw-transaction.ts'
import { refusedFounding } from '#src/simulator/evm/token.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import { accountId, fileId, hexBytes, wrapped } from '#src/simulator/ids.ts'
import { endingOf } from '#src/simulator/kinds/contract.ts'
import { uploadOf } from '#src/simulator/kinds/file.ts'
import { newContract } from '#src/simulator/kinds/new-contract.ts'
import { type Callers, someCall } from '#src/simulator/kinds/some-call.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Account } from '#src/simulator/ledger-state.ts'
import type { ResponseName } from '#src/simulator/response-codes.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const maxGasAllowance = 100_000_000
/** Signers are among the busiest users, so that finding one does not take a walk through all. */
const busiest = 500
const formats: readonly Format[] = ['legacy', 'accessList', 'feeMarket', 'feeMarket', 'unprotected']
const types: { readonly [format in Format]: number } = {
  legacy: 0,
  unprotected: 0,
  accessList: 1,
  feeMarket: 2,
  delegation: 4,
}
const nobody = Buffer.alloc(20)

/** A transaction as the sender signed it, in the format of Ethereum. */
interface Signed extends RawTransaction {
  readonly hash: Buffer
  readonly signer: Account
  readonly format: Format
  readonly plan: EthereumPlan
}

/** A call in Ethereum's own format, submitted by a relay: legacy with and without chain, EIP-2930 or EIP-1559. */
export const ethereumCall: Kind = (world) => {
  const signer = signerOf(world)
  if (!signer) return undefined
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'INSUFFICIENT_GAS', 'WRONG_NONCE', 'INSUFFICIENT_TX_FEE')
  const unexecuted = failure === 'WRONG_NONCE' || failure === 'INSUFFICIENT_TX_FEE'
  const callers = { may: (num: number) => maySign(world, world.account(num)), somebody: signer.num }
  const frame = someCall(world, callers, unexecuted ? 'reverts' : endingOf(failure))
  const sender = frame && world.account(frame.caller.num)
  if (!frame || !sender) return undefined
  const execution = withGas(world, frame)
  const nonce = sender.ethereumNonce + (failure === 'WRONG_NONCE' ? 5 : 0)
  const signed = sign(world, sender, world.prng.pick(formats), planOf(execution, nonce))
  if (unexecuted) return { ...submissionOf(world, signed), ...seen(signed, failure, false), result: failure }
  return executed(world, signed, execution)
}

/**
 * EIP-7702: accounts let the code of a contract run for them, or take that back with the zero address. The network writes
 * each authorization down as an update of its account, whether the call works or not, and counts it as a transaction of it.
 */
export const ethereumDelegation: Kind = (world) => {
  const signer = signerOf(world)
  if (!signer) return undefined
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'WRONG_NONCE')
  const frame = someCall(world, only(signer), failure ? 'reverts' : 'works')
  if (!frame) return undefined
  const other = world.prng.chance(0.5) ? signerOf(world) : undefined
  const authorities = other && other !== signer ? [signer, other] : [signer]
  const delegates = authorities.map((authority) => ({ authority, delegate: delegateOf(world) }))
  const execution = withGas(world, frame)
  const plan = planOf(execution, signer.ethereumNonce + (failure === 'WRONG_NONCE' ? 5 : 0))
  const authorizations = delegates.map(({ authority, delegate }): Authorization => {
    // The transaction itself counts before what it brings.
    const nonce = authority.ethereumNonce + (authority === signer ? 1 : 0)
    return { key: authority.keyNum, delegate, nonce }
  })
  const signed = sign(world, signer, 'delegation', { ...plan, authorizations })
  if (failure === 'WRONG_NONCE')
    return { ...submissionOf(world, signed), ...seen(signed, failure, false), result: failure }
  for (const { authority } of delegates) authority.ethereumNonce += 1
  const call = executed(world, signed, execution)
  const updates = delegates.map(({ authority, delegate }) => delegation(authority, call.payer, delegate))
  const delegating = { ...call, following: [...(call.following ?? []), ...updates] }
  // Of others than the sender no record tells the nonce, but that of their own next transaction.
  return [delegating, ...authorities.slice(1).flatMap((authority) => plainCall(world, authority) ?? [])]
}

function only(signer: Account): Callers {
  return { may: (num) => num === signer.num, somebody: signer.num }
}

function plainCall(world: World, signer: Account): Submission | undefined {
  const frame = someCall(world, only(signer), 'works')
  if (!frame) return undefined
  const execution = withGas(world, frame)
  return executed(world, sign(world, signer, 'feeMarket', planOf(execution, signer.ethereumNonce)), execution)
}

function delegateOf(world: World): Buffer {
  const contract = world.prng.chance(0.25) ? undefined : world.some(world.state.contracts)
  return contract ? hexBytes(contract.evmAddress) : nobody
}

function delegation({ num }: Account, payer: number, delegate: Buffer): Submission {
  return {
    body: { cryptoUpdateAccount: { accountIDToUpdate: accountId(num), delegationAddress: delegate } },
    payer,
    changes: [updated(num, { delegationAddress: delegate.toString('hex') })],
  }
}

/** Without recipient and with initcode as data, which may be in a file: a new contract, also reported as a child. */
export const ethereumCreate: Kind = (world) => {
  const signer = signerOf(world)
  if (!signer) return undefined
  const failed = world.failure('CONTRACT_REVERT_EXECUTED') !== undefined
  const nonce = signer.ethereumNonce
  const frame = failed ? refusedFounding(partyOf(world, signer.num), 1_000) : founded(world, signer, nonce)
  const execution = withGas(world, frame)
  const signed = sign(world, signer, world.prng.pick(formats), planOf(execution, nonce))
  const upload = world.prng.chance(0.3)
    ? uploadOf(world, world.payer(), Buffer.from(frame.input).toString('hex'))
    : undefined
  const creation = executed(world, signed, execution, upload?.num)
  return [...(upload?.submissions ?? []), creation]
}

function founded(world: World, signer: Account, nonce: number): Frame {
  const caller = partyOf(world, signer.num)
  const code = world.prng.pick(['token', 'market'] as const)
  const creation = newContract(world, { code, evmAddress: createAddress(caller.address, nonce) })
  return creationFrame(world, creation, caller, 0)
}

function planOf({ frame, gas }: Execution, nonce: number): EthereumPlan {
  const { recipient, value = 0, input, operation } = frame
  const to = operation === 'create' ? '' : (recipient?.address ?? '')
  return { nonce, gas, to, tinybars: value, data: input }
}

function sign(world: World, signer: Account, format: Format, plan: EthereumPlan): Signed {
  const transaction = signedTransaction(world.keys, signer.keyNum, format, plan)
  return { ...transaction, hash: keccak256(transaction.raw), signer, format, plan }
}

/** What the relay submits. */
function submissionOf(world: World, { raw, hash, withoutData, plan }: Signed, file?: number): Submission {
  const data = file === undefined ? { ethereumData: raw } : { ethereumData: withoutData(), callData: fileId(file) }
  return {
    body: { ethereumTransaction: { ...data, maxGasAllowance } },
    payer: world.payer(),
    fee: plan.gas * gasPrice,
    record: { ethereumHash: hash },
  }
}

/** The outcome with the sender's nonce, which counts whether the call works or not. */
function executed(world: World, signed: Signed, execution: Execution, file?: number): Submission {
  const { body, payer, record } = submissionOf(world, signed, file)
  const { signer } = signed
  signer.ethereumNonce += 1
  const outcome = outcomeOf(execution, payer)
  const [field = ''] = Object.keys(outcome.record)
  const { changes = [], following = [], ...rest } = outcome
  const { frame, gas } = execution
  // Its body is in a form of its own, so that the record repeats what was asked for.
  const asked = askedMessage({ gas, amount: frame.value ?? 0, input: frame.input })
  const result = { ...(outcome.record[field] as object), ...asked, signerNonce: wrapped(signer.ethereumNonce) }
  // A contract that was created has a record of its own, and comes into being with that.
  const own = frame.creation && !hasFailed(frame) ? creationRecord(frame, payer, gas, execution.gasUsed) : undefined
  return {
    ...rest,
    sidecars: own ? rest.sidecars.filter((sidecar) => !('bytecode' in sidecar)) : rest.sidecars,
    ...seen(signed, outcome.result ?? 'SUCCESS', true),
    body,
    record: { ...record, [field]: result },
    changes: own ? changes.filter((change) => !frame.creation?.changes.includes(change)) : changes,
    following: [...(own ? [own] : []), ...following],
  }
}

/** What those who watch know of it; the nonce counts where it ran. */
function seen(signed: Signed, result: ResponseName, counted: boolean): { readonly lasting: readonly LedgerChange[] } {
  const { hash, format, signer, plan } = signed
  const { nonce, gas: gasLimit, tinybars: value } = plan
  const chain = format === 'unprotected' ? null : chainId
  const set = { type: types[format], chainId: chain, sender: signer.num, nonce, gasLimit, value, result, counted }
  const change: LedgerChange = { table: 'ethereum', key: hash.toString('hex'), set }
  return { lasting: [...(counted ? [touched(signer.num, { ethereumNonce: signer.ethereumNonce })] : []), change] }
}

function signerOf(world: World): Account | undefined {
  return world.some(world.state.users.slice(0, busiest).filter((user) => maySign(world, user)))
}

/** Whose address is that of the key: others changed it, or never had one. */
function maySign(world: World, account: Account | undefined): account is Account {
  if (!account?.ecdsa || account.evmAddress === null || account.balance <= 0) return false
  return world.keys.evmAddress(account.keyNum).toString('hex') === account.evmAddress
}

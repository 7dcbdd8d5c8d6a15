import { RLP } from '@ethereumjs/rlp'
import { keccak256 } from '#src/domain/keccak.ts'
import { touched, updated } from '#src/simulator/changes.ts'
import { type AskedCall, gasLimitOf } from '#src/simulator/evm/asked-call.ts'
import { creationOf } from '#src/simulator/evm/creation.ts'
import { type Execution, execute } from '#src/simulator/evm/execute.ts'
import { partyOf } from '#src/simulator/evm/frame.ts'
import { askedMessage } from '#src/simulator/evm/function-result.ts'
import { creationRecord, outcomeOf } from '#src/simulator/evm/outcome.ts'
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
import { type Callers, someCall } from '#src/simulator/kinds/some-call.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Account } from '#src/simulator/ledger-state.ts'
import type { ResponseName } from '#src/simulator/response-codes.ts'
import type { RunningKind, Submission } from '#src/simulator/submission.ts'
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
export const ethereumCall: RunningKind = async (world) => {
  const signer = signerOf(world)
  if (!signer) return undefined
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'INSUFFICIENT_GAS', 'WRONG_NONCE', 'INSUFFICIENT_TX_FEE')
  const unexecuted = failure === 'WRONG_NONCE' || failure === 'INSUFFICIENT_TX_FEE'
  const callers = { may: (num: number) => maySign(world, world.account(num)), somebody: signer.num }
  const asked = someCall(world, callers, unexecuted ? 'reverts' : endingOf(failure))
  const sender = asked && world.account(asked.caller.num)
  if (!asked || !sender) return undefined
  const format = world.prng.pick(formats)
  if (unexecuted) return unexecutedOf(world, sender, asked, format, failure)
  const execution = await execute(world, asked)
  return executed(world, sign(world, sender, format, planOf(asked, execution.gas, sender.ethereumNonce)), execution)
}

/** One that never ran; a nonce that is wrong is too high. */
function unexecutedOf(
  world: World,
  sender: Account,
  asked: AskedCall,
  format: Format,
  result: 'WRONG_NONCE' | 'INSUFFICIENT_TX_FEE',
): Submission {
  const nonce = sender.ethereumNonce + (result === 'WRONG_NONCE' ? 5 : 0)
  const signed = sign(world, sender, format, planOf(asked, gasLimitOf(world, asked), nonce))
  return { ...submissionOf(world, signed), ...seen(signed, result, false), result }
}

/**
 * EIP-7702: accounts let the code of a contract run for them, or take that back with the zero address. The network writes
 * each authorization down as an update of its account, whether the call works or not, and counts it as a transaction of it.
 */
export const ethereumDelegation: RunningKind = async (world) => {
  const signer = signerOf(world)
  if (!signer) return undefined
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'WRONG_NONCE')
  const asked = someCall(world, only(signer), failure ? 'reverts' : 'works')
  if (!asked) return undefined
  const other = world.prng.chance(0.5) ? signerOf(world) : undefined
  const authorities = other && other !== signer ? [signer, other] : [signer]
  const delegates = authorities.map((authority) => ({ authority, delegate: delegateOf(world) }))
  const authorizations = delegates.map(({ authority, delegate }): Authorization => {
    // The transaction itself counts before what it brings.
    const nonce = authority.ethereumNonce + (authority === signer ? 1 : 0)
    return { key: authority.keyNum, delegate, nonce }
  })
  const asking = { ...asked, authorizations }
  if (failure === 'WRONG_NONCE') return unexecutedOf(world, signer, asking, 'delegation', failure)
  const execution = await execute(world, asked)
  const plan = planOf(asking, execution.gas, signer.ethereumNonce)
  const signed = sign(world, signer, 'delegation', plan)
  for (const { authority } of delegates) authority.ethereumNonce += 1
  const call = executed(world, signed, execution)
  const updates = delegates.map(({ authority, delegate }) => delegation(authority, call.payer, delegate))
  const delegating = { ...call, following: [...(call.following ?? []), ...updates] }
  // Of others than the sender no record tells the nonce, but that of their own next transaction.
  const [, second] = authorities
  const next = second && (await plainCall(world, second))
  return next ? [delegating, next] : delegating
}

function only(signer: Account): Callers {
  return { may: (num) => num === signer.num, somebody: signer.num }
}

async function plainCall(world: World, signer: Account): Promise<Submission | undefined> {
  const asked = someCall(world, only(signer), 'works')
  if (!asked) return undefined
  const execution = await execute(world, asked)
  const plan = planOf(asked, execution.gas, signer.ethereumNonce)
  return executed(world, sign(world, signer, 'feeMarket', plan), execution)
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
export const ethereumCreate: RunningKind = async (world) => {
  const signer = signerOf(world)
  if (!signer) return undefined
  const failed = world.failure('CONTRACT_REVERT_EXECUTED') !== undefined
  const nonce = signer.ethereumNonce
  const asked = failed ? refusedFounding(partyOf(world, signer.num), 1_000) : founding(world, signer, nonce)
  const execution = await execute(world, asked)
  const signed = sign(world, signer, world.prng.pick(formats), planOf(asked, execution.gas, nonce))
  const upload = world.prng.chance(0.3)
    ? uploadOf(world, world.payer(), Buffer.from(asked.input).toString('hex'))
    : undefined
  const creation = executed(world, signed, execution, upload?.num)
  return [...(upload?.submissions ?? []), creation]
}

function founding(world: World, signer: Account, nonce: number): AskedCall {
  const caller = partyOf(world, signer.num)
  const code = world.prng.pick(['token', 'market'] as const)
  const creation = { code, evmAddress: createAddress(caller.address, nonce) }
  return { caller, creation, ...creationOf(world, code, caller) }
}

interface Asking extends AskedCall {
  readonly authorizations?: readonly Authorization[]
}

function planOf({ recipient, value = 0, input, authorizations }: Asking, gas: number, nonce: number): EthereumPlan {
  const plan = { nonce, gas, to: recipient?.address ?? '', tinybars: value, data: input }
  return authorizations ? { ...plan, authorizations } : plan
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
  const { asked: call, gas, frames } = execution
  // Its body is in a form of its own, so that the record repeats what was asked for.
  const asked = askedMessage({ gas, amount: call.value ?? 0, input: call.input })
  const result = { ...(outcome.record[field] as object), ...asked, signerNonce: wrapped(signer.ethereumNonce) }
  // A contract that was created has a record of its own, and comes into being with that.
  const { creation } = frames[0]
  const own = creation && creationRecord(execution, frames[0], payer)
  return {
    ...rest,
    sidecars: own ? rest.sidecars.filter((sidecar) => !('bytecode' in sidecar)) : rest.sidecars,
    ...seen(signed, outcome.result ?? 'SUCCESS', true),
    body,
    record: { ...record, [field]: result },
    changes: own ? changes.filter((change) => !creation.changes.includes(change)) : changes,
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

/** Where CREATE puts a contract, as 40 hex digits: it depends on the creator and how many it made before. */
function createAddress(creator: string, nonce: number): string {
  return keccak256(RLP.encode([hexBytes(creator), nonce])).toString('hex', 12)
}

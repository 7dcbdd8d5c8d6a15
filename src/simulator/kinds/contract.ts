import type { Message } from '#src/simulator/codec.ts'
import { addressWord, callResult, type Log, longZero, storageChange, transferTopic, word } from '#src/simulator/evm.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import { accountId, contractId, hexBytes, systemContracts, tokenId } from '#src/simulator/ids.ts'
import { createAccount, creationOf } from '#src/simulator/kinds/new-account.ts'
import { callOperation, callType, creationOutcome, initcode, newContract } from '#src/simulator/kinds/new-contract.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const slotsMost = 20
const transferSelector = Buffer.from('a9059cbb', 'hex')
/** Error(string) with the text "paused". */
const revertReason = Buffer.concat([
  Buffer.from('08c379a0', 'hex'),
  word(32),
  word(6),
  Buffer.from('paused'.padEnd(32, '\0')),
])

/** A call of `transfer(address,uint256)` that logs, reads and writes storage; some revert. */
export const contractCall: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  if (!contract) return undefined
  const payer = world.payer()
  const gas = world.prng.between(5, 30) * 10_000
  const amount = world.prng.chance(0.3) ? world.amountFrom(payer) : 0
  const input = transferInput(world)
  const id = contract.num % 2 === 0 ? contractId(contract.num) : { evmAddress: hexBytes(contract.evmAddress) }
  const body = { contractCall: { contractID: id, gas, amount, functionParameters: input } }
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'INSUFFICIENT_GAS', 'INVALID_CONTRACT_ID')
  if (failure === 'INVALID_CONTRACT_ID') return { body, payer, result: failure }
  const outcome = callOutcome(world, contract, { sender: payer, gas, amount, input, failed: failure !== undefined })
  return {
    body,
    payer,
    fee: gas * gasPrice,
    ...outcome,
    movements: [
      [payer, -amount],
      [contract.num, amount],
    ],
    ...(failure ? { result: failure } : {}),
  }
}

export interface CallPlan {
  readonly sender: number
  readonly gas: number
  readonly amount: number
  readonly input: Uint8Array
  readonly failed: boolean
  /** What it logs behind its own logs, for tokens that it moves. */
  readonly tokenLogs?: readonly Log[]
}

export function transferInput(world: World): Buffer {
  return Buffer.concat([
    transferSelector,
    addressWord(longZero(world.user().num)),
    word(world.prng.between(1, 1_000_000)),
  ])
}

/** Receipt, record and sidecars of a call, as success or as revert. */
export function callOutcome(world: World, contract: Contract, plan: CallPlan): Partial<Submission> {
  const id = contractId(contract.num)
  const { failed, input, sender, gas, amount, tokenLogs = [] } = plan
  const output = failed ? revertReason : word(1)
  const gasUsed = Math.floor(gas * 0.8)
  const logs = failed
    ? []
    : [...Array.from({ length: world.prng.between(1, 3) }, () => transferLog(world, contract, sender)), ...tokenLogs]
  const action = {
    callType: callType.call,
    callOperationType: callOperation.call,
    callingAccount: accountId(sender),
    recipientContract: id,
    gas: gas - 21_000,
    gasUsed: gasUsed - 21_000,
    input,
    ...(amount > 0 ? { value: amount } : {}),
    ...(failed ? { revertReason: output } : { output }),
  }
  const error = failed ? { error: `0x${revertReason.toString('hex')}` } : {}
  const actions = { actions: { contractActions: [action] } }
  return {
    receipt: { contractID: id },
    record: {
      contractCallResult: callResult({
        contract: contract.num,
        sender,
        gas,
        gasUsed,
        amount,
        input,
        output,
        logs,
        ...error,
      }),
    },
    sidecars: failed ? [actions] : [{ stateChanges: storageAccess(world, contract) }, actions],
  }
}

function transferLog(world: World, { num, evmAddress }: Contract, sender: number): Log {
  const topics = [transferTopic, addressWord(longZero(sender)), addressWord(longZero(world.user().num))]
  return { contract: num, address: hexBytes(evmAddress), topics, data: word(world.prng.between(1, 1_000_000)) }
}

/** As the network logs a token that the system contract moved: the token is the address. */
export function tokenLog(token: number, [sender, receiver]: readonly [number, number], amount: number): Log {
  const topics = [transferTopic, addressWord(longZero(sender)), addressWord(longZero(receiver))]
  return { contract: token, address: longZero(token), topics, data: word(amount) }
}

/** One slot read, one written; the state keeps what was written, so that the next read tells the truth. */
function storageAccess(world: World, contract: Contract): Message {
  const [read, written] = [world.prng.below(slotsMost), world.prng.below(slotsMost)].map((slot) =>
    slot.toString(16).padStart(2, '0'),
  )
  const value = world.prng.bytes(6).toString('hex')
  const changes = [storageChange(written ?? '', contract.slots[written ?? ''] ?? '', value)]
  if (read !== written) changes.unshift(storageChange(read ?? '', contract.slots[read ?? ''] ?? '', undefined))
  contract.slots[written ?? ''] = value
  return { contractStateChanges: [{ contractId: contractId(contract.num), storageChanges: changes }] }
}

/** A call that moves a token through the system contract, and one that creates another contract: both as children. */
export const contractCallWithChildren: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  const token = world.token(
    (candidate) => !candidate.nft && !candidate.paused && (candidate.holders[candidate.treasury] ?? 0) > 10,
  )
  if (!contract || !token) return undefined
  const payer = world.payer()
  const gas = 800_000
  const input = transferInput(world)
  const receiver = Number(Object.keys(token.holders).find((num) => Number(num) !== token.treasury) ?? token.treasury)
  if (receiver === token.treasury) return undefined
  token.holders[token.treasury] = (token.holders[token.treasury] ?? 0) - 5
  token.holders[receiver] = (token.holders[receiver] ?? 0) + 5
  const amounts = [
    { accountID: accountId(token.treasury), amount: -5 },
    { accountID: accountId(receiver), amount: 5 },
  ]
  const transferChild: Submission = {
    body: { cryptoTransfer: { tokenTransfers: [{ token: tokenId(token.num), transfers: amounts }] } },
    payer,
    tokenMovements: [
      {
        token: token.num,
        transfers: [
          [token.treasury, -5],
          [receiver, 5],
        ],
      },
    ],
    record: {
      contractCallResult: callResult({
        contract: systemContracts.tokenService,
        sender: payer,
        gas: 40_000,
        gasUsed: 30_000,
        input,
        output: word(22),
      }),
    },
  }
  const creation = newContract(world, { memo: world.prng.pick(['', 'made by a contract']) })
  const createChild: Submission = {
    body: { contractCreateInstance: { initcode, gas: 200_000, ...creation.fields } },
    payer,
    ...creationOutcome(creation, payer, 200_000),
  }
  // What the child gets is in the list of the call, which comes before it.
  const amount = world.prng.chance(0.5) ? world.amountFrom(payer) : 0
  return {
    body: { contractCall: { contractID: contractId(contract.num), gas, amount, functionParameters: input } },
    payer,
    fee: gas * gasPrice,
    ...callOutcome(world, contract, {
      sender: payer,
      gas,
      amount,
      input,
      failed: false,
      tokenLogs: [tokenLog(token.num, [token.treasury, receiver], 5)],
    }),
    movements: [
      [payer, -amount],
      [creation.contract.num, amount],
    ],
    following: [transferChild, createChild],
  }
}

/** A contract sends hbar to an address that nobody has: the account comes as a child of the call, without a key. */
export const contractLazyCreate: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  if (!contract) return undefined
  const payer = world.payer()
  const gas = 900_000
  const amount = 1 + world.amountFrom(payer)
  const input = transferInput(world)
  const account = createAccount(world, { ecdsa: true, alias: 'address', hollow: true, reuse: true })
  const child: Submission = { ...creationOf(world, account, { memo: 'lazy-created account' }), payer }
  return {
    body: { contractCall: { contractID: contractId(contract.num), gas, amount, functionParameters: input } },
    payer,
    fee: gas * gasPrice,
    ...callOutcome(world, contract, { sender: payer, gas, amount, input, failed: false }),
    movements: [
      [payer, -amount],
      [account.num, amount],
    ],
    following: [child],
  }
}

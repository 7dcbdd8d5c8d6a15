import { touched } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { type Frame, gasOf, hasFailed, logsOf, type PlacedFrame, placed } from '#src/simulator/evm/frame.ts'
import { type AskedFacts, functionResult } from '#src/simulator/evm/function-result.ts'
import { codeSidecar, sidecarsOf, storageOf } from '#src/simulator/evm/sidecars.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import { contractId, hexBytes, wrapped } from '#src/simulator/ids.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Movement } from '#src/simulator/movement.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** A call from outside, with the gas that it may use and uses. */
export interface Execution {
  readonly frame: Frame
  readonly gas: number
  readonly gasUsed: number
  readonly intrinsic: number
}

const gasStep = 1_000
/** The least share of the limit that is paid for. */
const shareCharged = 0.8

/** Gives a call somewhat more gas than it needs; one that shall fail of it, too little. */
export function withGas({ prng }: World, frame: Frame): Execution {
  const intrinsic = intrinsicGas(frame)
  if ('error' in frame.end) {
    const gas = intrinsic + Math.floor(gasOf(frame) / 2)
    return { frame, gas, gasUsed: gas, intrinsic }
  }
  const gasUsed = intrinsic + gasOf(frame)
  const gas = Math.ceil((gasUsed * (1.1 + prng.unit())) / gasStep) * gasStep
  return { frame, gas, gasUsed, intrinsic }
}

/** What a transaction costs before any code runs. */
function intrinsicGas({ operation, input }: Frame): number {
  let sum = operation === 'call' ? 21_000 : 53_000
  for (const byte of input) sum += byte === 0 ? 4 : 16
  return sum
}

/** Fee, receipt, record, sidecars, children and effects of a call or creation that a transaction of the payer asks for. */
export function outcomeOf(
  execution: Execution,
  payer: number,
): Submission & Required<Pick<Submission, 'record' | 'sidecars'>> {
  const { frame, gas, gasUsed, intrinsic } = execution
  const failed = hasFailed(frame)
  const frames = placed(frame, gas - intrinsic)
  const own = frame.creation ? addressOf(frame) : {}
  const result = { ...resultOf(frame, gasUsed), ...own, ...(failed ? {} : countersOf(frames)) }
  const id = frame.recipient && contractId(frame.recipient.num)
  return {
    body: {},
    payer,
    fee: Math.max(gasUsed, Math.floor(gas * shareCharged)) * gasPrice,
    ...(id ? { receipt: { contractID: id } } : {}),
    record: { [frame.operation === 'call' ? 'contractCallResult' : 'contractCreateResult']: result },
    sidecars: [...codeSidecar(frame), ...sidecarsOf(frames)],
    movements: failed ? [] : frames.flatMap(({ frame: each }) => paidIn(each)),
    changes: failed ? [] : changesOf(frames),
    following: frames.slice(1).flatMap((each) => childOf(each, payer, failed)),
    ...('revert' in frame.end ? { result: 'CONTRACT_REVERT_EXECUTED' } : {}),
    ...('error' in frame.end ? { result: frame.end.error } : {}),
  }
}

function resultOf(frame: Frame, gasUsed: number, asked?: AskedFacts): Message {
  const { caller, recipient, end } = frame
  return functionResult({
    contract: recipient === null ? null : recipient.num,
    sender: caller.num,
    gasUsed,
    ...(asked ? { asked } : {}),
    ...('output' in end ? { output: end.output, logs: logsOf(frame) } : {}),
    ...('revert' in end ? { output: end.revert, error: `0x${Buffer.from(end.revert).toString('hex')}` } : {}),
    ...('error' in end ? { error: end.error } : {}),
  })
}

/** The code of a creation is no parameter of it. */
function askedOf({ input, value = 0, operation }: Frame, gas: number): AskedFacts {
  return { gas, amount: value, ...(operation === 'call' ? { input } : {}) }
}

function addressOf({ creation }: Frame): Message {
  return creation ? { evmAddress: wrapped(hexBytes(creation.contract.evmAddress)) } : {}
}

/** What was created, and the nonces that are other ones now, of all that the call did. */
function countersOf(frames: readonly PlacedFrame[]): Message {
  const created = frames.flatMap(({ frame: { creation } }) => (creation ? [creation.contract] : []))
  const counted = new Set([...created, ...frames.flatMap(({ frame }) => frame.counted ?? [])])
  return {
    createdContractIDs: created.map(({ num }) => contractId(num)),
    contractNonces: [...counted].map(({ num, nonce }) => ({ contractId: contractId(num), nonce })),
  }
}

function paidIn({ caller, recipient, value = 0 }: Frame): Movement[] {
  if (recipient === null || value === 0) return []
  return [
    [caller.num, -value],
    [recipient.num, value],
  ]
}

/** Of the creation from outside, and of everything that was written; creations below have a record of their own. */
function changesOf(frames: readonly PlacedFrame[]): LedgerChange[] {
  const all = frames.map(({ frame }) => frame)
  const slots = [...storageOf(all)].flatMap(([num, accesses]) =>
    [...accesses.values()].flatMap(({ slot, after }): LedgerChange[] =>
      after === undefined
        ? []
        : [{ table: 'contractSlots', key: `${num}/${slot.padStart(64, '0')}`, set: { value: after } }],
    ),
  )
  const counted = all.flatMap((frame) => frame.counted ?? [])
  return [
    ...(all[0]?.creation?.changes ?? []),
    ...counted.map(({ num, nonce }) => touched(num, { ethereumNonce: nonce })),
    ...slots,
    ...all.flatMap(({ changes = [] }) => changes),
  ]
}

/** A creation or what a system contract did; taken back where the whole call is. */
function childOf({ frame, gas, gasUsed }: PlacedFrame, payer: number, undone: boolean): Submission[] {
  const result = undone ? { result: 'REVERTED_SUCCESS' as const } : {}
  if (frame.creation) return [{ ...creationRecord(frame, payer, gas, gasUsed), ...result }]
  if (!frame.child) return []
  const error = frame.child.result && { errorMessage: frame.child.result }
  const contractCallResult = { ...resultOf({ ...frame, logs: [] }, gasUsed, askedOf(frame, gas)), ...error }
  return [{ ...result, ...frame.child, payer, record: { ...frame.child.record, contractCallResult } }]
}

/** How the network writes down a contract that came into being within a transaction of another kind. */
export function creationRecord(frame: Frame, payer: number, gas: number, gasUsed: number): Submission {
  const { creation, recipient } = frame
  if (!creation || recipient === null) throw new TypeError('a frame that creates nothing')
  const id = contractId(recipient.num)
  const result = { ...resultOf({ ...frame, logs: [], frames: [] }, gasUsed, askedOf(frame, gas)), ...addressOf(frame) }
  return {
    body: { contractCreateInstance: { gas, ...creation.fields } },
    payer,
    receipt: { contractID: id },
    record: { contractCreateResult: result },
    changes: creation.changes,
    sidecars: codeSidecar(frame),
  }
}

import { touched } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { Execution } from '#src/simulator/evm/execute.ts'
import { type Frame, hasFailed } from '#src/simulator/evm/frame.ts'
import { type AskedFacts, functionResult } from '#src/simulator/evm/function-result.ts'
import { codeSidecar, sidecarsOf } from '#src/simulator/evm/sidecars.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import { contractId, hexBytes, wrapped } from '#src/simulator/ids.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Movement } from '#src/simulator/movement.ts'
import type { Submission } from '#src/simulator/submission.ts'

/** The least share of the limit that is paid for. */
const shareCharged = 0.8

/** Fee, receipt, record, sidecars, children and effects of a call or creation that a transaction of the payer asks for. */
export function outcomeOf(
  execution: Execution,
  payer: number,
): Submission & Required<Pick<Submission, 'record' | 'sidecars'>> {
  const { asked, gas, gasUsed, frames } = execution
  const [top, ...inner] = frames
  const failed = hasFailed(top)
  const own = top.creation ? addressOf(top) : {}
  const result = { ...resultOf(execution, top, gasUsed), ...own, ...(failed ? {} : countersOf(execution)) }
  const id = top.recipient && contractId(top.recipient.num)
  return {
    body: {},
    payer,
    fee: Math.max(gasUsed, Math.floor(gas * shareCharged)) * gasPrice,
    ...(id ? { receipt: { contractID: id } } : {}),
    record: { [asked.creation ? 'contractCreateResult' : 'contractCallResult']: result },
    sidecars: [...codeSidecar(top), ...sidecarsOf(execution)],
    movements: frames.flatMap((frame) => paidIn(execution, frame)),
    changes: failed ? [] : changesOf(execution),
    following: inner.flatMap((frame) => childOf(execution, frame, payer)),
    ...('revert' in top.end ? { result: 'CONTRACT_REVERT_EXECUTED' } : {}),
    ...('error' in top.end ? { result: top.end.error } : {}),
  }
}

/** Logs are those of the whole call, where it is the whole call. */
function resultOf({ asked, logs }: Execution, frame: Frame, gasUsed: number, facts?: AskedFacts): Message {
  const { caller = asked.caller, recipient, end, depth } = frame
  return functionResult({
    contract: recipient?.num ?? null,
    sender: caller.num,
    gasUsed,
    ...(facts ? { asked: facts } : {}),
    ...('output' in end ? { output: end.output, logs: depth === 0 && !facts ? logs : [] } : {}),
    ...('revert' in end ? { output: end.revert, error: `0x${Buffer.from(end.revert).toString('hex')}` } : {}),
    ...('error' in end ? { error: end.error } : {}),
  })
}

/** The code of a creation is no parameter of it. */
function askedOf({ input, value, creation }: Frame, gas: number): AskedFacts {
  return { gas, amount: value, ...(creation ? {} : { input }) }
}

function addressOf({ creation }: Frame): Message {
  return creation ? { evmAddress: wrapped(hexBytes(creation.contract.evmAddress)) } : {}
}

/** What was created, and the nonces that are other ones now, of all that the call did. */
function countersOf({ frames, makers }: Execution): Message {
  const created = frames.flatMap(({ creation }) => (creation ? [creation.contract] : []))
  const counted = new Set([...created, ...makers])
  return {
    createdContractIDs: created.map(({ num }) => contractId(num)),
    contractNonces: [...counted].map(({ num, nonce }) => ({ contractId: contractId(num), nonce })),
  }
}

function paidIn({ asked }: Execution, { depth, caller, recipient, value, undone, operation }: Frame): Movement[] {
  const payer = depth === 0 ? asked.caller : caller
  if (!recipient || !payer || value === 0 || undone || operation === 'callCode') return []
  return [
    [payer.num, -value],
    [recipient.num, value],
  ]
}

/** Of the creation from outside, and of everything that was written; creations below have a record of their own. */
function changesOf({ frames, storage, makers, changes }: Execution): LedgerChange[] {
  const slots = [...storage].flatMap(([num, accesses]) =>
    accesses.flatMap(({ slot, before, after }): LedgerChange[] =>
      before === after ? [] : [{ table: 'contractSlots', key: `${num}/${slot}`, set: { value: after } }],
    ),
  )
  return [
    ...(frames[0].creation?.changes ?? []),
    ...makers.map(({ num, nonce }) => touched(num, { ethereumNonce: nonce })),
    ...slots,
    ...changes,
  ]
}

/** A creation, an account that came into being or what a system contract did; taken back where its frame is. */
function childOf(execution: Execution, frame: Frame, payer: number): Submission[] {
  if (frame.creation) return [creationRecord(execution, frame, payer)]
  const { child, undone, gas, gasUsed } = frame
  if (!child) return []
  const taken = undone ? { result: 'REVERTED_SUCCESS' as const } : {}
  if (frame.recipient?.num === undefined || !isAnswered(frame)) return [{ ...taken, ...child, payer }]
  const error = child.result && { errorMessage: child.result }
  const contractCallResult = { ...resultOf(execution, frame, gasUsed, askedOf(frame, gas)), ...error }
  return [{ ...taken, ...child, payer, record: { ...child.record, contractCallResult } }]
}

/** By the network's own contract, and not just by sending hbar. */
function isAnswered({ recipient }: Frame): boolean {
  return recipient?.contract ?? false
}

/** How the network writes down a contract that came into being within a transaction of another kind. */
export function creationRecord(execution: Execution, frame: Frame, payer: number): Submission {
  const { creation, recipient, gas } = frame
  if (!creation || !recipient) throw new TypeError('a frame that creates nothing')
  const isTop = frame.depth === 0
  const id = contractId(recipient.num)
  const limit = isTop ? execution.gas : gas
  const gasUsed = isTop ? execution.gasUsed : frame.gasUsed
  const result = { ...resultOf(execution, frame, gasUsed, askedOf(frame, limit)), ...addressOf(frame) }
  return {
    body: { contractCreateInstance: { gas: limit, ...creation.fields } },
    payer,
    receipt: { contractID: id },
    record: { contractCreateResult: result },
    changes: creation.changes,
    sidecars: codeSidecar(frame),
  }
}

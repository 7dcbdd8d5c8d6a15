import { evmResult, functionResultOf } from '#src/simulator/blocks/evm-result.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { Emitted } from '#src/simulator/emitted.ts'
import { bodyFieldOf } from '#src/simulator/submission.ts'

/** What a transaction brought besides its result, as TransactionOutputs: only what no change of state tells. */
export function transactionOutputs(transaction: Emitted): Message[] {
  const outputs = [randomness, execution, scheduling, creation].map((outputOf) => outputOf(transaction))
  return outputs.filter((output) => output !== undefined)
}

function randomness({ record: { prngBytes, prngNumber } }: Emitted): Message | undefined {
  if (prngBytes !== undefined) return { utilPrng: { prngBytes } }
  return prngNumber === undefined ? undefined : { utilPrng: { prngNumber } }
}

function execution(transaction: Emitted): Message | undefined {
  const ran = functionResultOf(transaction)
  const ethereum = bodyFieldOf(transaction.submission.body) === 'ethereumTransaction'
  // Of one that was understood but did not run there is nothing more to say.
  if (!ran) return transaction.record['ethereumHash'] ? { ethereumCall: {} } : undefined
  const result = evmResult(transaction, ran)
  if (ethereum)
    return {
      ethereumCall: ran.creates ? { evmCreateTransactionResult: result } : { evmCallTransactionResult: result },
    }
  return { [ran.creates ? 'contractCreate' : 'contractCall']: { evmTransactionResult: result } }
}

function scheduling({ record }: Emitted): Message | undefined {
  const { scheduleID, scheduledTransactionID } = record['receipt'] as Message
  if (scheduledTransactionID === undefined) return undefined
  const scheduledTransactionId = scheduledTransactionID
  return scheduleID === undefined
    ? { signSchedule: { scheduledTransactionId } }
    : { createSchedule: { scheduleId: scheduleID, scheduledTransactionId } }
}

function creation({ submission, record }: Emitted): Message | undefined {
  const { accountID } = record['receipt'] as Message
  const creates = bodyFieldOf(submission.body) === 'cryptoCreateAccount' && accountID !== undefined
  return creates ? { accountCreate: { createdAccountId: accountID } } : undefined
}

// Entry of the threads that run contracts, one call at a time.
import { parentPort } from 'node:worker_threads'
import { LedgerError } from '#src/domain/errors.ts'
import { estimateGas } from '#src/evm/estimate-gas.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { runCall } from '#src/evm/run-call.ts'
import { AskedState } from '#src/evm/threads/asked-state.ts'
import { BytesCache } from '#src/evm/threads/bytes-cache.ts'
import type { KnownFact } from '#src/evm/threads/known-facts.ts'
import type { CallOutcome, FromCallThread, Job, ToCallThread, TraceJob } from '#src/evm/threads/messages.ts'
import { sentError } from '#src/evm/threads/thread-errors.ts'
import { GzipParts } from '#src/evm/trace/gzip-parts.ts'
import { traceCall } from '#src/evm/trace/trace-call.ts'

const codeBytesMax = 16 << 20

if (!parentPort) throw new Error('contracts run on threads of their own')
const port = parentPort
const post = (message: FromCallThread): void => port.postMessage(message)
const state = new AskedState(post)
const codes = new BytesCache(codeBytesMax)

/** Where the trace goes that is told at the moment. */
let parts: GzipParts | undefined

port.on('message', (message: ToCallThread) => {
  if (message.kind === 'told') state.tell(message.question, message.fact)
  else if (message.kind === 'untold') state.refuse(message.question, message.error)
  else if (message.kind === 'taken') {
    if (message.isWanted) parts?.take()
    else parts?.close(new LedgerError('client_gone', 'Nobody wants the trace any more'))
  } else void answer(message.job, message.known)
})

async function answer(job: Job, known: readonly KnownFact[]): Promise<void> {
  try {
    post({ kind: 'done', outcome: await run(job, state.open(codes, known)) })
  } catch (error) {
    post({ kind: 'failed', error: sentError(error) })
  }
}

async function run(job: Job, ledger: LedgerState): Promise<CallOutcome | undefined> {
  if (job.kind === 'trace') return trace(job, ledger)
  const { kind, request, settings } = job
  if (kind === 'call') return runCall(request, ledger, settings)
  return estimateGas(request.gas, (gas) => runCall({ ...request, gas }, ledger, settings))
}

async function trace(job: TraceJob, ledger: LedgerState): Promise<undefined> {
  parts = new GzipParts((bytes) => port.postMessage({ kind: 'part', bytes } satisfies FromCallThread, [bytes.buffer]))
  try {
    await traceCall(job, ledger, parts)
    await parts.end()
  } finally {
    parts.close(new LedgerError('interrupted', 'The trace has ended'))
    parts = undefined
  }
}

// Entry of the threads that run contracts, one call at a time.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { LedgerError } from '#src/domain/errors.ts'
import { SizedCache } from '#src/domain/sized-cache.ts'
import { estimateGas } from '#src/evm/estimate-gas.ts'
import { findAccess } from '#src/evm/find-access.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { runCall } from '#src/evm/run-call.ts'
import { simulate } from '#src/evm/simulate.ts'
import { AskedState } from '#src/evm/threads/asked-state.ts'
import type { KnownFact } from '#src/evm/threads/known-facts.ts'
import type { FromCallThread, Job, OutcomeOf, ToCallThread } from '#src/evm/threads/messages.ts'
import { sentError } from '#src/evm/threads/thread-errors.ts'
import { findTouched } from '#src/evm/trace/find-touched.ts'
import { GzipParts } from '#src/evm/trace/gzip-parts.ts'
import { traceActions } from '#src/evm/trace/trace-actions.ts'
import { traceCall } from '#src/evm/trace/trace-call.ts'

const codeBytesMax = 16 << 20
/** Whoever answers requests goes first where there are no cores for all. */
const niceness = 5

if (!parentPort) throw new Error('contracts run on threads of their own')
const port = parentPort
const post = (message: FromCallThread): void => port.postMessage(message)
const state = new AskedState(post)
const codes = new SizedCache<bigint, Uint8Array>(codeBytesMax, ({ length }) => length)

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
// Elsewhere that would be said of the whole process.
if (process.platform === 'linux') setPriority(niceness)
post({ kind: 'ready' })

async function answer(job: Job, known: readonly KnownFact[]): Promise<void> {
  try {
    post({ kind: 'done', outcome: await run(job, state.open(codes, known)) })
  } catch (error) {
    post({ kind: 'failed', error: sentError(error) })
  }
}

function run(job: Job, ledger: LedgerState): Promise<OutcomeOf<Job>> {
  switch (job.kind) {
    case 'call':
      return runCall(job.request, ledger, job.settings)
    case 'estimate':
      return estimateGas(job.request.gas, (gas) => runCall({ ...job.request, gas }, ledger, job.settings))
    case 'access':
      return findAccess(job.request, ledger, job.settings, job.isEstimate)
    case 'simulate':
      return simulate(job.blocks, ledger, job.settings, job.tracesTransfers)
    case 'touched':
      return findTouched(job, ledger)
    case 'trace':
      return inParts((texts) => traceCall(job, ledger, texts))
    case 'actions':
      return inParts(async (texts) => {
        const { request, settings, onlyTopCall } = job
        const result = await traceActions(request, ledger, settings, { texts, onlyTopCall })
        return { result, isTold: !texts.isEmpty }
      })
  }
}

/** Sends what is told as it is compressed. Nothing is sent where nothing is told. */
async function inParts<T>(tell: (texts: GzipParts) => Promise<T>): Promise<T> {
  parts = new GzipParts((bytes) => port.postMessage({ kind: 'part', bytes } satisfies FromCallThread, [bytes.buffer]))
  try {
    const outcome = await tell(parts)
    if (!parts.isEmpty) await parts.end()
    return outcome
  } finally {
    parts.close(new LedgerError('interrupted', 'The trace has ended'))
    parts = undefined
  }
}

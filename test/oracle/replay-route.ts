import { objectSchema } from '#queries/common/object-schema.ts'
import { defineRoute } from '#queries/common/route.ts'
import { ledgerAt } from '#queries/contract-calls/ledger-at.ts'
import { callReads } from '#queries/contract-calls/reads.ts'
import { findReplay } from '#queries/contract-results/find-replay.ts'
import { findResult } from '#queries/contract-results/find-result.ts'
import { resultPath } from '#queries/contract-results/params.ts'
import { resultReads } from '#queries/contract-results/reads.ts'
import { runCall } from '#src/evm/run-call.ts'
import { RecordedCalls } from '#src/evm/trace/recorded-calls.ts'
import { type MadeAccess, type MadeCall, type MadeLog, WatchedEvm } from '#test/oracle/watched-evm.ts'

/** What came of a transaction that was run again, on the state just before it. */
export interface Replayed {
  readonly response: string
  readonly output: string
  readonly gasUsed: string
  readonly gasLimit: string
  readonly calls: readonly MadeCall[]
  readonly logs: readonly MadeLog[]
  readonly accesses: readonly MadeAccess[]
}

/** Runs a transaction again exactly as the route for its instructions does, and tells all that it did. */
export const replayRoute = defineRoute({
  path: '/replays/:transactionIdOrHash',
  pathParameters: resultPath,
  summary: 'Run a transaction again',
  tag: 'contracts',
  dialect: 'B-call',
  parameters: {},
  maxAge: 0,
  body: objectSchema({ response: { type: 'string' } }),
  reads: { ...resultReads, ...callReads },
  answer: async ({ params }, context) => {
    const row = await findResult(params.transactionIdOrHash, 0, context)
    if (row === undefined) throw new Error('there is no such result')
    const { block, request, settings, newContract, recorded } = await findReplay(row, context)
    let evm: WatchedEvm | undefined
    const { response, output, gasUsed } = await runCall(request, ledgerAt(block, context), settings, {
      replayed: { newContract },
      openEvm: (options) => {
        evm = new WatchedEvm({ ...options, recorded: recorded && new RecordedCalls(recorded) })
        return evm
      },
    })
    const replayed: Replayed = {
      response,
      output: `0x${Buffer.from(output).toString('hex')}`,
      gasUsed: String(gasUsed),
      gasLimit: String(request.gas),
      calls: evm?.calls ?? [],
      logs: evm?.logs ?? [],
      accesses: (await evm?.accesses()) ?? [],
    }
    return { body: JSON.stringify(replayed), dependsOnClock: true }
  },
})

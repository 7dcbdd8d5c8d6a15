import { objectSchema } from '#queries/common/object-schema.ts'
import { booleanParameter, lastValue } from '#queries/common/parameters.ts'
import { PartPipe } from '#queries/common/part-pipe.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { ledgerAt } from '#queries/contract-calls/ledger-at.ts'
import { stepSchema } from '#queries/contract-results/body-schema.ts'
import { findReplay } from '#queries/contract-results/find-replay.ts'
import { getReplayed, type ReplayContext, replayPath, replayReads } from '#queries/contract-results/replayed.ts'
import { LedgerError } from '#src/domain/errors.ts'

const parameters = {
  stack: booleanParameter('stack', 'Whether each step shows the stack. True unless given.'),
  memory: booleanParameter('memory', 'Whether each step shows the memory. False unless given.'),
  storage: booleanParameter('storage', 'Whether each step shows the slots touched so far. False unless given.'),
}

export const opcodesRoute = defineRoute({
  path: '/contracts/results/:transactionIdOrHash/opcodes',
  pathParameters: replayPath,
  summary: 'Run a transaction again on the state before it, and list every instruction; compressed by gzip',
  tag: 'contracts',
  dialect: 'B-call',
  parameters,
  maxAge: 0,
  body: objectSchema({
    address: { type: 'string', nullable: true, description: 'Of the contract that was called or created' },
    contract_id: { type: 'string', nullable: true },
    failed: { type: 'boolean' },
    gas: { type: 'integer', format: 'int64', description: 'Gas that was used' },
    opcodes: { type: 'array', items: stepSchema },
    return_value: { type: 'string' },
  }),
  statuses: {
    406: 'The client does not accept gzip',
    429: 'Too many traces within a second',
    501: 'The trace needs what the log does not say, or transactions are not traced here',
  },
  reads: replayReads,
  answer,
})

async function answer(
  { params, filters, acceptsGzip }: QueryRequest<typeof parameters, typeof replayPath>,
  context: ReplayContext,
): Promise<Answer> {
  const { evm, settings } = context
  if (evm === undefined || !settings.contractCalls.traces)
    throw new LedgerError('not_implemented', 'This process traces no transactions')
  if (!acceptsGzip) throw new LedgerError('not_acceptable', 'Accept-Encoding: gzip header is required')
  evm.traceThrottle.take(0n)
  const row = await getReplayed(params.transactionIdOrHash, context)
  const { block, ...replay } = await findReplay(row, context)
  const shown = {
    stack: lastValue(filters.stack) ?? true,
    memory: lastValue(filters.memory) ?? false,
    storage: lastValue(filters.storage) ?? false,
  }
  const pipe = new PartPipe()
  const job = { kind: 'trace', shown, ...replay } as const
  evm.threads.run(job, ledgerAt(block, context), { takePart: (part) => pipe.push(part) }).then(
    () => pipe.end(),
    (error: unknown) => pipe.fail(error),
  )
  await pipe.begun
  return { body: '', parts: pipe, dependsOnClock: true }
}

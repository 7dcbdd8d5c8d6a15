import type { ResultRow } from '#projections/contract-results/schema.ts'
import { notFound } from '#queries/common/errors.ts'
import { objectSchema } from '#queries/common/object-schema.ts'
import { booleanParameter, lastValue, Refusal } from '#queries/common/parameters.ts'
import { PartPipe } from '#queries/common/part-pipe.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import { type Answer, defineRoute, type QueryContext, type QueryRequest } from '#queries/common/route.ts'
import { ledgerAt } from '#queries/contract-calls/ledger-at.ts'
import { callReads } from '#queries/contract-calls/reads.ts'
import { stepSchema } from '#queries/contract-results/body-schema.ts'
import { findReplay } from '#queries/contract-results/find-replay.ts'
import { findResult, findTimesOfId } from '#queries/contract-results/find-result.ts'
import { type ResultKey, resultPath } from '#queries/contract-results/params.ts'
import { resultReads } from '#queries/contract-results/reads.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

interface NamedKey {
  readonly key: ResultKey
  readonly text: string
}

const path: { readonly transactionIdOrHash: PathParameter<NamedKey> } = {
  transactionIdOrHash: {
    ...resultPath.transactionIdOrHash,
    parse: (text, settings) => {
      if (text.trim() === '') return new Refusal('Missing transaction ID or hash')
      const key = resultPath.transactionIdOrHash.parse(text, settings)
      if (key === undefined || key instanceof Refusal) return new Refusal(`Unsupported ID format: '${text}'`)
      return { key, text }
    },
  },
}

const parameters = {
  stack: booleanParameter('stack', 'Whether each step shows the stack. True unless given.'),
  memory: booleanParameter('memory', 'Whether each step shows the memory. False unless given.'),
  storage: booleanParameter('storage', 'Whether each step shows the slots touched so far. False unless given.'),
}

const reads = { ...resultReads, ...callReads }

export type ReplayContext = QueryContext<typeof reads>

export const opcodesRoute = defineRoute({
  path: '/contracts/results/:transactionIdOrHash/opcodes',
  pathParameters: path,
  summary: 'Run a transaction again on the state before it, and list every instruction; compressed by gzip',
  tag: 'contracts',
  family: 'B-call',
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
  reads,
  answer,
})

async function answer(
  { params, filters, acceptsGzip }: QueryRequest<typeof parameters, typeof path>,
  context: ReplayContext,
): Promise<Answer> {
  const { evm, settings } = context
  if (evm === undefined || !settings.contractCalls.traces)
    throw new LedgerError('not_implemented', 'This process traces no transactions')
  if (!acceptsGzip) throw new LedgerError('not_acceptable', 'Accept-Encoding: gzip header is required')
  evm.traceThrottle.take(0n)
  const row = await getResult(params.transactionIdOrHash, context)
  const { block, ...replay } = await findReplay(row, context)
  const shown = {
    stack: lastValue(filters.stack) ?? true,
    memory: lastValue(filters.memory) ?? false,
    storage: lastValue(filters.storage) ?? false,
  }
  const pipe = new PartPipe()
  const job = { kind: 'trace', shown, ...replay } as const
  evm.threads
    .trace(job, ledgerAt(block, context), (part) => pipe.push(part))
    .then(
      () => pipe.end(),
      (error: unknown) => pipe.fail(error),
    )
  await pipe.begun
  return { body: '', parts: pipe, dependsOnClock: true }
}

/** Throws `not_found` in the words that established clients know. */
async function getResult({ key, text }: NamedKey, context: ReplayContext): Promise<ResultRow> {
  const row = await findResult(key, 0, context)
  if (row !== undefined) return row
  if (key.kind === 'hash') throw notFound(`Contract transaction hash not found: ${text}`)
  const [time] = await findTimesOfId(key, 0, context)
  throw notFound(
    time === undefined ? `Transaction not found: ${text}` : `Contract result not found: ${formatLedgerTime(time)}`,
  )
}

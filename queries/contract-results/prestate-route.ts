import { objectSchema } from '#queries/common/object-schema.ts'
import { booleanParameter, lastValue } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { ledgerAt } from '#queries/contract-calls/ledger-at.ts'
import { runningCalls } from '#queries/contract-calls/prepare-call.ts'
import { findAccountStates, renderPrestate } from '#queries/contract-results/find-account-states.ts'
import { findReplay } from '#queries/contract-results/find-replay.ts'
import { getReplayed, type ReplayContext, replayPath, replayReads } from '#queries/contract-results/replayed.ts'

const parameters = {
  diff: booleanParameter('diff', 'Whether what changed is shown, before and after. False unless given.'),
  code: booleanParameter('code', 'Whether the code of contracts is shown. False unless given.'),
  storage: booleanParameter('storage', 'Whether the slots are shown that were touched. False unless given.'),
}

const hex = { type: 'string', description: '0x and hex digits' }

const accountsSchema = {
  type: 'array',
  items: objectSchema(
    {
      address: hex,
      balance: { ...hex, nullable: true, description: 'Tinybars; null where the account is not there' },
      code: {
        type: 'string',
        nullable: true,
        description: 'Empty where there is none, null where it is not asked for',
      },
      nonce: { type: 'integer', format: 'int64', nullable: true },
      storage: { type: 'object', additionalProperties: hex, description: 'Words by slot' },
    },
    { title: 'AccountState' },
  ),
}

export const prestateRoute = defineRoute({
  path: '/contracts/results/:transactionIdOrHash/prestate',
  pathParameters: replayPath,
  summary: 'Get the accounts that a transaction touched as they were before it, or what it changed of them',
  tag: 'contracts',
  dialect: 'B-call',
  parameters,
  maxAge: 600,
  body: objectSchema({
    pre: { ...accountsSchema, description: 'Before the transaction' },
    post: { ...accountsSchema, description: 'After it: those that changed, and only where that is asked for' },
  }),
  statuses: {
    429: 'Too many requests, or too much gas, within a second',
    501: 'It needs what the log does not say, or transactions are not traced here',
  },
  reads: replayReads,
  answer,
})

async function answer(
  { params, filters }: QueryRequest<typeof parameters, typeof replayPath>,
  context: ReplayContext,
): Promise<Answer> {
  const evm = runningCalls(context, context.settings.contractCalls.traces)
  const isDiff = lastValue(filters.diff) ?? false
  const shown = { code: lastValue(filters.code) ?? false, storage: lastValue(filters.storage) ?? false }
  const row = await getReplayed(params.transactionIdOrHash, context)
  const { block, request, settings, newContract, recorded } = await findReplay(row, context)
  evm.throttle.take(request.gas)
  const job = { kind: 'touched', request, settings, newContract, recorded } as const
  const touched = await evm.threads.run(job, ledgerAt(block, context))
  const states = await findAccountStates({ touched, block, time: row.time, isDiff }, context)
  return { body: renderPrestate(states, { ...shown, isDiff }) }
}

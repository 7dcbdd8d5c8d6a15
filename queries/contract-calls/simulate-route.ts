import { objectSchema } from '#queries/common/object-schema.ts'
import type { Answer, NoParameters, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { type SimulateBody, simulatePayload } from '#queries/contract-calls/body/simulate-body.ts'
import { assertOverridable, findPlace, requestOf, runningCalls } from '#queries/contract-calls/prepare-call.ts'
import { type CallContext, callReads } from '#queries/contract-calls/reads.ts'
import { renderSimulated } from '#queries/contract-calls/render-simulated.ts'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'

const parameters = {}

type Request = QueryRequest<typeof parameters, NoParameters, SimulateBody>

const hex = { type: 'string', description: '0x and hex digits' }
const number = { type: 'integer', format: 'int64' }

const logSchema = objectSchema(
  {
    address: hex,
    block_hash: hex,
    block_number: number,
    data: hex,
    log_index: { ...number, description: 'Within the block' },
    removed: { type: 'boolean' },
    topics: { type: 'array', items: hex },
    transaction_hash: hex,
    transaction_index: { ...number, description: 'Within the block' },
  },
  { title: 'SimulatedLog' },
)

export const simulateRoute = defineRoute({
  method: 'POST',
  path: '/contracts/simulate',
  summary: 'Run contract calls one after the other, each on what those before it left, without changing the ledger',
  tag: 'contracts',
  dialect: 'B-call',
  parameters,
  payload: simulatePayload(defaultCallSettings.gasMax),
  maxAge: 0,
  body: objectSchema({
    result: {
      type: 'array',
      description: 'Of each call, in their order',
      items: objectSchema(
        {
          gas_used: hex,
          logs: { type: 'array', items: logSchema },
          return_data: hex,
          status: { type: 'string', enum: ['0x0', '0x1'] },
        },
        { title: 'SimulatedCall' },
      ),
    },
  }),
  statuses: {
    429: 'Too many calls, or too much gas, within a second',
    501: 'A call needs what the log does not say, or calls are not simulated here',
  },
  reads: callReads,
  answer,
})

async function answer({ payload }: Request, context: CallContext): Promise<Answer> {
  const { simulations, gasMax } = context.settings.contractCalls
  const evm = runningCalls(context, simulations)
  const { entries, tracesTransfers, validates } = payload
  for (const { overrides } of entries) assertOverridable(overrides, context)
  const blocks = entries.map((entry) => ({
    ...entry,
    calls: entry.calls.map((call) => requestOf(call, call.gas ?? gasMax)),
  }))
  const calls = blocks.flatMap((block) => block.calls)
  const giveBack = evm.throttle.take(
    calls.reduce((sum, { gas }) => sum + gas, 0n),
    calls.length,
  )
  const place = await findPlace(payload.block, context)
  const settings = { ...place.settings, validatePayerBalance: validates || place.settings.validatePayerBalance }
  const done = await evm.threads.run({ kind: 'simulate', blocks, settings, tracesTransfers } as const, place.state)
  giveBack(done.reduce((sum, { gasUsed }) => sum + gasUsed, 0n))
  return { body: renderSimulated(done), dependsOnClock: true }
}
